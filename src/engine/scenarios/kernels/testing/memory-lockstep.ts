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
  /** Number of the step in which they part, and of the moment in it. */
  readonly step: number;
  readonly at: number;
  /** undefined: that machine does no more in this step. */
  readonly a: SwapMoment | undefined;
  readonly b: SwapMoment | undefined;
}

export interface MemoryMachine {
  readonly device: 'zram' | 'partition';
  /** Sizes of folios that are enabled. */
  readonly orders?: readonly number[];
}

const PAGES = 256;

function machine(kernel: KernelSpec, { device, orders = [] }: MemoryMachine): { memory: Memory; process: Process; swap: ObservedSwapSystem } {
  const { swap: policies, memory: own, release } = kernelOf(kernel);
  const name = device === 'zram' ? '/dev/zram0' : '/dev/vdc';
  const spec: MachineSpec = { ram_pages: 16384, cpus: 1, nodes: 1, swap: [{ kind: device, name, size_pages: 8192 }] };
  let swap: ObservedSwapSystem | undefined;
  const makeSwap = (host: SwapHost): ObservedSwapSystem => (swap = new ObservedSwapSystem(policies, 1, 1, host));
  const memory = new Memory({ machine: spec, policies: own, release }, makeSwap, new Scheduler());
  if (swap === undefined) throw new Error('the memory layer made no swap layer');
  memory.createMemcg('/app');
  memory.swapon(name);
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

/** Carries out the steps on both until they part. `moments`: requests and frees of the first until then. */
export function partingOf(
  kernelA: KernelSpec, kernelB: KernelSpec, of: MemoryMachine, steps: readonly Step[],
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
  }
  return { pair: undefined, moments };
}
