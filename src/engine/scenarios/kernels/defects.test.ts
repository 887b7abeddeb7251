/** Known defects, switched on: the checker of the memory layer finds them, and finds nothing with them off. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kernelOf } from '../../assembly/kernels';
import type { KernelSpec } from '../../experiment/spec';
import { Memory } from '../../kernel/memory/memory';
import type { Process } from '../../kernel/memory/process';
import { SwapSystem } from '../../kernel/swap/swap-system';
import { Scheduler } from '../../simulation/scheduler';

const SERIES = {
  nonfullLists: true, allocator: 'cluster-lists', freeing: 'folios-direct', fragLists: true, scanReclaim: true, fullClusterReclaim: true,
} as const;

/** A disk of 2,048 slots behind zswap, and RAM to spare. */
function machine(kernel: KernelSpec): Memory {
  const { swap, memory: policies, release } = kernelOf(kernel);
  const memory = new Memory(
    {
      machine: { ram_pages: 65536, cpus: 1, nodes: 1, swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 2048 }] },
      policies, release,
    },
    (host) => new SwapSystem(swap, 1, 1, host),
    new Scheduler(),
  );
  memory.setZswapEnabled(true);
  memory.swapon('/dev/vdc');
  return memory;
}

const start = (memory: Memory, pages: number): Process => {
  const process = memory.spawn({ name: 'p', sizePages: pages, fill: 'pattern', memcg: memory.root, cpu: 0 });
  for (let page = 0; page < pages; page++) memory.touch(process, page, true);
  return process;
};

/** Counts the slots that allocations take from the swap cache from now on. */
function countReclaimed(memory: Memory): () => number {
  let reclaimed = 0;
  const free = memory.swap.freeReclaimed.bind(memory.swap);
  memory.swap.freeReclaimed = (entry, count, cpu = 0) => {
    reclaimed += count;
    free(entry, count, cpu);
  };
  return () => reclaimed;
}

/** 900 pages come back and keep their slots, which is no half of swap; then others fill it. */
function cachedSlotsReclaimed(kernel: KernelSpec): Memory {
  const memory = machine(kernel);
  const first = start(memory, 900);
  memory.pageout(first, 0, 900);
  for (let page = 0; page < 900; page++) memory.touch(first, page, false);
  expect(memory.cacheOnlySlots()).toBe(900);
  const reclaimed = countReclaimed(memory);
  memory.pageout(start(memory, 2000), 0, 2000);
  expect(reclaimed()).toBeGreaterThan(0);
  return memory;
}

const STALE = /^slot \d+ of \/dev\/vdc: stale zswap entry of \d+ bytes, the slot (is free|has another page by now)$/;

describe('nr-pages-zero', () => {
  it.each<[string, KernelSpec]>([
    ['linux-6.12', { base: 'linux-6.12', set: { zswapLoad: 'kept', defects: 'nr-pages-zero' } }],
    ['the mTHP series', { base: 'linux-6.10', set: { ...SERIES, zswapLoad: 'kept', defects: 'nr-pages-zero' } }],
  ])('%s: the checker names each slot with a stale entry, and nothing else', (_name, kernel) => {
    const broken = cachedSlotsReclaimed(kernel).checkInvariants();
    expect(broken.length).toBeGreaterThan(0);
    for (const sentence of broken) expect(sentence).toMatch(STALE);
  });

  it.each<[string, KernelSpec]>([
    ['without the defect', { base: 'linux-6.12', set: { zswapLoad: 'kept' } }],
    ['where loads are exclusive: no entry is left to be forgotten', { base: 'linux-6.12', set: { defects: 'nr-pages-zero' } }],
    ['where what is reclaimed goes through the slot cache, which looks at zswap', { base: 'linux-6.1', set: { defects: 'nr-pages-zero' } }],
  ])('is silent %s', (_name, kernel) => {
    expect(cachedSlotsReclaimed(kernel).checkInvariants()).toEqual([]);
  });

  it('does nothing where what is dropped goes through the slot cache', () => {
    const loses = (base: string, set = {}): boolean => machine({ base, set: { ...set, defects: 'nr-pages-zero' } }).mm.losesZswapEntries;
    expect([loses('linux-6.1'), loses('linux-6.10'), loses('linux-6.10', SERIES), loses('linux-6.12')]).toEqual([false, false, true, true]);
  });

  it('a stale entry goes with the device at the latest', () => {
    const memory = cachedSlotsReclaimed({ base: 'linux-6.12', set: { zswapLoad: 'kept', defects: 'nr-pages-zero' } });
    const stale = memory.checkInvariants().length;
    expect(memory.zswap.stale.size).toBe(stale);
    for (const process of memory.processes) memory.exit(process.pid, false);
    memory.swapoff('/dev/vdc');
    expect(memory.checkInvariants()).toEqual([]);
    expect(memory.zswap.storedPages).toBe(0);
    expect(memory.zswap.poolPages).toBe(0);
  });
});

