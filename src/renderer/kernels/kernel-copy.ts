/** A copy of the experiment on the bench with another kernel, or with one policy of its kernel replaced. */
import type { ExperimentSpec, KernelSpec } from '../../engine/experiment/spec';
import { POLICY_SETTINGS } from '../../engine/kernel/swap/policy-catalogue';
import { policyText } from '../../engine/kernel/swap/policy-table';

/** `true`, `512` and the like mean what they say; names of values stay texts. */
export function policyValue(policy: string, text: string): string | number | boolean {
  if (!(policy in POLICY_SETTINGS)) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** The kernel with one policy replaced. What its base has anyway is not written down. */
export function withPolicy(kernel: KernelSpec, policy: string, text: string): KernelSpec {
  const base = typeof kernel === 'string' ? kernel : kernel.base;
  const set = { ...(typeof kernel === 'string' ? {} : kernel.set) };
  delete set[policy];
  if (policyText(base, policy) !== text) set[policy] = policyValue(policy, text);
  return Object.keys(set).length === 0 ? base : { base, set };
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const withKernel = (spec: ExperimentSpec, kernel: KernelSpec): ExperimentSpec => ({ ...plain(spec), kernel });
