/** One policy at a time: the same requests on two machines that differ in it; the first difference has to be that policy's. */
import { describe, expect, it } from 'vitest';
import { policiesOf } from '../../kernel/swap/registry';
import { SwapSystem } from '../../kernel/swap/swap-system';
import { LIST, NO_ENTRY, offsetOf, typeOf, type Entry, type SwaponArgs } from '../../kernel/swap/types';

interface Difference {
  readonly step: number;
  readonly order: number;
  readonly cpu: number;
  readonly a: Entry;
  readonly b: Entry;
  /** Lists on which the clusters of a and b stood before the request. */
  readonly listA: number;
  readonly listB: number;
  /** Frees so far: of single slots, and of several at once. */
  readonly singles: number;
  readonly runs: number;
}

type Settings = Readonly<Record<string, string | number | boolean>>;

const device = (i: number, more: Partial<SwaponArgs> = {}): SwaponArgs => ({
  kind: 'zram', name: `/dev/zram${i}`, slots: 65536, rotational: false, pageDiscard: false, node: -1, priority: 5, ...more,
});

function make(kernel: string, set: Settings, nodes: number, devices: readonly SwaponArgs[], reclaimed: Entry[] | null): SwapSystem {
  const swap: SwapSystem = new SwapSystem(policiesOf({ base: kernel, set }), 2, nodes, {
    isCacheOnly: () => reclaimed !== null,
    reclaimCacheOnly: (type, offset) => {
      if (reclaimed === null) return false;
      reclaimed.push((type << 27) | offset);
      swap.free(((type << 27) | offset) >>> 0, 1);
      return true;
    },
    cacheOnlySlots: () => (reclaimed === null ? 0 : 1),
  });
  for (const args of devices) swap.swapon(args);
  return swap;
}

const listOf = (swap: SwapSystem, entry: Entry): number => {
  const index = Math.floor(offsetOf(entry) / 512);
  return entry === NO_ENTRY ? LIST.none : (swap.clusters(typeOf(entry), index, index + 1)[0]?.list ?? LIST.none);
};

const snapshot = (swap: SwapSystem): Map<number, number[]> =>
  new Map(swap.devices().map((view) => [view.type, swap.clusters(view.type, 0, view.clusters).map((cluster) => cluster.list)]));

const listBefore = (lists: Map<number, number[]>, entry: Entry): number =>
  (entry === NO_ENTRY ? LIST.none : (lists.get(typeOf(entry))?.[Math.floor(offsetOf(entry) / 512)] ?? LIST.none));

/** The first request that two machines answer differently, of a churn of orders 0, 4 and 9; undefined: none. */
function firstDifference(
  kernel: string, set: Settings, devices: readonly SwaponArgs[],
  options: { nodes?: number; orders?: readonly number[]; steps?: number; level?: number } = {},
): Difference | undefined {
  const { nodes = 1, orders = [0, 0, 4], steps = 12_000, level = 200 } = options;
  const one = make(kernel, {}, nodes, devices, null);
  const other = make(kernel, set, nodes, devices, null);
  const live: { entry: Entry; count: number }[] = [];
  let random = 99;
  let singles = 0;
  let runs = 0;
  const next = (n: number): number => {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return (random >>> 0) % n;
  };
  for (let step = 0; step < steps; step++) {
    if (live.length > level && next(100) < 45) {
      const at = next(live.length);
      const run = live[at];
      if (run === undefined) continue;
      live[at] = live[live.length - 1] ?? run;
      live.pop();
      if (run.count === 1) singles++;
      else runs++;
      one.free(run.entry, run.count);
      other.free(run.entry, run.count);
      continue;
    }
    const order = orders[next(orders.length)] ?? 0;
    const cpu = next(2);
    const before = [snapshot(one), snapshot(other)] as const;
    const a = one.alloc(cpu, order);
    const b = other.alloc(cpu, order);
    if (a !== b) return { step, order, cpu, a, b, listA: listBefore(before[0], a), listB: listBefore(before[1], b), singles, runs };
    if (a !== NO_ENTRY) live.push({ entry: a, count: 1 << order });
  }
  return undefined;
}

function difference(...args: Parameters<typeof firstDifference>): Difference {
  const found = firstDifference(...args);
  if (found === undefined) throw new Error('the machines do not differ');
  return found;
}

const disk: Partial<SwaponArgs> = { kind: 'partition', slots: 16384 };

