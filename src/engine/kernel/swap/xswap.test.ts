/** Sizes, growth, shrink and the limit of xswap; the published figures are those of the v3 cover letter (pages of 4 KiB). */
import { describe, expect, it } from 'vitest';
import { fill, freeAll, only, swapSystem } from './testing/swap-fixtures';

const RAM = 2034976;
const kB = (pages: number): number => pages * 4;

function withXswap(ramPages = RAM): ReturnType<typeof swapSystem> & { type: number } {
  const fixture = swapSystem('xswap');
  return { ...fixture, type: fixture.swap.createXswap({}, ramPages) };
}

describe('published figures', () => {
  it('starts at RAM rounded up to whole clusters, with priority -1', () => {
    const { swap, type } = withXswap();
    expect(swap.xswapLimit(type)).toBe(2035199);
    expect(kB(swap.totalPages)).toBe(8140796);
    expect(swap.freePages).toBe(swap.totalPages);
    expect(only(swap)).toMatchObject({ name: 'xswap0', kind: 'xswap', priority: -1, inUse: 0, pages: 2035199, maxSlots: 4069888 });
  });

  it('raised to 3052543 pages, SwapTotal is 12210172 kB and more than RAM can be in use', () => {
    const { swap, type } = withXswap();
    expect(swap.setXswapLimit(type, 3052543)).toBe(3052543);
    expect(kB(swap.totalPages)).toBe(12210172);
    fill(swap, 2473705);
    expect(only(swap).inUse).toBe(2473705);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('lowered to 1000000 with 2426664 pages in use, it is clamped to 2426879 and 860 kB stay free', () => {
    const { swap, type } = withXswap();
    swap.setXswapLimit(type, 3052543);
    fill(swap, 2426664);
    expect(swap.setXswapLimit(type, 1000000)).toBe(2426879);
    expect(swap.xswapLimit(type)).toBe(2426879);
    expect(kB(swap.totalPages)).toBe(9707516);
    expect(kB(swap.freePages)).toBe(860);
    fill(swap, 215);
    expect(swap.freePages).toBe(0);
    expect(swap.alloc(0, 0)).toBe(0);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('raised to 4069887 with all freed, everything is free and the mapped tail goes with the worker', () => {
    const { swap, type, work } = withXswap();
    swap.setXswapLimit(type, 3052543);
    const taken = fill(swap, 2426664);
    swap.setXswapLimit(type, 4069887);
    freeAll(swap, taken);
    expect(kB(swap.freePages)).toBe(16279548);
    expect(work).toEqual([{ kind: 'shrink', type }]);
    expect(only(swap).clusters).toBeGreaterThan(2426664 / 512);
    swap.runWork('shrink', type);
    expect(only(swap).clusters).toBe(2 * 85);
    fill(swap, 786432);
    expect(swap.checkInvariants()).toEqual([]);
    swap.beginSwapoff(type);
    expect(swap.freePages).toBe(0);
    expect(swap.totalPages).toBe(786432);
    for (let next = swap.nextUsed(type, 1); next >= 0; next = swap.nextUsed(type, next + 1)) swap.free(next, 1);
    swap.finishSwapoff(type);
    expect(swap.devices()).toEqual([]);
    expect([swap.totalPages, swap.freePages]).toEqual([0, 0]);
  });

  it('2000 times create and destroy leave nothing over', () => {
    const { swap } = swapSystem('xswap');
    const before = swap.bytes;
    for (let i = 0; i < 2000; i++) {
      const type = swap.createXswap({}, RAM);
      expect(type).toBe(0);
      swap.beginSwapoff(type);
      swap.finishSwapoff(type);
    }
    expect(swap.bytes).toBe(before);
    expect(swap.pendingWork()).toEqual([]);
    expect(swap.checkInvariants()).toEqual([]);
  });
});

describe('sizes of other machines', () => {
  it('RAM of 8107520 pages: a whole number of clusters', () => {
    const { swap, type } = withXswap(8107520);
    expect(swap.xswapLimit(type)).toBe(8107519);
    expect(swap.setXswapLimit(type, 2 * 8107520)).toBe(2 * 8107520 - 1);
  });

  it('RAM of 512 pages: one cluster of two', () => {
    const { swap, type } = withXswap(512);
    expect(swap.xswapLimit(type)).toBe(511);
    expect(only(swap)).toMatchObject({ maxSlots: 1024, clusters: 1, ceiling: 1 });
    fill(swap, 511);
    expect(swap.alloc(0, 0)).toBe(0);
    expect(swap.setXswapLimit(type, 1023)).toBe(1023);
    fill(swap, 512);
    expect(swap.freePages).toBe(0);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('too little or too much RAM is refused', () => {
    expect(() => withXswap(255)).toThrow('Cannot allocate memory');
    expect(() => withXswap(2 ** 27)).toThrow('Invalid argument');
  });
});

describe('the limit', () => {
  it.each([
    [0, 511], [1, 511], [511, 511], [512, 1023], [1023, 1023], [1024, 1535], [2035199, 2035199], [2035200, 2035711],
    [2 * RAM, 4069887], [4069888, 4069887], [2 ** 40, 4069887], [Number.MAX_SAFE_INTEGER, 4069887],
  ])('%d pages on an empty device become %d', (asked, became) => {
    const { swap, type } = withXswap();
    expect(swap.setXswapLimit(type, asked)).toBe(became);
    expect(swap.totalPages).toBe(became);
    expect(swap.freePages).toBe(became);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('is only on xswap devices, and not while one is switched off', () => {
    const { swap, type } = withXswap();
    expect(() => swap.setXswapLimit(7, 1000)).toThrow('No such file or directory');
    const other = swap.swapon({ kind: 'zram', name: '/dev/zram0', slots: 1024, rotational: false, pageDiscard: false, node: -1 });
    expect(() => swap.xswapLimit(other)).toThrow('No such file or directory');
    swap.beginSwapoff(type);
    expect(() => swap.setXswapLimit(type, 1000)).toThrow('Device or resource busy');
  });

  it('lowered below live entries, allocation stays below it, what is above is unmapped as it becomes free', () => {
    const { swap, type } = withXswap(512 * 100);
    const taken = fill(swap, 60 * 512);
    freeAll(swap, taken.filter(({ entry }) => entry >= 512 * 10 && entry < 512 * 50));
    const used = only(swap).inUse;
    const limit = swap.setXswapLimit(type, 0);
    expect(limit).toBe(Math.ceil((used + 1) / 512) * 512 - 1);
    const ceiling = (limit + 1) / 512;
    const before = only(swap).clusters;
    expect(before).toBeGreaterThan(ceiling);
    expect(swap.checkInvariants()).toEqual([]);
    for (let free = swap.freePages; free > 0; free--) {
      const entry = swap.alloc(0, 0);
      expect(entry).toBeGreaterThan(0);
      expect(entry).toBeLessThan(ceiling * 512);
    }
    expect(swap.alloc(0, 0)).toBe(0);
    freeAll(swap, taken.filter(({ entry }) => entry >= 512 * 50));
    swap.runWork('shrink', type);
    expect(only(swap).clusters).toBeLessThanOrEqual(ceiling);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('unmaps the tail exactly and at once, not by chunk and not only when half is unused', () => {
    const { swap, type } = withXswap(512 * 400);
    const taken = fill(swap, 300 * 512 - 1);
    expect(only(swap).clusters).toBe(340);
    freeAll(swap, taken.filter(({ entry }) => entry >= 250 * 512));
    const inUse = only(swap).inUse;
    expect(inUse * 2).toBeGreaterThan(340 * 512);
    swap.setXswapLimit(type, 260 * 512 - 1);
    expect(only(swap).clusters).toBe(260);
    expect(swap.checkInvariants()).toEqual([]);
  });
});

describe('mapping', () => {
  it('maps one chunk of 85 clusters at creation and the next when no free cluster is left', () => {
    const { swap, type } = withXswap();
    expect(only(swap).clusters).toBe(85);
    const taken = fill(swap, 85 * 512 - 1);
    expect(only(swap).clusters).toBe(85);
    taken.push(...fill(swap, 1));
    expect(only(swap).clusters).toBe(170);
    freeAll(swap, taken.splice(0, 84));
    fill(swap, 40 * 512);
    expect(only(swap).clusters).toBe(170);
    expect(swap.checkInvariants()).toEqual([]);
    expect(swap.xswapLimit(type)).toBe(2035199);
  });

  it('shrinks only when at most half of the mapped range is in use and several chunks can go; one stays as slack', () => {
    const { swap, type } = withXswap();
    const taken = fill(swap, 4 * 85 * 512 - 1);
    expect(only(swap).clusters).toBe(340);
    const above = (cluster: number): typeof taken => taken.filter(({ entry }) => entry >= cluster * 512);
    freeAll(swap, above(255));
    expect(swap.runXswapShrink(type)).toBe(0);
    const rest = taken.filter(({ entry }) => entry < 255 * 512);
    freeAll(swap, rest.filter(({ entry }) => entry >= 171 * 512));
    expect(only(swap).inUse * 2).toBeGreaterThan(340 * 512);
    expect(swap.runXswapShrink(type)).toBe(0);
    freeAll(swap, rest.filter(({ entry }) => entry >= 160 * 512 && entry < 171 * 512));
    expect(only(swap).inUse * 2).toBeLessThanOrEqual(340 * 512);
    expect(swap.runXswapShrink(type)).toBe(85);
    expect(only(swap).clusters).toBe(255);
    expect(swap.checkInvariants()).toEqual([]);
  });

  it('asks for the worker once, and a worker that comes late finds nothing to do', () => {
    const { swap, type, work } = withXswap();
    freeAll(swap, fill(swap, 400 * 512));
    expect(work).toEqual([{ kind: 'shrink', type }]);
    swap.beginSwapoff(type);
    swap.finishSwapoff(type);
    expect(() => swap.runWork('shrink', type)).not.toThrow();
  });

  it('holds memory for mapped clusters only', () => {
    const { swap, type } = withXswap(2 ** 25);
    const empty = swap.bytes;
    const taken = fill(swap, 2 ** 24);
    expect(swap.bytes).toBeGreaterThan(100 * empty);
    freeAll(swap, taken);
    swap.runWork('shrink', type);
    expect(swap.bytes).toBeLessThan(4 * empty);
  });
});

describe('create', () => {
  it('takes a priority of -1 to 32767', () => {
    const { swap } = swapSystem('xswap');
    swap.createXswap({ priority: 100 }, RAM);
    swap.createXswap({ priority: 32767 }, RAM);
    swap.createXswap({ priority: 0 }, RAM);
    swap.createXswap({ priority: -1 }, RAM);
    expect(swap.devices().map(({ name, priority }) => [name, priority])).toEqual([
      ['xswap0', 100], ['xswap1', 32767], ['xswap2', 0], ['xswap3', -1],
    ]);
    for (const priority of [-2, 32768]) expect(() => swap.createXswap({ priority }, RAM)).toThrow('Invalid argument');
    expect(swap.devices()).toHaveLength(4);
  });

  it('takes the lowest free type, and is refused when all are taken', () => {
    const { swap } = swapSystem('xswap');
    for (let i = 0; i < 24; i++) expect(swap.createXswap({}, 512)).toBe(i);
    expect(() => swap.createXswap({}, 512)).toThrow('Operation not permitted');
    swap.beginSwapoff(5);
    swap.finishSwapoff(5);
    expect(swap.createXswap({}, 512)).toBe(5);
  });

  it('is not there on a kernel without xswap', () => {
    expect(() => swapSystem('linux-6.18').swap.createXswap({}, RAM)).toThrow('No such file or directory');
  });
});
