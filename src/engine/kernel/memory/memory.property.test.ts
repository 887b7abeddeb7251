/** Random programs on random machines, with every sum checked after each operation. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MachineSpec, SwapDeviceSpec } from '../../experiment/spec';
import { KernelError } from '../../errno';
import type { Memory } from './memory';
import type { Process } from './process';
import { idle, machineOf, POLICIES_6_18, POLICIES_7_3, touchAll } from './testing/guest';
import { PAGES_MAX } from './types';

const FILLS = ['pattern', 'hog-pattern', 'zero', 'random'] as const;

const machines = fc.record({
  ram_pages: fc.constantFrom(1024, 2048, 4096),
  cpus: fc.integer({ min: 1, max: 3 }),
  nodes: fc.constant(1),
  swap: fc.uniqueArray(
    fc.constantFrom<SwapDeviceSpec>(
      { kind: 'zram', name: '/dev/zram0', size_pages: 1024 },
      { kind: 'zram', name: '/dev/zram1', size_pages: 600, compressor: 'lz4' },
      { kind: 'partition', name: '/dev/vdc', size_pages: 2048 },
      { kind: 'partition', name: '/dev/sda2', size_pages: 1500, rotational: true, discard: 'pages' },
      { kind: 'file', name: '/swapfile', size_pages: 700 },
    ),
    { selector: (device) => device.name, minLength: 1, maxLength: 3 },
  ),
});

type Operation =
  | { readonly do: 'start'; readonly pages: number; readonly fill: number; readonly group: number }
  | { readonly do: 'touch' | 'read' | 'pageout' | 'drop'; readonly task: number; readonly from: number; readonly count: number }
  | { readonly do: 'exit' | 'idle' | 'fork'; readonly task: number }
  | { readonly do: 'max' | 'swapMax' | 'zswapMax'; readonly group: number; readonly pages: number }
  | { readonly do: 'swapon' | 'swapoff'; readonly device: number }
  | { readonly do: 'thp'; readonly order: number; readonly on: boolean }
  | { readonly do: 'zswap' | 'writeback'; readonly on: boolean }
  | { readonly do: 'xswap' | 'limit'; readonly pages: number };

const task = fc.nat(5);
const group = fc.nat(2);
const operations = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('start' as const), pages: fc.integer({ min: 1, max: 1500 }), fill: fc.nat(3), group }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('touch' as const, 'touch' as const, 'read' as const, 'pageout' as const, 'drop' as const),
      task, from: fc.nat(1500), count: fc.integer({ min: 1, max: 800 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('exit' as const, 'idle' as const, 'fork' as const, 'fork' as const), task }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('max' as const, 'swapMax' as const, 'zswapMax' as const), group,
      pages: fc.oneof(fc.nat(1200), fc.constant(PAGES_MAX)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('swapon' as const, 'swapon' as const, 'swapoff' as const), device: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('thp' as const), order: fc.constantFrom(2, 4, 9), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('zswap' as const, 'writeback' as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('xswap' as const, 'limit' as const), pages: fc.nat(4000) }) },
);

/** Carries out one operation; what the kernel refuses with an errno is fine. */
function run(memory: Memory, machine: MachineSpec, operation: Operation): void {
  const groups = [memory.memcg('/a'), memory.memcg('/a/b'), memory.memcg('/c')];
  const alive = memory.processes.filter((process) => process.alive);
  const pick = (at: number): Process | undefined => (alive.length > 0 ? alive[at % alive.length] : undefined);
  switch (operation.do) {
    case 'start':
      memory.spawn({
        name: 'p', sizePages: operation.pages, fill: FILLS[operation.fill], memcg: groups[operation.group],
        cpu: operation.pages % machine.cpus,
      });
      return;
    case 'touch':
    case 'read':
    case 'pageout':
    case 'drop': {
      const process = pick(operation.task);
      if (process === undefined) return;
      const from = operation.from % process.sizePages;
      const to = Math.min(process.sizePages, from + operation.count);
      if (operation.do === 'pageout') memory.pageout(process, from, to);
      else if (operation.do === 'drop') memory.drop(process, from, to);
      else touchAll(memory, process, from, to, operation.do === 'touch');
      return;
    }
    case 'exit': {
      const process = pick(operation.task);
      if (process !== undefined) memory.exit(process.pid, false);
      return;
    }
    case 'fork': {
      const process = pick(operation.task);
      if (process !== undefined) memory.fork(process, { name: 'child', cpu: operation.task % machine.cpus });
      return;
    }
    case 'idle':
      idle(memory, operation.task * 1e6);
      return;
    case 'max':
      memory.setMemoryMax(groups[operation.group], operation.pages);
      return;
    case 'swapMax':
      memory.setSwapMax(groups[operation.group], operation.pages);
      return;
    case 'zswapMax':
      memory.setZswapMax(groups[operation.group], operation.pages);
      return;
    case 'swapon':
      memory.swapon(machine.swap[operation.device % machine.swap.length].name, operation.device - 1 < 0 ? undefined : operation.device);
      return;
    case 'swapoff':
      memory.swapoff(machine.swap[operation.device % machine.swap.length].name);
      return;
    case 'thp':
      memory.setThpMode(operation.order, operation.on ? 'always' : 'never');
      return;
    case 'zswap':
      memory.setZswapEnabled(operation.on);
      return;
    case 'writeback':
      memory.setZswapWriteback(groups[0], operation.on);
      return;
    case 'xswap':
      memory.createXswap();
      return;
    case 'limit': {
      const xswap = memory.swap.devices().find((device) => device.kind === 'xswap');
      if (xswap !== undefined) memory.swap.setXswapLimit(xswap.type, operation.pages);
    }
  }
}

