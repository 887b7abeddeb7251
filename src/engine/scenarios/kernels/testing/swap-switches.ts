/** A switch a policy of the swap layer, each with a run that shows it and one that it cannot touch. */
import { expect } from 'vitest';
import type { KernelError } from '../../../errno';
import type { KernelSpec } from '../../../experiment/spec';
import { policiesOf } from '../../../kernel/swap/registry';
import { SwapSystem } from '../../../kernel/swap/swap-system';
import { NO_ENTRY, typeOf, type SwaponArgs } from '../../../kernel/swap/types';
import { churn, zram, type Lockstep } from './lockstep';
import { FREE, NONFULL, OWN, did, dids, disk, parting, run, same, sameSlots, took, two, unnamed, type Run } from './parting';
import type { PolicySwitch, Sides } from './policy-switch';
import { SERIES, cachedInEmpty, cachedInFull, droppedInScan } from './series-switches';

/** The same switches turned off on a later kernel. */
const turnedOff = (sides: Sides): Sides => ({ a: sides.b, b: sides.a });

const SLOTS: readonly PolicySwitch[] = [
  {
    policy: 'allocator', kernel: 'linux-6.12', to: 'percpu-cluster',
    first: 'the CPU\'s pointer comes before any device, so that requests stay on a device',
    shows: (sides) => {
      const { decision, answer } = parting(sides, two, (pair) => {
        churn(pair, { orders: [4] });
      });
      expect(dids(decision)).toEqual(['requeued', 'no pointer']);
      expect([did(answer.a), took(answer.b)?.from]).toEqual(['requeued', OWN]);
      expect([typeOf(answer.entryA), typeOf(answer.entryB)]).toEqual([0, 1]);
    },
    spares: (sides) => {
      sameSlots(sides, [zram(0)], (pair) => pair.allocMany(0, 4, 900));
    },
  },
  {
    policy: 'allocator', kernel: 'linux-7.3', to: 'device-percpu-cluster',
    first: 'every request selects a device before it follows a pointer',
    shows: (sides) => {
      const { decision, answer } = parting(sides, two, (pair) => {
        churn(pair, { orders: [0] });
      });
      expect(dids(decision)).toEqual(['no pointer', 'requeued']);
      expect([took(answer.a)?.from, did(answer.b)]).toEqual([OWN, 'requeued']);
      expect(typeOf(answer.entryA)).not.toBe(typeOf(answer.entryB));
    },
    spares: (sides) => {
      sameSlots(sides, [zram(0, { slots: 8192 })], churn);
    },
  },
  {
    policy: 'clusterPreference', kernel: 'linux-6.18', to: 'free-first',
    first: 'a free cluster in place of a partly used one',
    shows: (sides) => {
      freeInPlaceOfUsed(sides, zram(0));
    },
    spares: (sides) => {
      // With page discard free clusters come first whatever is set.
      same(sides, [disk(0, { pageDiscard: true, slots: 8192 })], churn);
    },
  },
  {
    policy: 'clusterPreference', kernel: 'linux-7.3', to: 'free-first-nonsync',
    first: 'so on a disk, and not on zram',
    shows: (sides) => {
      freeInPlaceOfUsed(sides, disk(0));
    },
    spares: (sides) => {
      same(sides, [zram(0, { slots: 8192 })], churn);
    },
  },
  {
    policy: 'clusterOrder', kernel: 'linux-6.18', to: 'columns-32',
    first: 'the second free cluster is the 32nd',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [zram(0, { slots: 65536 })], churn);
      expect([decision.a, decision.b]).toEqual([1, 32].map((cluster) => expect.objectContaining({ did: 'took', from: 0, cluster }) as unknown));
      expect(answer.step).toBe(decision.step);
    },
    spares: (sides) => {
      // Not more clusters than columns.
      same(sides, [zram(0, { slots: 32 * 512 })], churn);
    },
  },
  {
    policy: 'largeFolios', kernel: 'linux-6.18', to: 'pmd',
    first: 'order 4 is refused',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [zram(0)], (pair) => {
        churn(pair, { orders: [0, 9, 9, 4] });
      });
      expect([decision.b, answer.order, answer.entryB]).toEqual([{ did: 'order refused', order: 4 }, 4, NO_ENTRY]);
      expect(answer.step).toBe(decision.step);
    },
    spares: (sides) => {
      same(sides, [zram(0)], (pair) => {
        churn(pair, { orders: [0, 0, 9] });
      });
    },
  },
  {
    policy: 'largeRetry', kernel: 'linux-6.18', to: 'all-peers',
    first: 'a folio that found nothing on the first device asks its peer',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [zram(0, { kind: 'file' }), zram(1)], churn);
      expect([decision.a, did(decision.b)]).toEqual([expect.objectContaining({ did: 'nothing', why: 'first device' }), 'requeued']);
      expect([answer.order, answer.entryA, typeOf(answer.entryB)]).toEqual([4, NO_ENTRY, 1]);
    },
    spares: (sides) => {
      same(sides, [zram(0, { slots: 8192 })], churn);
      // A device of a lower priority is no peer: the folio is split, for another reason.
      sameSlots(sides, [zram(0, { slots: 2048 }), zram(1, { priority: 3 })], (pair) => {
        pair.allocMany(0, 0, 1600);
        for (let i = 0; i < 20; i++) pair.alloc(0, 9);
      });
    },
  },
  {
    policy: 'slotCache', kernel: 'linux-6.12', to: 'none',
    first: 'without a cache every request asks the devices, and turns them',
    shows: (sides) => {
      const { decision, answer } = parting(sides, two, (pair) => {
        churn(pair, { orders: [0] });
      });
      expect(dids(decision)).toEqual(['cache switched', 'requeued']);
      expect([did(answer.a), did(answer.b)]).toEqual(['cached', 'requeued']);
      expect(typeOf(answer.entryA)).not.toBe(typeOf(answer.entryB));
    },
    spares: (sides) => {
      same(sides, two, (pair) => {
        churn(pair, { orders: [4, 9], folios: true, level: 30 });
      });
    },
  },
  {
    policy: 'freeOrder', kernel: 'linux-6.12', to: 'heap-sort',
    first: 'a batch of freed slots of two types goes back in another order',
    shows: (sides) => {
      const { decision, answer } = parting(sides, two.map((args) => ({ ...args, slots: 4096 })), (pair) => {
        churn(pair, { orders: [0], steps: 20_000, level: 6000 });
      });
      expect([decision.a, decision.b]).toEqual([1, 2].map(() => expect.objectContaining({ did: 'given back', count: 64, sorted: true }) as unknown));
      expect(answer.step).toBeGreaterThan(decision.step);
    },
    spares: (sides) => {
      // One type since the start: nothing is sorted.
      same(sides, [zram(0, { slots: 8192 })], (pair) => {
        churn(pair, { orders: [0], steps: 20_000, level: 6000 });
      });
    },
  },
  {
    policy: 'freeing', kernel: 'linux-6.12', set: { freeing: 'folios-direct' }, to: 'runs-direct',
    first: 'slots that a process drops together are free at once',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [zram(0, { slots: 8192 })], churn);
      expect([decision.a, did(decision.b)]).toEqual([expect.objectContaining({ did: 'waits', slots: 16 }), 'stays']);
      expect(answer.step).toBeGreaterThan(decision.step);
    },
    spares: (sides) => {
      same(sides, [zram(0, { slots: 8192 })], (pair) => {
        churn(pair, { folios: true });
      });
    },
  },
  {
    policy: 'freeing', kernel: 'linux-6.18', to: 'singles',
    first: 'nothing, because there is no cache to pass; with one, direct is as folios-direct',
    shows: (sides) => {
      same(sides, [zram(0, { slots: 8192 })], churn);
      const cached = { base: 'linux-6.12', set: { freeing: 'folios-direct' } };
      same({ a: cached, b: { ...cached, set: { freeing: 'direct' } } }, [zram(0, { slots: 8192 })], churn);
    },
    spares: (sides) => {
      same(sides, two, (pair) => {
        churn(pair, { folios: true });
      });
    },
  },
  {
    policy: 'rotational', kernel: 'linux-6.12', to: 'clusters',
    first: 'a rotational device has clusters, and takes large folios',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [disk(0, { rotational: true })], churn);
      expect([decision.a, decision.b]).toEqual([
        { did: 'no large folios', type: 0, why: 'no clusters' }, { did: 'no pointer', cpu: -1, order: 4, type: 0 },
      ]);
      expect([answer.order, answer.entryA]).toEqual([4, NO_ENTRY]);
    },
    spares: (sides) => {
      same(sides, [disk(0)], churn);
      // Kernels without next fit have clusters whatever is set.
      same({ a: 'linux-6.18', b: { base: 'linux-6.18', set: { rotational: 'next-fit' } } }, [disk(0, { rotational: true })], churn);
    },
  },
  {
    policy: 'scanReclaim', kernel: 'linux-6.18', set: { fullClusterReclaim: false }, to: false,
    first: 'without it, slots that only the swap cache holds stay in the way of a folio',
    shows: (sides) => {
      droppedInScan(turnedOff(sides));
    },
    spares: (sides) => {
      same(sides, [zram(0)], cachedInEmpty);
    },
  },
  {
    policy: 'fullClusterReclaim', kernel: 'linux-6.18', to: false,
    first: 'without it, a full cluster is left alone',
    shows: (sides) => {
      const { decision, answer } = parting(turnedOff(sides), [zram(0, { slots: 2048 })], cachedInFull);
      expect([did(decision.a), decision.b]).toEqual(['list empty', expect.objectContaining({ did: 'reclaimed full', slots: 16 })]);
      // Only frag is looked at after that: the next request finds the cluster.
      expect([answer.step, answer.entryA]).toEqual([decision.step + 1, NO_ENTRY]);
      expect(answer.entryB).toBeGreaterThan(NO_ENTRY);
    },
    spares: (sides) => {
      same(sides, [zram(0)], cachedInEmpty);
    },
  },
  {
    policy: 'allocationDiscard', kernel: 'linux-7.3', to: 'one',
    first: 'one waiting cluster is discarded in place of all',
    shows: (sides) => {
      const { decision } = run(sides, [disk(0, { pageDiscard: true, slots: 4096 })], (pair) => {
        waiting(pair, 5);
      });
      expect([decision?.a, decision?.b]).toEqual([
        { did: 'discarded', type: 0, clusters: 5, left: false }, { did: 'discarded', type: 0, clusters: 1, left: true },
      ]);
    },
    spares: (sides) => {
      same(sides, [disk(0, { pageDiscard: true, slots: 4096 })], (pair) => {
        waiting(pair, 1);
      });
    },
  },
];

