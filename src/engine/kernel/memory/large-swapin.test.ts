import { describe, expect, it } from 'vitest';
import type { MachineSpec } from '../../experiment/spec';
import { offsetOf } from '../swap/types';
import type { Memory } from './memory';
import type { Process } from './process';
import { SLOT } from './slots';
import { machineOf, POLICIES_6_18, touchAll } from './testing/guest';
import type { MemoryPolicies, SpawnArgs } from './types';

const MACHINE: MachineSpec = {
  ram_pages: 16384, cpus: 2, nodes: 1,
  swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 8192 }, { kind: 'partition', name: '/dev/vdc', size_pages: 8192 }],
};

interface Options {
  readonly policies?: Partial<MemoryPolicies>;
  readonly kernel?: string;
  readonly device?: string;
  readonly orders?: readonly number[];
  readonly spawn?: Partial<SpawnArgs>;
}

/** A process of 256 pages, written and paged out. */
function pagedOut(options: Options = {}): { memory: Memory; process: Process } {
  const { policies, kernel = 'linux-6.18', device = '/dev/zram0', orders = [4], spawn } = options;
  const memory = machineOf(MACHINE, { ...POLICIES_6_18, ...policies }, kernel, '6.18.15');
  memory.createMemcg('/app');
  memory.swapon(device);
  for (const order of orders) memory.setThpMode(order, 'always');
  const process = memory.spawn({ name: 'p', sizePages: 256, fill: 'pattern', memcg: memory.memcg('/app'), cpu: 0, ...spawn });
  touchAll(memory, process);
  memory.pageout(process, 0, 256);
  // Folios written to a disk leave the swap cache when the next reclaim finds them.
  while (memory.mm.waitForWriteback());
  if (memory.mm.swapCachePages > 0) memory.reclaim(memory.memcg('/app'), memory.mm.swapCachePages);
  return { memory, process };
}

const swpin = (memory: Memory, order = 4): number[] =>
  [memory.thpStat(order, 'swpin'), memory.thpStat(order, 'swpin_fallback'), memory.thpStat(order, 'swpin_fallback_charge')];

