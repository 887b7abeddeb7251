/** All checks of a draft, in the order of the wizard's steps. */
import type { KernelSpec } from '../../../engine/experiment/spec';
import type { Draft } from '../draft';
import { kernelSpec } from '../draft-to-spec';
import { checkCgroups, checkMemory } from './memory';
import { checkMachine, checkReview } from './machine';
import type { Problem } from './problem';
import { Findings } from './problem';
import { checkScript } from './script';
import type { SwapLimits } from './swap';
import { checkSwap } from './swap';

export type { Problem } from './problem';

/** What the checks have to know of the kernels. */
export interface KernelFacts {
  readonly ids: readonly string[];
  readonly limits: (kernel: KernelSpec) => SwapLimits;
}

function checkKernel(draft: Draft, kernels: KernelFacts): Problem[] {
  const found = new Findings('kernel');
  if (!kernels.ids.includes(draft.kernel)) {
    found.error('kernel.id', `expected one of ${kernels.ids.join(', ')}, got “${draft.kernel}”`);
  }
  return found.problems;
}

export function checkDraft(draft: Draft, kernels: KernelFacts): Problem[] {
  return [
    ...checkMachine(draft),
    ...checkKernel(draft, kernels),
    ...checkSwap(draft, kernels.limits(kernelSpec(draft))),
    ...checkMemory(draft),
    ...checkCgroups(draft),
    ...checkScript(draft),
    ...checkReview(draft),
  ];
}
