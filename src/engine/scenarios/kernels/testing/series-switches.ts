/** The patches of the mTHP series as switches, each with a run that shows it and one that it cannot touch. */
import { expect } from 'vitest';
import { LIST, NO_ENTRY, offsetOf } from '../../../kernel/swap/types';
import { churn, zram, type Lockstep } from './lockstep';
import { FREE, NONFULL, did, parting, same, sameSlots, took, type Run } from './parting';
import type { PolicySwitch, Sides } from './policy-switch';

/** The mTHP series on its base: each patch stands on those before it. */
const PATCH_2 = { nonfullLists: true };
const PATCH_3 = { ...PATCH_2, allocator: 'cluster-lists' };
const PATCH_5 = { ...PATCH_3, freeing: 'folios-direct' };
const PATCH_7 = { ...PATCH_5, fragLists: true };
const PATCH_8 = { ...PATCH_7, scanReclaim: true };

/** All slots in folios of 16, of which two are then half freed: 16 slots of a cluster are free, and no aligned run of them. */
function holes(pair: Lockstep): readonly number[] {
  const folios = pair.allocMany(0, 4, 9999);
  pair.free((folios[4] ?? 0) + 8, 8);
  pair.free(folios[5] ?? 0, 8);
  return folios;
}

/** A folio of a cluster with holes is held by the swap cache alone, and another folio asked for. */
const cachedInHoles: Run = (pair) => {
  const folios = holes(pair);
  pair.hold(folios[10] ?? 0, 16);
  pair.alloc(0, 4);
};

/** A folio of a full cluster is held by the swap cache alone, and others asked for. */
export const cachedInFull: Run = (pair) => {
  const folios = pair.allocMany(0, 4, 9999);
  pair.hold(folios[10] ?? 0, 16);
  pair.alloc(0, 4);
  pair.alloc(0, 4);
};

/** Most slots are free. */
export const cachedInEmpty: Run = (pair) => {
  const folios = pair.allocMany(0, 4, 100);
  pair.hold(folios[10] ?? 0, 16);
  pair.allocMany(0, 4, 50);
};

export const SERIES: readonly PolicySwitch[] = [
  {
    policy: 'nonfullLists', kernel: 'linux-6.10', to: true,
    first: 'patch 2: a cluster with a freed slot is on nonfull[4], from where a folio takes it that found nothing before',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [zram(0, { slots: 4096 })], (pair) => {
        const folios = pair.allocMany(0, 4, 9999);
        for (const folio of folios.slice(0, 3)) pair.freeFolio(folio, 16);
        pair.alloc(0, 4);
      });
      // From its first slot on a cluster remembers its order, by which it is listed later.
      expect([decision.a, decision.b]).toEqual([0, 4].map((to) => expect.objectContaining({ did: 'took', cluster: 1, order: 4, to }) as unknown));
      expect([did(answer.a), took(answer.b), answer.entryA]).toEqual(['nothing', { from: NONFULL + 4, to: LIST.none }, NO_ENTRY]);
    },
    spares: (sides) => {
      // Nothing is freed and no large folio asked for: no cluster comes on nonfull, none has an order.
      same(sides, [zram(0)], (pair) => pair.allocMany(0, 0, 15_000));
    },
  },
  {
    policy: 'allocator', kernel: 'linux-6.10', set: PATCH_2, to: 'cluster-lists',
    first: 'patch 3: a cluster stands on nonfull from its first slot on',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [zram(0, { slots: 8192 })], churn);
      expect([took(decision.a), took(decision.b)]).toEqual([{ from: FREE, to: LIST.none }, { from: FREE, to: LIST.nonfull }]);
      expect([took(answer.a)?.from, took(answer.b)?.from]).toEqual([NONFULL + 4, NONFULL + 4]);
    },
    spares: (sides) => {
      sameSlots(sides, [zram(0)], (pair) => pair.allocMany(0, 0, 15_000));
    },
  },
  {
    policy: 'freeing', kernel: 'linux-6.10', set: PATCH_3, to: 'folios-direct',
    first: 'patch 5: a large folio that leaves the swap cache is free at once',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [zram(0, { slots: 8192 })], (pair) => {
        churn(pair, { folios: true });
      });
      expect([decision.a, did(decision.b)]).toEqual([expect.objectContaining({ did: 'waits', slots: 16 }), 'stays']);
      expect(answer.step).toBeGreaterThan(decision.step);
    },
    spares: (sides) => {
      // Runs that a process drops, and single slots, go through the cache under both.
      same(sides, [zram(0, { slots: 8192 })], churn);
    },
  },
  {
    policy: 'fragLists', kernel: 'linux-6.10', set: PATCH_5, to: true,
    first: 'patch 7: a nonfull cluster goes to frag as it is scanned, so that the next scan begins with another',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [zram(0, { slots: 8192 })], churn);
      const moves = [{ from: NONFULL + 4, to: LIST.nonfull }, { from: NONFULL + 4, to: LIST.frag }];
      expect([took(decision.a), took(decision.b)]).toEqual(moves);
      expect([took(answer.a), took(answer.b)]).toEqual(moves);
      expect(decision.a).toMatchObject({ cluster: offsetOf(answer.entryA) >>> 9 });
      expect(offsetOf(answer.entryB) >>> 9).not.toBe(offsetOf(answer.entryA) >>> 9);
    },
    spares: (sides) => {
      // There is always a free cluster.
      same(sides, [zram(0, { slots: 65536 })], (pair) => {
        churn(pair, { steps: 2000 });
      });
    },
  },
  {
    policy: 'scanReclaim', kernel: 'linux-6.10', set: PATCH_7, to: true,
    first: 'patch 8: slots in the way that only the swap cache holds are dropped for a folio',
    shows: droppedInScan,
    spares: (sides) => {
      same(sides, [zram(0)], cachedInEmpty);
      // Nothing is held by the swap cache alone.
      same(sides, [zram(0, { slots: 2048 })], holes);
    },
  },
  {
    policy: 'fullClusterReclaim', kernel: 'linux-6.10', set: PATCH_8, to: true,
    first: 'patch 9: a full cluster is looked through for slots that only the swap cache holds',
    shows: droppedInFull,
    spares: (sides) => {
      same(sides, [zram(0)], cachedInEmpty);
      same(sides, [zram(0, { slots: 2048 })], holes);
    },
  },
];

export function droppedInScan(sides: Sides): void {
  const { decision, answer } = parting(sides, [zram(0, { slots: 2048 })], cachedInHoles);
  expect([did(decision.a), decision.b]).toEqual(['no run', expect.objectContaining({ did: 'dropped cached', slots: 16 })]);
  expect([answer.step, answer.entryA]).toEqual([decision.step, NO_ENTRY]);
}

function droppedInFull(sides: Sides): void {
  const { decision, answer } = parting(sides, [zram(0, { slots: 2048 })], cachedInFull);
  expect([did(decision.a), decision.b]).toEqual(['list empty', expect.objectContaining({ did: 'reclaimed full', slots: 16 })]);
  expect([answer.step, answer.entryA]).toEqual([decision.step, NO_ENTRY]);
}
