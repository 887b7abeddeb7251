import { describe, expect, it } from 'vitest';
import type { KernelSpec } from '../../experiment/spec';
import { policiesOf } from '../../kernel/swap/registry';
import { SwapSystem } from '../../kernel/swap/swap-system';

const newSwap = (kernel: KernelSpec, cpus: number, nodes = 1): SwapSystem =>
  new SwapSystem(policiesOf(kernel), cpus, nodes, { isCacheOnly: () => false, reclaimCacheOnly: () => false, cacheOnlySlots: () => 0 });

function zrams(swap: SwapSystem, count: number, slots: number, more: { priority?: number; nodes?: boolean } = {}): void {
  for (let i = 0; i < count; i++) {
    swap.swapon({
      kind: 'zram', name: `/dev/zram${i}`, slots, priority: more.priority, rotational: false, pageDiscard: false, node: more.nodes === true ? i : -1,
    });
  }
}

const used = (swap: SwapSystem): number[] => swap.devices().map((device) => device.inUse);

describe('the swap_numa document: 2 devices on 2 nodes', () => {
  it.each([[0, 1], [1, 0]])('each node begins with its own, whichever was switched on first: %i, then %i', (first, second) => {
    const swap = newSwap('linux-6.18', 2, 2);
    for (const node of [first, second]) {
      swap.swapon({ kind: 'partition', name: `/dev/swap${'AB'.charAt(node)}`, slots: 1024, rotational: false, pageDiscard: false, node });
    }
    const names = (cpu: number): string[] => swap.availableOrder(cpu).map((type) => swap.view(type).name);
    expect(names(0)).toEqual(['/dev/swapA', '/dev/swapB']);
    expect(names(1)).toEqual(['/dev/swapB', '/dev/swapA']);
  });
});

describe('the swap_numa document: 6 devices on 4 nodes', () => {
  const swap = newSwap('linux-6.18', 4, 4);
  [0, 0, 1, 2, 2, 3].forEach((node, i) => {
    swap.swapon({ kind: 'partition', name: `/dev/swap${'ABCDEF'.charAt(i)}`, slots: 1024, rotational: false, pageDiscard: false, node });
  });
  const order = (cpu: number): string => swap.availableOrder(cpu).map((type) => 'ABCDEF'.charAt(type)).join('');

  it('each node uses its own devices first, then the others in order of swapon', () => {
    expect([0, 1, 2, 3].map(order)).toEqual(['ABCDEF', 'CABDEF', 'DEABCF', 'FABCDE']);
  });

  it('two of one node take turns', () => {
    const types = Array.from({ length: 1020 }, () => swap.alloc(2, 0) >>> 27);
    expect(new Set(types)).toEqual(new Set([3, 4]));
    expect(order(2).slice(2)).toBe('ABCF');
  });
});

/** Used KiB and priorities read on real kernels: 4 zram of 32 MiB, 60 % of them filled with single pages by one CPU of two. */
describe('default priorities: 4 zram of 32 MiB filled to 60 %', () => {
  const TABLE: readonly (readonly [string, readonly number[], readonly number[]])[] = [
    ['linux-6.1', [32764, 32764, 13312, 0], [-2, -3, -4, -5]],
    ['linux-6.12', [32764, 32764, 13312, 0], [-2, -3, -4, -5]],
    ['linux-6.18', [32764, 32764, 13112, 0], [-2, -3, -4, -5]],
    ['linux-7.2', [20476, 20476, 19260, 18428], [-1, -1, -1, -1]],
    ['linux-7.3', [20476, 20476, 19260, 18428], [-1, -1, -1, -1]],
  ];

  it.each(TABLE)('%s', (kernel, kiB, priorities) => {
    const swap = newSwap(kernel, 2);
    zrams(swap, 4, 8192);
    const pages = Math.floor((4 * 8192 * 60) / 100);
    for (let i = 0; i < pages; i++) swap.alloc(0, 0);
    expect(used(swap).map((inUse) => inUse * 4)).toEqual(kiB);
    expect(swap.devices().map((device) => device.priority)).toEqual(priorities);
  });
});

/**
 * The three tables of default-priority-round-robin: 4 zram of 16 GiB, 31 tasks that swap, shrunk 64 times. 8 nodes of 4 CPUs, zram i
 * on node i, the tasks spread evenly; snapshots when use first reaches the published total.
 */
describe('default-priority-round-robin, at 1/64', () => {
  const SLOTS = (16 * 262144) / 64;
  const until = (kernel: KernelSpec, gib: number): number[] => {
    const swap = newSwap(kernel, 32, 8);
    zrams(swap, 4, SLOTS, { nodes: true });
    const pages = (gib * 262144) / 64;
    for (let i = 0; i < pages; i++) expect(swap.alloc(i % 31, 0)).not.toBe(0);
    return used(swap);
  };

  it('one by one: the first is full, the second in use, the others empty', () => {
    const [first, second, third, fourth] = until({ base: 'linux-6.12', set: { selection: 'one-list', defaultPriority: 'one-by-one' } }, 17);
    expect(first).toBe(SLOTS - 1);
    expect(second).toBeGreaterThan(0);
    expect([third, fourth]).toEqual([0, 0]);
  });

  it('node based: the first 4 to 6 times the others, those alike within 30 %', () => {
    const [first, ...others] = until('linux-6.18', 25.1);
    const most = Math.max(...others);
    const least = Math.min(...others);
    expect(most / least).toBeLessThanOrEqual(1.3);
    const ratio = (first ?? 0) / ((most + least) / 2);
    expect(ratio).toBeGreaterThanOrEqual(4);
    expect(ratio).toBeLessThanOrEqual(6);
  });

  it('round robin: largest to smallest at most 1.02', () => {
    const all = until('linux-7.2', 26.4);
    expect(Math.max(...all) / Math.min(...all)).toBeLessThanOrEqual(1.02);
  });
});

describe('per-priority queues', () => {
  it('eight equal zram, at least 200 clusters each: largest to smallest use at most 1.05', () => {
    const swap = newSwap('priority-queues', 96);
    zrams(swap, 8, 262144, { priority: 5 });
    let random = 1;
    while (Math.min(...used(swap)) < 200 * 512) {
      for (let i = 0; i < 4096; i++) {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        swap.alloc((random >>> 0) % 96, (random >>> 8) % 16 === 0 ? 4 : 0);
      }
    }
    const all = used(swap);
    expect(Math.max(...all) / Math.min(...all)).toBeLessThanOrEqual(1.05);
    expect(swap.checkInvariants()).toEqual([]);
  });
});
