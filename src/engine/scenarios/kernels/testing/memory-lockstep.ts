/** Two machines' memory layers that are asked the same: which request or free of slots is the first that differs? */
import { isDeepStrictEqual } from 'node:util';
import { kernelOf } from '../../../assembly/kernels';
import type { KernelSpec, MachineSpec } from '../../../experiment/spec';
import { Memory } from '../../../kernel/memory/memory';
import type { Process } from '../../../kernel/memory/process';
import { explain } from '../../../kernel/swap/explain';
import type { SwapMoment } from '../../../kernel/swap/moment';
import { ObservedSwapSystem } from '../../../kernel/swap/observed-swap-system';
import type { SwapHost } from '../../../kernel/swap/types';
import { Scheduler } from '../../../simulation/scheduler';

/** One thing done to both. */
export type Step = (memory: Memory, process: Process) => void;

export interface MomentPair {
  /** Number of the step in which they part, and of the moment in it; -1: what was read after the step differs. */
  readonly step: number;
  readonly at: number;
  /** undefined: that machine does no more in this step. */
  readonly a: SwapMoment | undefined;
  readonly b: SwapMoment | undefined;
  /** What was read. */
  readonly readA?: number;
  readonly readB?: number;
}

export interface MemoryMachine {
  readonly device: 'zram' | 'partition';
  /** Sizes of folios that are enabled. */
  readonly orders?: readonly number[];
  readonly zswap?: boolean;
}

const PAGES = 256;

interface Side {
  readonly memory: Memory;
  readonly process: Process;
  readonly swap: ObservedSwapSystem;
}

function machine(kernel: KernelSpec, { device, orders = [], zswap = false }: MemoryMachine): Side {
  const { swap: policies, memory: own, release } = kernelOf(kernel);
  const name = device === 'zram' ? '/dev/zram0' : '/dev/vdc';
  // Without readahead a fault brings back what it asks for.
  const spec: MachineSpec = { ram_pages: 16384, cpus: 1, nodes: 1, swap: [{ kind: device, name, size_pages: 8192 }], page_cluster: 0 };
  let swap: ObservedSwapSystem | undefined;
  const makeSwap = (host: SwapHost): ObservedSwapSystem => (swap = new ObservedSwapSystem(policies, 1, 1, host));
  const memory = new Memory({ machine: spec, policies: own, release }, makeSwap, new Scheduler());
  if (swap === undefined) throw new Error('the memory layer made no swap layer');
  memory.createMemcg('/app');
  memory.swapon(name);
  if (zswap) memory.setZswapEnabled(true);
  for (const order of orders) memory.setThpMode(order, 'always');
  const process = memory.spawn({ name: 'p', sizePages: PAGES, fill: 'pattern', memcg: memory.memcg('/app'), cpu: 0 });
  return { memory, process, swap };
}

/** All pages of the process, one a step. */
export const touches = (write: boolean): Step[] => Array.from({ length: PAGES }, (_, page): Step => (memory, process) => {
  memory.touch(process, page, write);
});

/** Everything goes to swap and leaves the swap cache. */
export const pageOut: Step = (memory, process) => {
  memory.pageout(process, 0, PAGES);
  while (memory.mm.waitForWriteback());
  if (memory.mm.swapCachePages > 0) memory.reclaim(memory.memcg('/app'), memory.mm.swapCachePages);
};

/** Carries out the steps on both until they part. `read`: a number that has to be the same too. `moments`: requests and frees until then. */
export function partingOf(
  kernelA: KernelSpec, kernelB: KernelSpec, of: MemoryMachine, steps: readonly Step[], read?: (memory: Memory) => number,
): { readonly pair: MomentPair | undefined; readonly moments: number } {
  const sides = [machine(kernelA, of), machine(kernelB, of)];
  let moments = 0;
  for (const [step, act] of steps.entries()) {
    const [a, b] = sides.map(({ memory, process, swap }) => explain(swap, () => {
      act(memory, process);
    }).moments);
    const length = Math.max(a.length, b.length);
    for (let at = 0; at < length; at++) {
      if (!isDeepStrictEqual(a[at], b[at])) return { pair: { step, at, a: a[at], b: b[at] }, moments };
      moments++;
    }
    const [readA, readB] = sides.map(({ memory }) => read?.(memory));
    if (readA !== readB) return { pair: { step, at: -1, a: undefined, b: undefined, readA, readB }, moments };
  }
  return { pair: undefined, moments };
}