function freeInPlaceOfUsed(sides: Sides, device: SwaponArgs): void {
  const { decision, answer } = parting(sides, [device], churn);
  expect([did(decision.a), took(decision.b)?.from]).toEqual(['list empty', FREE]);
  expect([took(answer.a)?.from, took(answer.b)?.from]).toEqual([NONFULL, FREE]);
}

/** So many of seven whole clusters wait to be discarded, and nothing else is free for a small page. */
function waiting(pair: Lockstep, clusters: number): void {
  const folios = pair.allocMany(0, 9, 7);
  pair.allocMany(0, 0, 511);
  for (const entry of folios.slice(0, clusters)) pair.free(entry, 512);
  expect(pair.alloc(0, 0)).toBe(folios[0]);
}

const DEVICES: readonly PolicySwitch[] = [
  {
    policy: 'selection', kernel: 'linux-6.18', to: 'one-list',
    first: 'a CPU of node 1 no longer prefers its own device',
    shows: (sides) => {
      const devices = [unnamed(0, { node: 0 }), unnamed(1, { node: 1 })];
      const { decision, answer } = parting(sides, { nodes: 2, devices }, churn);
      expect([decision.a, decision.b]).toEqual([1, 0].map((type) => expect.objectContaining({ did: 'device', type }) as unknown));
      expect([answer.cpu, typeOf(answer.entryA), typeOf(answer.entryB)]).toEqual([1, 1, 0]);
    },
    spares: (sides) => {
      // One node, and devices of none: there is one list either way.
      same(sides, [unnamed(0), unnamed(1), zram(2)], churn);
    },
  },
  {
    policy: 'selection', kernel: 'priority-queues-b', to: 'priority-queues',
    first: 'a reader stays where the list would turn',
    shows: (sides) => {
      const { decision, answer } = parting(sides, { cpus: 1, devices: two }, (pair) => pair.allocMany(0, 0, 10));
      expect(dids(decision)).toEqual(['requeued', 'reader']);
      expect([answer.step, typeOf(answer.entryA), typeOf(answer.entryB)]).toEqual([1, 1, 0]);
    },
    spares: (sides) => {
      sameSlots(sides, [zram(0, { slots: 2048 }), zram(1, { priority: 3 })], churn);
    },
  },
  {
    policy: 'queueQuota', kernel: 'priority-queues', to: 8,
    first: 'the reader goes on after 8 slots',
    shows: (sides) => {
      const { decision, answer } = parting(sides, { cpus: 1, devices: two }, (pair) => pair.allocMany(0, 0, 600));
      expect([decision.a, decision.b]).toEqual([512, 8].map((left) => ({ did: 'reader', type: 0, cpu: 0, priority: 5, left })));
      expect([answer.step, typeOf(answer.entryA), typeOf(answer.entryB)]).toEqual([8, 0, 1]);
    },
    spares: (sides) => {
      sameSlots(sides, [zram(0, { slots: 2048 }), zram(1, { priority: 3 })], churn);
    },
  },
  {
    policy: 'queueFastPath', kernel: 'priority-queues', to: true,
    first: 'a device that is alone in its priority is asked without a reader; the slots are the same',
    shows: (sides) => {
      const { decision, answer } = run(sides, [zram(0, { slots: 2048 }), zram(1, { priority: 3 })], churn);
      expect([did(decision?.a), decision?.b, answer]).toEqual(['reader', { did: 'ring of one', type: 0, priority: 5 }, undefined]);
    },
    spares: (sides) => {
      same(sides, two, churn);
    },
  },
  {
    policy: 'queueAvailability', kernel: 'priority-queues', to: true,
    first: 'a full ring is passed over without a look at its entries; the slots are the same',
    shows: (sides) => {
      const { decision, answer } = run(sides, [zram(0, { slots: 600 }), zram(1, { slots: 600 }), zram(2, { priority: 3 })], (pair) =>
        pair.allocMany(0, 0, 3000));
      expect([did(decision?.a), decision?.b, answer]).toEqual(['reader', { did: 'ring full', priority: 5 }, undefined]);
      expect(decision?.step).toBe(599 * 2);
    },
    spares: (sides) => {
      same(sides, two, churn);
    },
  },
  {
    policy: 'defaultPriority', kernel: 'linux-6.18', to: 'equal',
    first: 'devices without a priority take turns',
    shows: (sides) => {
      const { decision, answer } = parting(sides, [unnamed(0), unnamed(1)], churn);
      expect([decision.a, did(decision.b)]).toEqual([expect.objectContaining({ did: 'device', priority: -2 }), 'requeued']);
      expect([answer.step, typeOf(answer.entryA), typeOf(answer.entryB)]).toEqual([1, 0, 1]);
    },
    spares: (sides) => {
      same(sides, two, churn);
    },
  },
  {
    policy: 'defaultPriority', kernel: 'linux-6.18', to: 'one-by-one',
    first: 'the first device without a priority has -1; the order is the same',
    shows: (sides) => {
      const { decision, answer } = run(sides, [unnamed(0), unnamed(1)], churn);
      const asked = [-2, -1].map((priority) => expect.objectContaining({ did: 'device', type: 0, priority }) as unknown);
      expect([decision?.a, decision?.b]).toEqual(asked);
      expect(answer).toBeUndefined();
    },
    spares: (sides) => {
      same(sides, two, churn);
    },
  },
  {
    policy: 'maxSwapfiles', kernel: 'linux-6.18', to: 1,
    first: 'the second device is refused',
    shows: ({ a, b }) => {
      expect(refusal(() => swapOf(a).swapon(zram(1)))).toBe('');
      expect(refusal(() => swapOf(b).swapon(zram(1)))).toBe('there are 1 swap devices already');
    },
    spares: (sides) => {
      same(sides, [zram(0, { slots: 8192 })], churn);
    },
  },
  {
    policy: 'xswap', kernel: 'linux-7.3', to: true,
    first: 'an extendable device can be made',
    shows: ({ a, b }) => {
      expect(refusal(() => swapOf(a).createXswap({}, 65536))).toBe('linux-7.3 has no xswap');
      expect(swapOf(b).createXswap({}, 65536)).toBe(1);
    },
    spares: (sides) => {
      same(sides, two, churn);
    },
  },
  {
    policy: 'defects', kernel: 'linux-6.12', to: 'discard-of-full-cluster',
    first: 'a discarded cluster never arrives on the free list, and the checker says so',
    shows: (sides) => {
      const pair = run(sides, [disk(0, { pageDiscard: true })], discarded);
      expect(pair.a.checkInvariants()).toEqual([]);
      expect(pair.b.checkInvariants().join('\n')).toContain('is marked as on the free list and is on no list');
    },
    spares: (sides) => {
      same(sides, [disk(0)], churn);
    },
  },
];

const discarded: Run = (pair) => {
  const folio = pair.alloc(0, 9);
  pair.freeFolio(folio, 512);
  pair.work();
};

function swapOf(kernel: KernelSpec): SwapSystem {
  const swap = new SwapSystem(policiesOf(kernel), 1, 1, { isCacheOnly: () => false, reclaimCacheOnly: () => false });
  swap.swapon(zram(0));
  return swap;
}

/** Why the kernel refuses it; empty: it does not. */
function refusal(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    return (error as KernelError).why;
  }
}

export const SWAP_SWITCHES: readonly PolicySwitch[] = [...SERIES, ...SLOTS, ...DEVICES];