const BEFORE_6_13 = { zswapStoresIncompressible: false, zswapTakesLargeFolios: false } as const;

describe('the memory layer', () => {
  it.each([
    ['7.3', POLICIES_7_3, 'xswap'], ['7.2', { ...POLICIES_7_3, exclusiveWriteFreesSlot: false }, 'linux-7.2'],
    ['6.18', POLICIES_6_18, 'linux-6.18'], ['6.12', { ...POLICIES_6_18, ...BEFORE_6_13 }, 'linux-6.12'],
    ['6.1', { ...POLICIES_6_18, ...BEFORE_6_13, largeSwapin: 'page-by-page', zswapLoad: 'kept' }, 'linux-6.1'],
    ['7.2 with loads of zswap kept', { ...POLICIES_7_3, exclusiveWriteFreesSlot: false, zswapLoad: 'kept' }, 'linux-7.2'],
  ] as const)(
    'keeps every sum under random operations: %s', { timeout: 120_000 }, (_name, policies, kernel) => {
      fc.assert(
        fc.property(machines, fc.array(operations, { minLength: 10, maxLength: 40, size: 'max' }), (machine, list) => {
          const memory = machineOf(machine, policies, kernel);
          for (const path of ['/a', '/a/b', '/c']) memory.createMemcg(path);
          memory.swapon(machine.swap[0].name);
          memory.setMemoryMax(memory.memcg('/a'), 500);
          for (const operation of list) {
            try {
              run(memory, machine, operation);
            } catch (error) {
              if (!(error instanceof KernelError)) throw error;
            }
            expect(memory.checkInvariants()).toEqual([]);
            expect(memory.swap.checkInvariants()).toEqual([]);
          }
          for (const task of memory.processes) memory.exit(task.pid, false);
          idle(memory, 1e9);
          const { mm } = memory;
          expect([mm.anonPages, mm.swapCachePages, mm.zswap.storedPages, mm.folios.live, mm.extraMappers.size]).toEqual([0, 0, 0, 0, 0]);
          expect(memory.swap.freePages + memory.swap.cachedSlots).toBe(memory.swap.totalPages);
        }),
        { numRuns: 60 },
      );
    });

  it('notices a planted fault', () => {
    const memory = machineOf({ ram_pages: 2048, cpus: 1, nodes: 1, swap: [] });
    const process = memory.spawn({ name: 'p', sizePages: 10, fill: 'random', memcg: memory.root, cpu: 0 });
    touchAll(memory, process);
    process.pte[3] = process.pte[4];
    expect(memory.checkInvariants().length).toBeGreaterThan(0);
  });
});
