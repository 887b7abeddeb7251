/**
 * What a kernel id means beyond its swap policies: the release that files and reports show, and where the memory layer
 * differs. To add a kernel: a row in kernel/swap/registry.ts, and one here if it differs from its base in anything else.
 */
import type { KernelSpec } from '../experiment/spec';
import type { MemoryPolicies } from '../kernel/memory/types';
import { policiesOf } from '../kernel/swap/registry';
import type { SwapPolicies } from '../kernel/swap/registry';

export interface Kernel {
  /** As `uname -r` prints it; decides the era of /proc and /sys. */
  readonly release: string;
  readonly swap: SwapPolicies;
  readonly memory: MemoryPolicies;
}

const LINUX_618: MemoryPolicies = { exclusiveWriteFreesSlot: true, batchedPageout: false, zswapStoresIncompressible: true };
const LINUX_73: MemoryPolicies = { exclusiveWriteFreesSlot: true, batchedPageout: true, zswapStoresIncompressible: true };

/** By kernel id. xswap v3 was written on a tree that became 7.3. */
const BEYOND_SWAP: Record<string, { release: string; memory: MemoryPolicies }> = {
  'linux-6.18': { release: '6.18.15', memory: LINUX_618 },
  xswap: { release: '7.3.4-xswap', memory: LINUX_73 },
};

/** @throws UnknownPolicyError for an id or a policy that does not exist */
export const kernelOf = (spec: KernelSpec): Kernel => {
  const swap = policiesOf(spec);
  return { ...BEYOND_SWAP[swap.id], swap };
};
