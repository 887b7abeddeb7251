import type { CompareArm } from '../../contract/compare';
import type { ExperimentSpec, KernelSpec } from '../../engine/experiment/spec';
import { kernelText } from '../../engine/experiment/result';
import { POLICY_CHOICES } from '../../engine/kernel/swap/policy-catalogue';
import { kernelIds } from '../../engine/kernel/swap/registry';

/** What can stand in a comparison of an experiment: its own arms, and it under each kernel. */
export function offers(spec: ExperimentSpec): CompareArm[] {
  const own = spec.arms.length ? spec.arms.map(({ name }) => ({ name: `arm ${name}`, arm: name })) : [{ name: 'as it is' }];
  return [...own, ...kernelIds().map((id) => ({ name: id, kernel: id }))];
}

/** The first arms of an experiment; with fewer than two, it beside the newest plain kernel that is not its own. */
export function firstChoice(spec: ExperimentSpec, most: number): CompareArm[] {
  const all = offers(spec);
  const own = all.filter((offer) => offer.kernel === undefined).slice(0, most);
  if (own.length > 1) return own;
  const used = typeof spec.kernel === 'string' ? spec.kernel : spec.kernel.base;
  const other = all.find((offer) => offer.kernel === (used === 'linux-7.3' ? 'linux-6.18' : 'linux-7.3'));
  return other ? [...own, other] : own;
}

/** A kernel with one policy replaced. */
export function withPolicy(base: string, policy: string, value: string): CompareArm {
  const kernel: KernelSpec = { base, set: { [policy]: value } };
  return { name: kernelText(kernel), kernel };
}

export const policyNames = (): string[] => Object.keys(POLICY_CHOICES);
export function policyValues(policy: string): string[] {
  const entry = Object.entries(POLICY_CHOICES).find(([name]) => name === policy);
  return entry ? Object.keys(entry[1].values) : [];
}
