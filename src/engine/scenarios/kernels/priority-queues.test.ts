import { describe, expect, it } from 'vitest';
import { policiesOf } from '../../kernel/swap/registry';
import { PriorityQueues } from '../../kernel/swap/priority-queues';
import { SwapSystem } from '../../kernel/swap/swap-system';
import { NO_ENTRY, typeOf, type Entry } from '../../kernel/swap/types';

type Settings = Readonly<Record<string, string | number | boolean>>;

function machine(cpus = 2, set: Settings = {}, reclaim?: (swap: SwapSystem, type: number, offset: number) => boolean): SwapSystem {
  const swap: SwapSystem = new SwapSystem(policiesOf({ base: 'priority-queues', set }), cpus, 1, {
    isCacheOnly: () => reclaim !== undefined,
    reclaimCacheOnly: (type, offset) => reclaim?.(swap, type, offset) ?? false,
  });
  return swap;
}

function on(swap: SwapSystem, name: string, slots: number, priority: number, kind: 'zram' | 'file' = 'zram'): number {
  return swap.swapon({ kind, name, slots, priority, rotational: false, pageDiscard: false, node: -1 });
}

const used = (swap: SwapSystem): number[] => swap.devices().map((device) => device.inUse);

describe('correctness and stress of the per-priority queues', () => {
  it('equal priorities share, lower ones wait until all peers are full', () => {
    const swap = machine();
    for (let i = 0; i < 4; i++) on(swap, `/dev/zram${i}`, 4096, 10);
    on(swap, '/dev/low', 4096, 5);
    for (let i = 0; i < 4 * 4095; i++) expect(typeOf(swap.alloc(i % 2, 0))).toBeLessThan(4);
    expect(used(swap)).toEqual([4095, 4095, 4095, 4095, 0]);
    expect(typeOf(swap.alloc(0, 0))).toBe(4);
  });

  it('a reader goes on after its quota, another CPU\'s on its own', () => {
    const swap = machine(1, { queueQuota: 8 });
    for (let i = 0; i < 3; i++) on(swap, `/dev/zram${i}`, 4096, 10);
    const types = Array.from({ length: 48 }, () => typeOf(swap.alloc(0, 0)));
    expect(types).toEqual(Array.from({ length: 48 }, (_, i) => Math.floor(i / 8) % 3));
  });

  it('a full device is masked, its peers refill, and one freed slot unmasks it', () => {
    const swap = machine(1);
    on(swap, '/dev/zram0', 512, 10);
    on(swap, '/dev/zram1', 4096, 10);
    const first: Entry[] = [];
    for (let i = 0; i < 511 + 600; i++) {
      const entry = swap.alloc(0, 0);
      if (typeOf(entry) === 0) first.push(entry);
    }
    expect(first).toHaveLength(511);
    expect(swap.availableOrder(0)).toEqual([1]);
    swap.free(first[0] ?? 0, 1);
    expect(swap.availableOrder(0)).toHaveLength(2);
    const got = new Set<number>();
    for (let i = 0; i < 600; i++) got.add(typeOf(swap.alloc(0, 0)));
    expect(got).toEqual(new Set([0, 1]));
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('a large folio tries every peer, and never a lower priority because one is fragmented', () => {
    const swap = machine(1);
    on(swap, '/swapfile', 4096, 10, 'file');
    on(swap, '/dev/zram0', 4096, 10);
    on(swap, '/dev/low', 65536, 5);
    for (let i = 0; i < 7; i++) expect(typeOf(swap.alloc(0, 9))).toBe(1);
    expect(swap.alloc(0, 9)).toBe(NO_ENTRY);
    expect(used(swap)[2]).toBe(0);
    while (typeOf(swap.alloc(0, 0)) < 2);
    expect(typeOf(swap.alloc(0, 9))).toBe(2);
  });

  it('a walk visits each peer exactly once, even when another task turns the reader meanwhile', () => {
    // The reclaim callback is the other task: it takes slots on the same CPU while the walk has dropped its locks.
    const visited: number[] = [];
    const swap = machine(1, { queueQuota: 1 }, (inner, type) => {
      visited.push(type);
      const { selection } = inner;
      if (selection instanceof PriorityQueues) selection.requeue(0, 0);
      return false;
    });
    for (let i = 0; i < 4; i++) on(swap, `/dev/zram${i}`, 1024, 10);
    for (let i = 0; i < 4 * 512 + 400; i++) swap.alloc(0, 0);
    visited.length = 0;
    swap.alloc(0, 9);
    const changes = visited.filter((type, i) => i === 0 || visited[i - 1] !== type);
    expect(changes.length).toBeGreaterThan(1);
    expect(new Set(changes).size).toBe(changes.length);
  });

  it('the open questions change what readers cost, not where slots go', () => {
    const places = (set: Settings): { entries: number[]; costs: PriorityQueues['costs'] } => {
      const swap = machine(2, set);
      on(swap, '/dev/zram0', 1024, 10);
      on(swap, '/dev/zram1', 1024, 5);
      on(swap, '/dev/zram2', 1024, 5);
      const entries = Array.from({ length: 2500 }, (_, i) => swap.alloc(i % 2, 0));
      const { selection } = swap;
      if (!(selection instanceof PriorityQueues)) throw new Error('no queues');
      return { entries, costs: selection.costs };
    };
    const plain = places({});
    const fast = places({ queueFastPath: true });
    const state = places({ queueAvailability: true });
    expect(fast.entries).toEqual(plain.entries);
    expect(state.entries).toEqual(plain.entries);
    expect(fast.costs.readerReads).toBeLessThan(plain.costs.readerReads);
    expect(state.costs.maskedEntries).toBeLessThan(plain.costs.maskedEntries);
  });

  it('swapon and swapoff during allocation, with a reader of the device list, tasks that move between CPUs', () => {
    const swap = machine(8);
    for (let i = 0; i < 4; i++) on(swap, `/dev/zram${i}`, 2048, 10);
    const live: Entry[] = [];
    let random = 7;
    const next = (n: number): number => {
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      return (random >>> 0) % n;
    };
    for (let round = 0; round < 60; round++) {
      for (let i = 0; i < 400; i++) {
        if (live.length > 0 && next(5) < 2) {
          const at = next(live.length);
          swap.free(live[at] ?? 0, 1);
          live[at] = live[live.length - 1] ?? 0;
          live.pop();
        } else {
          const entry = swap.alloc(next(8), 0);
          if (entry !== NO_ENTRY) live.push(entry);
        }
      }
      // The last device goes and comes back.
      swap.beginSwapoff(3);
      expect(swap.devices().filter((device) => !device.writable)).toHaveLength(1);
      for (let i = 0; i < 50; i++) {
        const entry = swap.alloc(next(8), 0);
        expect(entry === NO_ENTRY || typeOf(entry) !== 3).toBe(true);
        if (entry !== NO_ENTRY) live.push(entry);
      }
      for (let i = live.length - 1; i >= 0; i--) {
        const entry = live[i] ?? 0;
        if (typeOf(entry) !== 3) continue;
        swap.free(entry, 1);
        live.splice(i, 1);
      }
      swap.finishSwapoff(3);
      expect(swap.checkInvariants()).toEqual([]);
      on(swap, '/dev/zram3', 2048, 10);
      expect(used(swap).reduce((sum, n) => sum + n, 0)).toBe(live.length);
    }
  });
});