type Operation = { readonly do: 'read' | 'write' | 'pageout' | 'drop'; readonly task: number; readonly from: number; readonly count: number };

const operations = fc.array(
  fc.record<Operation>({
    do: fc.constantFrom('read', 'write', 'pageout', 'pageout', 'drop'), task: fc.nat(2), from: fc.nat(899), count: fc.integer({ min: 1, max: 900 }),
  }),
  { minLength: 20, maxLength: 60 },
);

/** Random access of three programs on a nearly full device; what the checker says after each operation, and the slots reclaimed. */
function churn(kernel: KernelSpec, list: readonly Operation[]): { broken: Set<string>; reclaimed: number } {
  const memory = machine(kernel);
  const reclaimed = countReclaimed(memory);
  const tasks = [start(memory, 900), start(memory, 900), start(memory, 900)];
  for (const task of tasks) memory.pageout(task, 0, 640);
  const broken = new Set<string>();
  for (const operation of list) {
    const process = tasks[operation.task];
    const to = Math.min(900, operation.from + operation.count);
    if (operation.do === 'pageout') memory.pageout(process, operation.from, to);
    else if (operation.do === 'drop') memory.drop(process, operation.from, to);
    else for (let page = operation.from; page < to; page++) memory.touch(process, page, operation.do === 'write');
    for (const sentence of memory.checkInvariants()) broken.add(sentence);
  }
  return { broken, reclaimed: reclaimed() };
}

describe('random churn with cached slots', () => {
  const KERNELS: readonly [string, KernelSpec][] = [
    ['linux-6.1', 'linux-6.1'],
    ['linux-6.12 with loads kept', { base: 'linux-6.12', set: { zswapLoad: 'kept' } }],
    ['linux-6.12', 'linux-6.12'],
    ['linux-6.18 with loads kept', { base: 'linux-6.18', set: { zswapLoad: 'kept' } }],
  ];

  it.each(KERNELS)('%s: sound', (_name, kernel) => {
    let reclaimed = 0;
    fc.assert(
      fc.property(operations, (list) => {
        const result = churn(kernel, list);
        reclaimed += result.reclaimed;
        expect([...result.broken]).toEqual([]);
      }),
      { numRuns: 15, seed: 20240805 },
    );
    expect(reclaimed).toBeGreaterThan(0);
  });

  it('linux-6.12 with loads kept and nr-pages-zero: found', () => {
    let found = 0;
    fc.assert(
      fc.property(operations, (list) => {
        const { broken } = churn({ base: 'linux-6.12', set: { zswapLoad: 'kept', defects: 'nr-pages-zero' } }, list);
        for (const sentence of broken) expect(sentence).toMatch(STALE);
        if (broken.size > 0) found++;
      }),
      { numRuns: 15, seed: 20240805 },
    );
    expect(found).toBeGreaterThan(0);
  });
});