describe('swap-in of a large folio', () => {
  it('brings the folio around the fault, and frees its slots', () => {
    const { memory, process } = pagedOut();
    expect(process.swapEntries).toBe(256);
    memory.touch(process, 37, false);
    expect(swpin(memory)).toEqual([1, 0, 0]);
    expect(process.swapEntries).toBe(240);
    expect(memory.swap.view(0).inUse).toBe(240);
    expect(memory.memcgStat(memory.memcg('/app'), 'pswpin')).toBe(16);
    expect(memory.thpStat(4, 'nr_anon')).toBe(1);
    // One request of 16 pages.
    expect(memory.zrams[0]?.counters).toMatchObject({ readIos: 1, readSectors: 128, writeIos: 16, writeSectors: 2048 });
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('takes the largest size that fits, down to a page where one page is missing', () => {
    const { memory, process } = pagedOut({ orders: [4] });
    memory.setThpMode(6, 'always');
    memory.setThpMode(2, 'always');
    memory.touch(process, 0, false);
    expect(swpin(memory, 6)).toEqual([1, 0, 0]);
    memory.drop(process, 100, 101);
    memory.touch(process, 98, false);
    expect(swpin(memory, 4)).toEqual([0, 0, 0]);
    // 100 is gone, so 96 to 99 is the largest; 101 to 103 come one by one.
    expect(swpin(memory, 2)).toEqual([1, 0, 0]);
    memory.touch(process, 101, false);
    expect(swpin(memory, 2)).toEqual([1, 0, 0]);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it.each<[string, Options]>([
    ['before 6.12', { policies: { largeSwapin: 'page-by-page' } }],
    ['from a disk', { device: '/dev/vdc' }],
    ['with no size enabled', { orders: [] }],
    ['where small folios are asked for', { spawn: { smallFoliosFrom: 0 } }],
  ])('comes page by page %s', (_name, options) => {
    const { memory, process } = pagedOut(options);
    const before = process.swapEntries;
    memory.touch(process, 37, true);
    expect(process.swapEntries).toBe(before - 1);
    expect(swpin(memory)).toEqual([0, 0, 0]);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('comes page by page once zswap has been on, even if it is off again', () => {
    const { memory, process } = pagedOut();
    memory.setZswapEnabled(true);
    memory.setZswapEnabled(false);
    memory.touch(process, 37, true);
    expect(process.swapEntries).toBe(255);
  });

  it.each<[string, (memory: Memory, offset: number) => void]>([
    ['in the swap cache', (memory, offset) => memory.mm.slots[0]?.setCached(offset, true)],
    ['zero-filled, the others not', (memory, offset) => memory.mm.slots[0]?.store(offset, SLOT.zero, 0, 0)],
  ])('comes page by page where a page of the run is %s', (_name, mark) => {
    const { memory, process } = pagedOut();
    mark(memory, offsetOf(process.pte[35]));
    memory.touch(process, 37, false);
    expect(process.swapEntries).toBe(255);
    memory.touch(process, 53, false);
    expect(process.swapEntries).toBe(239);
  });

  it('reads a zero-filled folio without the device', () => {
    const { memory, process } = pagedOut({ spawn: { fill: 'zero' } });
    memory.touch(process, 0, false);
    expect(process.swapEntries).toBe(240);
    expect(memory.memcgStat(memory.memcg('/app'), 'swpin_zero')).toBe(16);
    // mTHP swpin counts what a device read.
    expect(swpin(memory)).toEqual([0, 0, 0]);
    expect(memory.zrams[0]?.numReads).toBe(0);
  });

  it('falls back to a page when the cgroup has no room for the folio', () => {
    const { memory, process } = pagedOut();
    const app = memory.memcg('/app');
    memory.setMemoryMax(app, app.currentPages + 8);
    memory.mm.drainStocks(memory.mm.root);
    memory.setMemoryMax(app, app.currentPages + 8);
    memory.touch(process, 37, false);
    expect(swpin(memory)).toEqual([0, 1, 1]);
    expect(process.swapEntries).toBe(255);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('frees slot by slot through the slot cache where there is one', () => {
    // The small folios of the end switch the slot cache on; it has taken 64 slots and handed out 16.
    const { memory, process } = pagedOut({ kernel: 'linux-6.12', spawn: { smallFoliosFrom: 240 } });
    expect(memory.swap.cachedSlots).toBe(48);
    memory.touch(process, 37, false);
    expect(process.swapEntries).toBe(240);
    expect(memory.swap.cachedSlots).toBe(64);
    // What a process drops in a row goes back at once.
    memory.drop(process, 64, 80);
    expect(memory.swap.cachedSlots).toBe(64);
    expect(memory.checkInvariants()).toEqual([]);
  });
});

describe('slot caches', () => {
  it('collect what a CPU frees in its own cache', () => {
    const { memory, process } = pagedOut({ kernel: 'linux-6.12', spawn: { cpu: 1 }, orders: [] });
    const freed: [number, number][] = [];
    const free = memory.swap.freeFolio.bind(memory.swap);
    memory.swap.freeFolio = (entry, count, cpu = 0) => {
      freed.push([count, cpu]);
      free(entry, count, cpu);
    };
    memory.touch(process, 3, true);
    expect(freed).toEqual([[1, 1]]);
  });
});

describe('MADV_PAGEOUT', () => {
  it('splits a folio that sticks out of the range, and takes the pages inside', () => {
    const memory = machineOf(MACHINE, POLICIES_6_18, 'linux-6.18', '6.18.15');
    memory.swapon('/dev/zram0');
    memory.setThpMode(4, 'always');
    const process = memory.spawn({ name: 'p', sizePages: 64, fill: 'pattern', memcg: memory.root, cpu: 0 });
    touchAll(memory, process);
    expect(memory.pageout(process, 8, 40)).toBe(32);
    expect(process.swapEntries).toBe(32);
    expect(memory.thpStat(4, 'split')).toBe(2);
    expect(memory.thpStat(4, 'swpout')).toBe(1);
    expect(memory.thpStat(4, 'swpout_fallback')).toBe(0);
    expect(Array.from(process.pte.subarray(0, 64), (value) => value < 0xf8000000)).toEqual(
      Array.from({ length: 64 }, (_, page) => page >= 8 && page < 40),
    );
    expect(memory.checkInvariants()).toEqual([]);
  });
});
