/**
 * free-first-on-nonsync at the level of slots, in the setting of the requests captured from real kernels: 96 MiB of pages, of which
 * 48 MiB fit in memory, a disk as swap, 100,000 accesses, 30 % of them writes. Reclaim pages out 32 at a time, the least recently
 * used first. A write fault frees the slot and leaves a hole; a page that was only read keeps its slot and goes without a write.
 */
import { describe, expect, it } from 'vitest';
import { policiesOf } from '../../kernel/swap/registry';
import { SwapSystem } from '../../kernel/swap/swap-system';
import { LIST, type Entry } from '../../kernel/swap/types';

const PAGES = 96 * 256;
const IN_MEMORY = 48 * 256;
const ACCESSES = 100_000;
const BATCH = 32;

interface Result {
  /** Mean length, in slots, of the adjacent runs of a batch. */
  readonly run: number;
  readonly freeClusters: number;
}

class Random {
  private state = 2463534242;

  /** 0 … 1 */
  next(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 4294967296;
  }
}

/** Draws pages: all alike, or by a zipf law of exponent 0.99 over shuffled ranks. */
function pagesOf(law: 'uniform' | 'zipf', random: Random): () => number {
  if (law === 'uniform') return () => Math.floor(random.next() * PAGES);
  const pages = Array.from({ length: PAGES }, (_, page) => page);
  for (let i = PAGES - 1; i > 0; i--) {
    const j = Math.floor(random.next() * (i + 1));
    [pages[i], pages[j]] = [pages[j] ?? 0, pages[i] ?? 0];
  }
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= PAGES; rank++) sums.push((sum += rank ** -0.99));
  return () => {
    const at = random.next() * sum;
    let low = 0;
    let high = PAGES - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return pages[low] ?? 0;
  };
}

function churn(kernel: string, law: 'uniform' | 'zipf', mib: number, kind: 'partition' | 'zram' = 'partition'): Result {
  const swap = new SwapSystem(policiesOf(kernel), 2, 1, { isCacheOnly: () => false, reclaimCacheOnly: () => false, cacheOnlySlots: () => 0 });
  swap.swapon({ kind, name: '/dev/vdb', slots: mib * 256, rotational: false, pageDiscard: false, node: -1 });
  const random = new Random();
  const draw = pagesOf(law, random);
  const entry = new Uint32Array(PAGES);
  const dirty = new Uint8Array(PAGES);
  /** Pages in memory, the least recently used first. */
  const lru = new Map<number, true>();
  let slots = 0;
  let runs = 0;
  let measured = false;
  const reclaim = (): void => {
    const batch: Entry[] = [];
    for (const page of lru.keys()) {
      lru.delete(page);
      if (entry[page] === 0 || dirty[page] === 1) {
        if (entry[page] === 0) {
          entry[page] = swap.alloc(0, 0);
          if (entry[page] === 0) throw new Error('swap is full');
        }
        batch.push(entry[page]);
        dirty[page] = 0;
      }
      if (batch.length === BATCH || lru.size <= IN_MEMORY - BATCH) break;
    }
    if (!measured) return;
    slots += batch.length;
    runs += batch.filter((slot, i) => i === 0 || slot !== (batch[i - 1] ?? 0) + 1).length;
  };
  const touch = (page: number, write: boolean): void => {
    const isIn = lru.delete(page);
    if (!isIn && lru.size >= IN_MEMORY) reclaim();
    lru.set(page, true);
    if (!write) return;
    dirty[page] = 1;
    if (entry[page] !== 0) {
      swap.free(entry[page], 1);
      entry[page] = 0;
    }
  };
  for (let page = 0; page < PAGES; page++) touch(page, true);
  measured = true;
  for (let i = 0; i < ACCESSES; i++) touch(draw(), random.next() < 0.3);
  expect(swap.checkInvariants()).toEqual([]);
  const clusters = swap.clusters(0, 0, swap.view(0).clusters);
  return { run: slots / runs, freeClusters: clusters.filter((cluster) => cluster.list === LIST.free).length };
}

describe('free clusters first on devices that are not synchronous', () => {
  it.each([['uniform', 2], ['zipf', 5]] as const)('112 MiB of swap, %s: adjacent runs at least %i times as long', (law, times) => {
    expect(churn('linux-7.3-free-first', law, 112).run / churn('linux-7.3', law, 112).run).toBeGreaterThanOrEqual(times);
  });

  it('on zram nothing changes, and holes first leaves more clusters wholly free', () => {
    const plain = churn('linux-7.3', 'uniform', 256, 'zram');
    expect(churn('linux-7.3-free-first', 'uniform', 256, 'zram')).toEqual(plain);
    const { freeClusters } = churn('linux-6.12', 'uniform', 256, 'zram');
    expect(plain.freeClusters).toBeGreaterThan(freeClusters);
  });
});

describe('the chance of a wholly free cluster', () => {
  /** Chris Li: with slots in use at random, a cluster of 512 is free with (1 - use)^512, so 4.4e-15 at 1/16. */
  it('is (1 - use)^512: counted on 4,096 clusters at use levels where it can be', () => {
    expect((1 - 1 / 16) ** 512).toBeCloseTo(4.4e-15, 15);
    const clusters = 4096;
    const swap = new SwapSystem(policiesOf('linux-7.3'), 1, 1, { isCacheOnly: () => false, reclaimCacheOnly: () => false, cacheOnlySlots: () => 0 });
    swap.swapon({ kind: 'zram', name: '/dev/zram0', slots: clusters * 512, rotational: false, pageDiscard: false, node: -1 });
    const live = Uint32Array.from({ length: clusters * 512 - 1 }, () => swap.alloc(0, 0));
    const random = new Random();
    let left = live.length;
    for (const used of [4, 3, 2, 1]) {
      // Slots are freed at random until so many a cluster are in use on average.
      for (; left > used * clusters; left--) {
        const at = Math.floor(random.next() * left);
        swap.free(live[at] ?? 0, 1);
        live[at] = live[left - 1] ?? 0;
      }
      const free = swap.clusters(0, 0, clusters).filter((cluster) => cluster.list === LIST.free).length / clusters;
      const law = (1 - used / 512) ** 512;
      expect(Math.abs(free - law), `${used} of 512`).toBeLessThan(4 * Math.sqrt((law * (1 - law)) / clusters));
    }
  });
});
