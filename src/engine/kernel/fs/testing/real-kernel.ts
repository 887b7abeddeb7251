/** The real swap and memory layers with their files, for tests of what a write does. */
import type { MachineSpec } from '../../../experiment/spec';
import { Scheduler } from '../../../simulation/scheduler';
import { Memory } from '../../memory/memory';
import { policiesOf } from '../../swap/registry';
import { SwapSystem } from '../../swap/swap-system';
import type { FsKernel } from '../kernel';
import { createFileTree } from '../tree';
import type { FileTree } from '../tree';

export interface RealKernel extends FsKernel {
  readonly swap: SwapSystem;
  readonly memory: Memory;
  readonly tree: FileTree;
}

const RELEASES: Readonly<Record<string, string>> = { 'linux-6.18': '6.18.44', xswap: '7.3.4-xswap' };

export function realKernel(id: 'linux-6.18' | 'xswap', machine: Partial<MachineSpec> = {}): RealKernel {
  const spec: MachineSpec = { ram_pages: 65536, cpus: 2, nodes: 1, swap: [], ...machine };
  const memory = new Memory(
    {
      machine: spec,
      policies: {
        exclusiveWriteFreesSlot: true, batchedPageout: id === 'xswap', zswapStoresIncompressible: true,
        zswapTakesLargeFolios: true, zswapLoad: 'exclusive', largeSwapin: 'whole', swapinThroughCache: id === 'xswap',
      },
      release: RELEASES[id] ?? '',
    },
    (host) => new SwapSystem(policiesOf(id), spec.cpus, spec.nodes, host),
    new Scheduler(),
  );
  const { swap } = memory;
  return { swap, memory, tree: createFileTree({ swap, memory }) };
}
