/** swapon, swapoff, priorities and the order of devices. What a real kernel printed stands beside each case. */
import { describe, expect, it } from 'vitest';
import { policiesOf, UnknownPolicyError } from './registry';
import { SwapSystem } from './swap-system';
import { device, fill, freeAll, swapSystem } from './testing/swap-fixtures';
import { LIST, NO_ENTRY, offsetOf, typeOf } from './types';

const zram = (n: number, more = {}): ReturnType<typeof device> => device(1024, { name: `/dev/zram${n}`, ...more });
const off = (swap: SwapSystem, type: number): void => {
  swap.beginSwapoff(type);
  swap.finishSwapoff(type);
};
const table = (swap: SwapSystem): [string, number][] => swap.devices().map(({ name, priority }) => [name, priority]);

describe('priorities', () => {
  it('6.18: -2, -3, … in order of swapon; those behind move up when one goes (captured on 6.18.44 with four zram devices)', () => {
    const { swap } = swapSystem();
    for (let n = 0; n < 4; n++) swap.swapon(zram(n));
    expect(table(swap)).toEqual([['/dev/zram0', -2], ['/dev/zram1', -3], ['/dev/zram2', -4], ['/dev/zram3', -5]]);
    off(swap, 1);
    expect(table(swap)).toEqual([['/dev/zram0', -2], ['/dev/zram2', -3], ['/dev/zram3', -4]]);
    expect(swap.swapon(zram(1))).toBe(1);
    expect(table(swap)).toEqual([['/dev/zram0', -2], ['/dev/zram1', -5], ['/dev/zram2', -3], ['/dev/zram3', -4]]);
    off(swap, 0);
    swap.swapon(zram(0, { priority: 5 }));
    off(swap, 3);
    expect(table(swap)).toEqual([['/dev/zram0', 5], ['/dev/zram1', -3], ['/dev/zram2', -2]]);
    swap.swapon(zram(3));
    expect(table(swap)).toEqual([['/dev/zram0', 5], ['/dev/zram1', -3], ['/dev/zram2', -2], ['/dev/zram3', -4]]);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('given: 0 to 32767; 32768 is cut by the mask (captured on 6.12, 6.18, 7.3)', () => {
    for (const [asked, shown] of [[0, 0], [1, 1], [32767, 32767], [32768, 0]]) {
      const { swap } = swapSystem();
      swap.swapon(zram(0, { priority: asked }));
      expect(table(swap)).toEqual([['/dev/zram0', shown]]);
    }
  });

  it('-1 for all from 7.2 on', () => {
    const { swap } = swapSystem('xswap');
    for (let n = 0; n < 3; n++) swap.swapon(zram(n));
    expect(swap.devices().map(({ priority }) => priority)).toEqual([-1, -1, -1]);
  });
});

describe('order of devices', () => {
  it('highest priority first, equals in turn, the next only when the first are full', () => {
    const { swap } = swapSystem();
    for (const priority of [5, 10, 5]) swap.swapon(device(513, { priority }));
    expect(swap.availableOrder(0)).toEqual([1, 0, 2]);
    expect(fill(swap, 1).map(({ entry }) => typeOf(entry))).toEqual([1]);
    fill(swap, 511);
    expect(swap.availableOrder(0)).toEqual([0, 2]);
    const first = fill(swap, 1)[0];
    expect(typeOf(first.entry)).toBe(0);
    expect(swap.availableOrder(0)).toEqual([2, 0]);
    expect(swap.freePages).toBe(2 * 512 - 1);
  });

  it('a full device that gets a slot back goes behind its equals', () => {
    const { swap } = swapSystem();
    for (let n = 0; n < 3; n++) swap.swapon(device(512, { priority: 5 }));
    const taken = fill(swap, 511);
    expect(swap.availableOrder(0)).toEqual([1, 2]);
    swap.free(taken[0].entry, 1);
    expect(swap.availableOrder(0)).toEqual([1, 2, 0]);
  });

  it('a failed large folio moves the first device behind its equals and tries no other', () => {
    const { swap } = swapSystem();
    for (let n = 0; n < 2; n++) swap.swapon(device(512, { priority: 5 }));
    expect(swap.alloc(0, 9)).toBe(0);
    expect(swap.availableOrder(0)).toEqual([1, 0]);
  });

  it('6.18: a device with a default priority comes first of its kind on its own node', () => {
    const { swap } = swapSystem('linux-6.18', 4, 2);
    for (const node of [0, 1, 0]) swap.swapon(zram(0, { node }));
    swap.swapon(zram(3, { node: 1, priority: 0 }));
    expect(swap.availableOrder(0)).toEqual([3, 0, 2, 1]);
    expect(swap.availableOrder(1)).toEqual([3, 0, 2, 1]);
    expect(swap.availableOrder(2)).toEqual([3, 1, 0, 2]);
  });
});

describe('devices', () => {
  it('a swap file takes no large folio', () => {
    const { swap } = swapSystem();
    swap.swapon(device(4096, { kind: 'file', name: '/swapfile' }));
    expect(swap.alloc(0, 4)).toBe(0);
    expect(swap.alloc(0, 0)).not.toBe(0);
  });

  it('a rotational device is filled from one place by all CPUs', () => {
    const { swap } = swapSystem('linux-6.18', 2);
    swap.swapon(device(8192, { kind: 'partition', rotational: true }));
    const slots = [0, 1, 0, 1, 1].map((cpu) => offsetOf(swap.alloc(cpu, 0)));
    expect(slots).toEqual([1, 2, 3, 4, 5]);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('CPUs use clusters of their own on other devices', () => {
    const { swap } = swapSystem('linux-6.18', 2);
    swap.swapon(device(8192));
    fill(swap, 511);
    const slots = [0, 1, 0, 1].map((cpu) => offsetOf(swap.alloc(cpu, 2)));
    expect(new Set(slots.map((slot) => slot >> 9)).size).toBe(2);
  });

  it('with page discard, freed clusters wait; a small folio that finds nothing has them discarded, a large one is split (6.18.44, X lines)', () => {
    const { swap, work } = swapSystem();
    const type = swap.swapon(device(4 * 512, { kind: 'partition', pageDiscard: true }));
    const huge = [swap.alloc(0, 9), swap.alloc(0, 9)];
    expect(huge.map(offsetOf)).toEqual([512, 1024]);
    swap.free(huge[0], 512);
    expect(work).toEqual([{ kind: 'discard', type }]);
    expect(swap.clusters(type, 1, 2)[0].list).toBe(LIST.discard);
    expect(offsetOf(swap.alloc(0, 9))).toBe(1536);
    expect(swap.alloc(0, 9)).toBe(NO_ENTRY);
    fill(swap, 511);
    expect(swap.clusters(type, 1, 2)[0].list).toBe(LIST.discard);
    expect(offsetOf(swap.alloc(0, 0))).toBe(512);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('the waiting discards of a device of lower priority serve a small folio as well, once all devices have failed', () => {
    const { swap } = swapSystem();
    swap.swapon(device(512, { priority: 5 }));
    const low = swap.swapon(device(1024, { kind: 'partition', pageDiscard: true, priority: 1 }));
    const small = fill(swap, 511);
    const huge = swap.alloc(0, 9);
    expect(typeOf(huge)).toBe(low);
    fill(swap, 511);
    swap.free(huge, 512);
    swap.free(small[7].entry, 1);
    expect(swap.alloc(0, 0)).toBe(small[7].entry);
    expect(swap.alloc(0, 0)).toBe(huge);
  });

  it('bad slots are never given out and count against the size', () => {
    const { swap } = swapSystem();
    const type = swap.swapon(device(520, { badSlots: [3, 515] }));
    expect(swap.view(type).pages).toBe(517);
    const slots = fill(swap, 517).map(({ entry }) => offsetOf(entry));
    expect(slots).not.toContain(3);
    expect(slots).not.toContain(515);
    expect(swap.alloc(0, 0)).toBe(0);
  });

  it('a device without a usable page, or with more than 512 GiB, is refused', () => {
    const { swap } = swapSystem();
    for (const slots of [0, 1, 2 ** 27 + 1, 2.5]) expect(() => swap.swapon(device(slots))).toThrow('Invalid argument');
    expect(() => swap.swapon(device(2, { badSlots: [1] }))).toThrow('Invalid argument');
    expect(swap.devices()).toEqual([]);
  });

  it('24 at most, then EPERM (a 6.18.44 without device-private pages and hardware poison: 28)', () => {
    const { swap } = swapSystem();
    for (let n = 0; n < 24; n++) swap.swapon(zram(n));
    expect(() => swap.swapon(zram(24))).toThrow('Operation not permitted');
    expect(swap.devices()).toHaveLength(24);
  });
});

describe('swapoff', () => {
  it('counts what is still in use in SwapTotal and SwapFree, and takes nothing more', () => {
    const { swap } = swapSystem();
    const type = swap.swapon(device(1024));
    const taken = fill(swap, 100);
    swap.beginSwapoff(type);
    expect([swap.totalPages, swap.freePages, swap.nrSwapPages]).toEqual([100, 0, 0]);
    expect(swap.alloc(0, 0)).toBe(0);
    expect(() => swap.finishSwapoff(type)).toThrow('Device or resource busy');
    freeAll(swap, taken.slice(0, 40));
    expect([swap.totalPages, swap.freePages]).toEqual([60, 0]);
    expect(swap.checkInvariants()).toEqual([]);
    freeAll(swap, taken.slice(40));
    swap.finishSwapoff(type);
    expect([swap.totalPages, swap.freePages]).toEqual([0, 0]);
  });

  it('cancelled, the device goes on', () => {
    const { swap } = swapSystem();
    const type = swap.swapon(device(1024));
    fill(swap, 100);
    swap.beginSwapoff(type);
    swap.cancelSwapoff(type);
    expect([swap.totalPages, swap.freePages]).toEqual([1023, 923]);
    expect(swap.alloc(0, 0)).not.toBe(0);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('of no device, twice, or finished without having begun: EINVAL', () => {
    const { swap } = swapSystem();
    expect(() => swap.beginSwapoff(0)).toThrow('Invalid argument');
    swap.swapon(device(1024));
    expect(() => swap.finishSwapoff(0)).toThrow('Invalid argument');
    swap.beginSwapoff(0);
    expect(() => swap.beginSwapoff(0)).toThrow('Invalid argument');
  });

  it('makes CPUs forget the device: the same type switched on again starts anew', () => {
    const { swap } = swapSystem();
    swap.swapon(device(4096));
    freeAll(swap, fill(swap, 20));
    off(swap, 0);
    swap.swapon(device(2));
    expect(offsetOf(swap.alloc(0, 0))).toBe(1);
    expect(swap.alloc(0, 0)).toBe(0);
  });
});

describe('cached slots', () => {
  it('count as free, and are reclaimed first, only when swap is more than half full', () => {
    const cached = new Set<number>();
    const swap: SwapSystem = new SwapSystem(policiesOf('linux-6.18'), 1, 1, {
      isCacheOnly: (_, offset) => cached.has(offset),
      reclaimCacheOnly: (_, offset) => {
        cached.delete(offset);
        swap.free(offset, 1);
        return true;
      },
    });
    swap.swapon(device(2 * 512));
    for (let slot = 1; slot <= 510; slot++) swap.alloc(0, 0);
    cached.add(100);
    expect(offsetOf(swap.alloc(0, 0))).toBe(511);
    expect(offsetOf(swap.alloc(0, 0))).toBe(512);
    expect([...cached]).toEqual([100]);
    for (let slot = 513; slot < 1024; slot++) swap.alloc(0, 0);
    expect(swap.freePages).toBe(0);
    expect(swap.pendingWork()).toEqual([{ kind: 'reclaim', type: 0 }]);
    swap.runWork('reclaim', 0);
    expect(cached.size).toBe(0);
    expect(swap.freePages).toBe(1);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('of one full cluster are reclaimed by a request that finds neither a nonfull nor a free cluster', () => {
    const cached = new Set<number>();
    const swap: SwapSystem = new SwapSystem(policiesOf('linux-6.18'), 2, 1, {
      isCacheOnly: (_, offset) => cached.has(offset),
      reclaimCacheOnly: (_, offset) => {
        cached.delete(offset);
        swap.free(offset, 1);
        return true;
      },
    });
    swap.swapon(device(3 * 512));
    for (let slot = 1; slot < 1535; slot++) swap.alloc(0, 0);
    for (const slot of [100, 101, 700]) cached.add(slot);
    expect(offsetOf(swap.alloc(1, 0))).toBe(1535);
    expect([...cached]).toEqual([700]);
    expect(swap.freePages).toBe(2);
    expect(offsetOf(swap.alloc(1, 0))).toBe(100);
    expect(swap.checkInvariants()).toEqual([]);
  });
});

describe('registry', () => {
  it('names what it knows when asked for something else', () => {
    expect(() => policiesOf('linux-9.9')).toThrow("unknown kernel 'linux-9.9': expected one of linux-6.1, ");
    expect(() => policiesOf({ base: 'linux-6.18', set: { colour: 'red' } })).toThrow(UnknownPolicyError);
    expect(() => policiesOf({ base: 'linux-6.18', set: { selection: 'toString' } })).toThrow('expected node-lists or ');
    expect(policiesOf({ base: 'linux-6.18', set: { defaultPriority: 'equal' } })).toMatchObject({ id: 'linux-6.18', defaultPriority: 'equal' });
  });
});
