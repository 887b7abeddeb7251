/** The kernels that can be chosen, from the engine's registry, with what they mean for swap. */
import type { DefaultPriorityRule } from '../../engine/experiment/fill-order';
import type { KernelSpec } from '../../engine/experiment/spec';
import { POLICY_CHOICES } from '../../engine/kernel/swap/policy-catalogue';
import { kernelIds, policiesOf, UnknownPolicyError } from '../../engine/kernel/swap/registry';
import type { SwapPolicies } from '../../engine/kernel/swap/registry';
import type { KernelFacts } from './checks';

/** One sentence a value of each policy: what the user gets from it. */
const DEFAULT_PRIORITY: Record<DefaultPriorityRule, string> = {
  'one-by-one': 'Devices without a priority get -1, -2, … in order of swapon: one is filled after the other.',
  descending: 'Devices without a priority get -2, -3, … in order of swapon: one is filled after the other.',
  equal: 'Devices without a priority all get -1: they take turns, cluster by cluster.',
};

export interface KernelChoice {
  readonly id: string;
  readonly source: string;
  readonly facts: readonly string[];
}

function factsOf(policies: SwapPolicies): string[] {
  return [
    DEFAULT_PRIORITY[policies.defaultPriority],
    POLICY_CHOICES.allocator.values[policies.allocator].what,
    POLICY_CHOICES.clusterPreference.values[policies.clusterPreference].what,
    policies.xswap
      ? 'Has xswap: swap without a backing device, made and limited through /sys/kernel/mm/xswap. It needs zswap.'
      : 'No xswap.',
  ];
}

export function kernelChoices(): KernelChoice[] {
  return kernelIds().map((id) => {
    const policies = policiesOf(id);
    return { id, source: policies.source, facts: factsOf(policies) };
  });
}

/** Policies of a kernel that may not exist (a file can name any id): then undefined. */
function knownPolicies(kernel: KernelSpec): SwapPolicies | undefined {
  try {
    return policiesOf(kernel);
  } catch (error) {
    if (error instanceof UnknownPolicyError) return undefined;
    throw error;
  }
}

export const defaultPriorityRule = (kernel: KernelSpec): DefaultPriorityRule => knownPolicies(kernel)?.defaultPriority ?? 'descending';

export const KERNEL_FACTS: KernelFacts = {
  ids: kernelIds(),
  limits: (kernel) => {
    const policies = knownPolicies(kernel);
    return { maxDevices: policies?.maxSwapfiles ?? 1, xswap: policies?.xswap ?? false };
  },
};
