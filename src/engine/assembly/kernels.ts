/**
 * What a kernel id means beyond its swap policies: the release that files and reports show, and where the memory layer
 * differs. To add a kernel: a row in kernel/swap/registry.ts, and one here if it differs from its base in anything else.
 */
import type { KernelSpec } from '../experiment/spec';
import type { MemoryPolicies } from '../kernel/memory/types';
import { policiesOf, UnknownPolicyError } from '../kernel/swap/registry';
import type { SwapPolicies } from '../kernel/swap/registry';

export interface Kernel {
  /** As `uname -r` prints it; decides the era of /proc and /sys. */
  readonly release: string;
  readonly swap: SwapPolicies;
  readonly memory: MemoryPolicies;
}

/** Memory policies that are no choice of the kernel's swap policies. */
type OwnPolicies = Omit<MemoryPolicies, 'exclusiveWriteFreesSlot' | 'largeSwapin' | 'zswapLoad'>;

const LINUX_6: OwnPolicies = { batchedPageout: false, zswapStoresIncompressible: false, zswapTakesLargeFolios: false, swapinThroughCache: false };
const LINUX_618: OwnPolicies = { ...LINUX_6, zswapStoresIncompressible: true, zswapTakesLargeFolios: true };
const LINUX_7: OwnPolicies = { ...LINUX_618, batchedPageout: true, swapinThroughCache: true };

interface Beyond {
  readonly release: string;
  readonly memory: OwnPolicies;
}

/** By kernel id; releases are those of the recorded kernels where there are any. The series are written on trees around 7.3. */
const BEYOND_SWAP: Readonly<Record<string, Beyond | undefined>> = {
  'linux-6.1': { release: '6.1.176', memory: LINUX_6 },
  'linux-6.10': { release: '6.10.0', memory: LINUX_6 },
  'linux-6.12': { release: '6.12.117', memory: LINUX_6 },
  'linux-6.18': { release: '6.18.15', memory: LINUX_618 },
  'linux-7.2': { release: '7.2.12', memory: LINUX_7 },
  'linux-7.3': { release: '7.3.4', memory: LINUX_7 },
  'linux-7.3-free-first': { release: '7.3.4', memory: LINUX_7 },
  'priority-queues-b': { release: '7.3.4', memory: LINUX_7 },
  'priority-queues': { release: '7.3.4', memory: LINUX_7 },
  xswap: { release: '7.3.4-xswap', memory: LINUX_7 },
};

/** @throws UnknownPolicyError for an id or a policy that does not exist */
export const kernelOf = (spec: KernelSpec): Kernel => {
  const swap = policiesOf(spec);
  const beyond = BEYOND_SWAP[swap.id];
  if (beyond === undefined) throw new UnknownPolicyError(`kernel '${swap.id}' has swap policies only, no memory policies yet`);
  const { writeFault, largeSwapin, zswapLoad } = swap;
  return { ...beyond, memory: { ...beyond.memory, exclusiveWriteFreesSlot: writeFault === 'freed', largeSwapin, zswapLoad }, swap };
};
