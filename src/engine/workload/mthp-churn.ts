/**
 * The mTHP churn test (tools/mm/thp_swap_allocator_test.c of the kernel tree) against the swap layer alone: 60 MiB of 64 KiB folios and
 * with `small` 4 MiB of single pages on a 64 MiB zram; then 100 rounds of writes to swapped-out memory, of memory that is dropped and made
 * anew, and of paging everything out again. The numbers are the C library's, unseeded, so that a round compares with a
 * real machine's one to one.
 *
 * Only what reaches the slots is modelled: which pages are swapped out and where, and which folios are large. Reclaim pages out in
 * the order of addresses; a large folio that finds no run is split, counted as a fallback, and its pages go one by one; a page that
 * finds no slot stays in memory.
 *
 * | array | index                          | meaning                                         |
 * |-------|--------------------------------|-------------------------------------------------|
 * | entry | page: 15,360 large, then small | where it is swapped out; 0: in memory           |
 * | large | block of 16 pages              | 1: in memory as one folio                       |
 */
import type { SwapPolicies } from '../kernel/swap/registry';
import { SwapSystem } from '../kernel/swap/swap-system';
import { NO_ENTRY, type Entry } from '../kernel/swap/types';
import { GlibcRand } from './glibc-rand';

export interface ChurnOptions {
  /** -a: writes to swapped-out memory in steps of 64 KiB, aligned, instead of 4 KiB. */
  readonly aligned: boolean;
  /** -s: 4 MiB of single pages as well. */
  readonly small: boolean;
  readonly rounds: number;
  /** CPUs of the machine: slot caches are switched by the free slots a CPU. */
  readonly cpus: number;
}

export interface ChurnRound {
  readonly swpout: number;
  readonly fallback: number;
}

const ORDER = 4;
const BLOCK = 1 << ORDER;
const LARGE_PAGES = 60 * 256;
const SMALL_PAGES = 4 * 256;
const CHURNED_PAGES = 16 * 256;
const SMALL_CHURNED_PAGES = 256;
const DEVICE_SLOTS = 64 * 256;

export class MthpChurn {
  readonly swap: SwapSystem;
  private readonly options: ChurnOptions;
  private readonly wholeSwapin: boolean;
  private readonly random = new GlibcRand(1);
  private readonly entry: Uint32Array;
  private readonly large = new Uint8Array(LARGE_PAGES / BLOCK).fill(1);
  private swpout = 0;
  private fallback = 0;

  constructor(policies: SwapPolicies, options: ChurnOptions) {
    this.options = options;
    this.wholeSwapin = policies.largeSwapin === 'whole';
    this.entry = new Uint32Array(LARGE_PAGES + (options.small ? SMALL_PAGES : 0));
    this.swap = new SwapSystem(policies, options.cpus, 1, { isCacheOnly: () => false, reclaimCacheOnly: () => false, cacheOnlySlots: () => 0 });
    // A machine that has been up for a while has had other swap types before.
    this.swap.typesSeen = 2;
    this.swap.swapon({ kind: 'zram', name: '/dev/zram0', slots: DEVICE_SLOTS, rotational: false, pageDiscard: false, node: -1 });
    this.pageOut();
  }

  /** One round; the counters of 64 KiB folios that it moved. */
  round(): ChurnRound {
    this.swpout = 0;
    this.fallback = 0;
    const unit = this.options.aligned ? BLOCK : 1;
    for (let i = 0; i < CHURNED_PAGES / unit; i++) {
      const first = (this.random.next() % (LARGE_PAGES / unit)) * unit;
      for (let page = first; page < first + unit; page++) this.write(page);
    }
    for (let i = 0; i < CHURNED_PAGES / BLOCK; i++) this.makeAnew(this.random.next() % (LARGE_PAGES / BLOCK));
    if (this.options.small) {
      for (let i = 0; i < SMALL_CHURNED_PAGES; i++) this.write(LARGE_PAGES + (this.random.next() % SMALL_PAGES));
    }
    this.pageOut();
    return { swpout: this.swpout, fallback: this.fallback };
  }

  run(): ChurnRound[] {
    return Array.from({ length: this.options.rounds }, () => this.round());
  }

  /** A write to a page; swapped out, it comes back and leaves its slot. */
  private write(page: number): void {
    if (this.entry[page] === NO_ENTRY) return;
    const block = Math.floor(page / BLOCK);
    if (this.wholeSwapin && page < LARGE_PAGES && this.isRun(block)) {
      const first = this.entry[block * BLOCK];
      this.entry.fill(NO_ENTRY, block * BLOCK, (block + 1) * BLOCK);
      this.large[block] = 1;
      this.freeSingly(first, BLOCK);
      return;
    }
    const entry = this.entry[page];
    this.entry[page] = NO_ENTRY;
    this.swap.free(entry, 1);
  }

  /** A swap-in frees page by page. */
  private freeSingly(first: Entry, count: number): void {
    if (this.swap.slotCache === undefined) this.swap.free(first, count);
    else for (let i = 0; i < count; i++) this.swap.free(first + i, 1);
  }

  /** Are all pages of the block swapped out to one aligned run? */
  private isRun(block: number): boolean {
    const first = this.entry[block * BLOCK];
    if (first === NO_ENTRY || first % BLOCK !== 0) return false;
    for (let i = 1; i < BLOCK; i++) if (this.entry[block * BLOCK + i] !== first + i) return false;
    return true;
  }

  /** The process drops a block and writes it anew: a new large folio. Slots in a row are freed together. */
  private makeAnew(block: number): void {
    const from = block * BLOCK;
    for (let page = from; page < from + BLOCK;) {
      const entry = this.entry[page];
      let count = 1;
      if (entry !== NO_ENTRY) {
        while (page + count < from + BLOCK && this.entry[page + count] === entry + count) count++;
        this.swap.free(entry, count);
      }
      page += count;
    }
    this.entry.fill(NO_ENTRY, from, from + BLOCK);
    this.large[block] = 1;
  }

  private pageOut(): void {
    for (let block = 0; block < LARGE_PAGES / BLOCK; block++) {
      if (this.large[block] === 1) this.pageOutFolio(block);
      else this.pageOutPages(block * BLOCK, (block + 1) * BLOCK);
    }
    this.pageOutPages(LARGE_PAGES, this.entry.length);
  }

  private pageOutFolio(block: number): void {
    const from = block * BLOCK;
    this.large[block] = 0;
    const entry = this.swap.alloc(0, ORDER);
    if (entry === NO_ENTRY) {
      this.fallback++;
      this.pageOutPages(from, from + BLOCK);
      return;
    }
    this.swpout++;
    for (let i = 0; i < BLOCK; i++) this.entry[from + i] = entry + i;
  }

  private pageOutPages(from: number, to: number): void {
    for (let page = from; page < to; page++) if (this.entry[page] === NO_ENTRY) this.entry[page] = this.swap.alloc(0, 0);
  }
}
