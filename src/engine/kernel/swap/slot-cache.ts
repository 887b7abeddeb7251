/**
 * The per-CPU slot caches of kernels up to 6.13: order-0 slots are taken from the devices 64 at a time, and single frees collect
 * until 64 are there and another comes. What lies in a cache counts as in use.
 *
 * The cache is switched on when more than 320 slots a CPU are free, and off, drained, when fewer than 128 a CPU are; while a
 * swapoff is under way it is off and drained.
 *
 * | array   | index          | meaning                                              |
 * |---------|----------------|------------------------------------------------------|
 * | slots   | cpu × 64 + i   | slots taken ahead; the next to hand out is at cur    |
 * | cur, nr | cpu            | position of the next one, and how many are left      |
 * | back    | cpu × 64 + i   | freed slots that wait to be given back               |
 * | nBack   | cpu            | how many                                             |
 *
 * Source: mm/swap_slots.c and swapcache_free_entries of Linux 6.1 and 6.12.
 */
import { sortEntriesByType, sortEntriesByTypeDoublePop } from './heap-sort';
import { NO_ENTRY, type Entry } from './types';

export const SLOT_CACHE_SIZE = 64;
export const ACTIVATE_PER_CPU = 5 * SLOT_CACHE_SIZE;
export const DEACTIVATE_PER_CPU = 2 * SLOT_CACHE_SIZE;

/** What the cache asks of the swap layer. */
export interface SlotCacheHost {
  /** Free slots over all devices (get_nr_swap_pages). */
  readonly nrSwapPages: number;
  /** Takes up to `goal` slots of order 0 from one device and writes them to `out` from `at` on; returns how many. */
  takeSlots(cpu: number, goal: number, out: Uint32Array, at: number): number;
  /** Frees one slot on its device. */
  giveBack(entry: Entry): void;
  /** More than one swap type has existed since the start, so a batch is sorted by type before it is freed. */
  readonly sortsFrees: boolean;
}

export class SlotCache {
  protected readonly host: SlotCacheHost;
  protected readonly cpus: number;
  private readonly slots: Uint32Array;
  private readonly cur: Uint32Array;
  protected readonly nr: Uint32Array;
  private readonly back: Uint32Array;
  protected readonly nBack: Uint32Array;
  private readonly sort: (entries: Uint32Array, count: number) => void;
  protected active = false;
  /** There is a device on, and no swapoff under way. */
  private enabled = false;

  constructor(host: SlotCacheHost, cpus: number, doublePop: boolean) {
    this.host = host;
    this.cpus = cpus;
    this.sort = doublePop ? sortEntriesByTypeDoublePop : sortEntriesByType;
    this.slots = new Uint32Array(cpus * SLOT_CACHE_SIZE);
    this.back = new Uint32Array(cpus * SLOT_CACHE_SIZE);
    this.cur = new Uint32Array(cpus);
    this.nr = new Uint32Array(cpus);
    this.nBack = new Uint32Array(cpus);
  }

  /** A slot of order 0 from this CPU's cache; NO_ENTRY when the cache is off or the devices gave nothing. */
  take(cpu: number): Entry {
    if (!this.checkActive()) return NO_ENTRY;
    if (this.nr[cpu] === 0) {
      this.refill(cpu);
      if (this.nr[cpu] === 0) return NO_ENTRY;
    }
    this.nr[cpu]--;
    return this.slots[cpu * SLOT_CACHE_SIZE + this.cur[cpu]++];
  }

  /** A single free. With the cache off the slot goes back at once. */
  free(cpu: number, entry: Entry): void {
    if (!this.active || !this.enabled) {
      this.host.giveBack(entry);
      return;
    }
    if (this.nBack[cpu] >= SLOT_CACHE_SIZE) this.flushBack(cpu);
    this.back[cpu * SLOT_CACHE_SIZE + this.nBack[cpu]++] = entry;
  }

  /** swapoff has begun: off and empty. */
  disable(): void {
    this.enabled = false;
    this.drain();
  }

  /** A device came on, or swapoff is over. */
  enable(hasSwap: boolean): void {
    this.enabled = hasSwap;
  }

  /** Slots that lie in the caches, taken ahead or waiting to go back. */
  get held(): number {
    let held = 0;
    for (let cpu = 0; cpu < this.cpus; cpu++) held += this.nr[cpu] + this.nBack[cpu];
    return held;
  }

  /** Calls back with each slot that lies in a cache. */
  forEach(visit: (entry: Entry) => void): void {
    for (let cpu = 0; cpu < this.cpus; cpu++) {
      const base = cpu * SLOT_CACHE_SIZE;
      for (let i = 0; i < this.nr[cpu]; i++) visit(this.slots[base + this.cur[cpu] + i]);
      for (let i = 0; i < this.nBack[cpu]; i++) visit(this.back[base + i]);
    }
  }

  /** Sentences about what is broken in the caches' own state; empty when sound. */
  check(): string[] {
    const broken: string[] = [];
    for (let cpu = 0; cpu < this.cpus; cpu++) {
      const [cur, nr, nBack] = [this.cur[cpu], this.nr[cpu], this.nBack[cpu]];
      if (cur + nr > SLOT_CACHE_SIZE) broken.push(`the slot cache of CPU ${cpu} has ${nr} slots from place ${cur} on`);
      if (nBack > SLOT_CACHE_SIZE) broken.push(`${nBack} freed slots wait in the slot cache of CPU ${cpu}`);
      if ((!this.active || !this.enabled) && nr + nBack > 0) broken.push(`the slot cache of CPU ${cpu} is off and has ${nr + nBack} slots`);
    }
    return broken;
  }

  get bytes(): number {
    return this.slots.byteLength + this.back.byteLength + this.cur.byteLength + this.nr.byteLength + this.nBack.byteLength;
  }

  protected refill(cpu: number): void {
    this.cur[cpu] = 0;
    this.nr[cpu] = this.host.takeSlots(cpu, SLOT_CACHE_SIZE, this.slots, cpu * SLOT_CACHE_SIZE);
  }

  protected checkActive(): boolean {
    if (!this.enabled) return false;
    const free = this.host.nrSwapPages;
    if (!this.active) {
      if (free > this.cpus * ACTIVATE_PER_CPU) this.active = true;
    } else if (free < this.cpus * DEACTIVATE_PER_CPU) {
      this.active = false;
      this.drain();
    }
    return this.active;
  }

  protected drain(): void {
    for (let cpu = 0; cpu < this.cpus; cpu++) {
      const from = cpu * SLOT_CACHE_SIZE + this.cur[cpu];
      const count = this.nr[cpu];
      this.nr[cpu] = 0;
      this.cur[cpu] = 0;
      this.giveBack(this.slots.subarray(from, from + count), count);
      this.flushBack(cpu);
    }
  }

  private flushBack(cpu: number): void {
    const count = this.nBack[cpu];
    this.nBack[cpu] = 0;
    this.giveBack(this.back.subarray(cpu * SLOT_CACHE_SIZE, cpu * SLOT_CACHE_SIZE + count), count);
  }

  protected giveBack(entries: Uint32Array, count: number): void {
    if (count > 1 && this.host.sortsFrees) this.sort(entries, count);
    for (let i = 0; i < count; i++) this.host.giveBack(entries[i]);
  }
}