describe('the first difference is the policy\'s', () => {
  it('clusterPreference: a free cluster in place of a partly used one', () => {
    const found = difference('linux-6.18', { clusterPreference: 'free-first' }, [device(0, { slots: 16384 })]);
    expect([found.listA, found.listB]).toEqual([LIST.nonfull, LIST.free]);
  });

  it('clusterPreference free-first-nonsync: so on a disk, and no difference at all on zram', () => {
    const set = { clusterPreference: 'free-first-nonsync' };
    const found = difference('linux-7.3', set, [device(0, disk)]);
    expect([found.listA, found.listB]).toEqual([LIST.nonfull, LIST.free]);
    expect(firstDifference('linux-7.3', set, [device(0, { slots: 16384 })], { steps: 4000 })).toBeUndefined();
  });

  it('clusterOrder: the second free cluster is the 32nd', () => {
    const { a, b, listA, listB } = difference('linux-6.18', { clusterOrder: 'columns-32' }, [device(0)]);
    expect([listA, listB]).toEqual([LIST.free, LIST.free]);
    expect([offsetOf(a) >> 9, offsetOf(b) >> 9]).toEqual([1, 32]);
  });

  it('largeFolios: order 4 finds nothing, order 9 does', () => {
    const found = difference('linux-6.18', { largeFolios: 'pmd' }, [device(0)], { orders: [0, 9, 9, 4] });
    expect([found.order, found.b]).toEqual([4, NO_ENTRY]);
  });

  it('largeRetry: a folio that found nothing on the first device lies on another', () => {
    const found = difference('linux-6.18', { largeRetry: 'all-peers' }, [device(0, { kind: 'file' }), device(1)]);
    expect(found.order).toBe(4);
    expect([found.a, typeOf(found.b)]).toEqual([NO_ENTRY, 1]);
  });

  it('allocator device-percpu-cluster: the second request turns to the other device', () => {
    const found = difference('linux-7.3', { allocator: 'device-percpu-cluster' }, [device(0), device(1)], { orders: [0] });
    expect(found.step).toBeLessThan(4);
    expect(typeOf(found.a)).not.toBe(typeOf(found.b));
  });

  it('selection priority-queues: the second request stays where the list would turn', () => {
    const found = difference('priority-queues-b', { selection: 'priority-queues' }, [device(0), device(1)], { orders: [0] });
    expect(found.step).toBeLessThan(4);
    expect(typeOf(found.a)).not.toBe(typeOf(found.b));
  });

  it('selection one-list: a CPU of node 1 no longer prefers its own device', () => {
    const devices = [device(0, { priority: undefined, node: 0 }), device(1, { priority: undefined, node: 1 })];
    const found = difference('linux-6.18', { selection: 'one-list' }, devices, { nodes: 2 });
    expect([found.cpu, typeOf(found.a), typeOf(found.b)]).toEqual([1, 1, 0]);
  });

  it('defaultPriority: another device as soon as a cluster is done', () => {
    const devices = [device(0, { priority: undefined }), device(1, { priority: undefined })];
    const found = difference('linux-6.18', { defaultPriority: 'equal' }, devices);
    expect([typeOf(found.a), typeOf(found.b)]).toEqual([0, 1]);
    expect(firstDifference('linux-6.18', { defaultPriority: 'one-by-one' }, devices, { steps: 2000 })).toBeUndefined();
  });

  it('slotCache: without one every request rotates', () => {
    const found = difference('linux-6.12', { slotCache: 'none' }, [device(0), device(1)], { orders: [0] });
    expect(found.step).toBeLessThan(4);
    expect(typeOf(found.a)).not.toBe(typeOf(found.b));
  });

  it('freeOrder: after the first batch of 64 frees of two types', () => {
    const devices = [device(0, { slots: 4096 }), device(1, { slots: 4096 })];
    const found = difference('linux-6.12', { freeOrder: 'heap-sort' }, devices, { orders: [0], steps: 20_000, level: 6000 });
    expect(found.singles).toBeGreaterThan(64);
  });

  it('freeing: after several slots were freed together', () => {
    const found = difference('linux-6.12', { freeing: 'singles' }, [device(0, { slots: 16384 })], { steps: 40_000 });
    expect(found.runs).toBeGreaterThan(0);
  });

  it('rotational: large folios find nothing without clusters', () => {
    const found = difference('linux-6.18', { rotational: 'next-fit' }, [device(0, { ...disk, rotational: true })]);
    expect([found.order, found.b]).toEqual([4, NO_ENTRY]);
  });

  it('allocationDiscard: one waiting cluster is discarded in place of all', () => {
    const left = (allocationDiscard: string): number => {
      const swap = make('linux-7.3', { allocationDiscard }, 1, [device(0, { ...disk, pageDiscard: true, slots: 4096 })], null);
      const folios = Array.from({ length: 7 }, () => swap.alloc(0, 9));
      for (const entry of folios.slice(0, 5)) swap.free(entry, 512);
      expect(listOf(swap, folios[0] ?? 0)).toBe(LIST.discard);
      for (let i = 0; i < 511; i++) swap.alloc(0, 0);
      expect(swap.alloc(0, 0)).toBe(folios[0]);
      return swap.clusters(0, 0, 8).filter((cluster) => cluster.list === LIST.discard).length;
    };
    expect([left('all'), left('one')]).toEqual([0, 4]);
  });

  it.each(['scanReclaim', 'fullClusterReclaim'])('%s: without it, cached slots of a full device are not reclaimed for it', (policy) => {
    const reclaimed = (set: Settings): number => {
      const freed: Entry[] = [];
      const swap = make('linux-6.18', set, 1, [device(0, { slots: 2048 })], freed);
      for (let i = 0; i < 4; i++) swap.alloc(0, 9);
      for (let i = 0; i < 200; i++) swap.alloc(0, 0);
      freed.length = 0;
      swap.alloc(0, 4);
      return freed.length;
    };
    expect(reclaimed({})).toBeGreaterThan(reclaimed({ [policy]: false }));
  });
});

describe('known defects', () => {
  const run = (set: Settings): string[] => {
    const swap = make('linux-6.12', set, 1, [device(0, { ...disk, pageDiscard: true })], null);
    const folio = swap.alloc(0, 9);
    swap.freeFolio(folio, 512);
    for (const work of swap.pendingWork()) swap.runWork(work.kind, work.type);
    return swap.checkInvariants();
  };

  it('discard-of-full-cluster: the checker names the list; switched off, nothing', () => {
    expect(run({ defects: 'discard-of-full-cluster' }).join('\n')).toContain('is marked as on the free list and is on no list');
    expect(run({})).toEqual([]);
  });

  it('are refused under a wrong name', () => {
    expect(() => policiesOf({ base: 'linux-6.12', set: { defects: 'discard' } })).toThrow('expected none or discard-of-full-cluster');
  });
});
