/**
 * The clusters of one swap device: records, intrusive lists and the slot bitmap.
 *
 * records: Int32Array, 4 words a record, so that one cluster lies within one cache line. The first HEADS records are the
 * heads of the lists (only PREV and NEXT are used), then one record a cluster. A "record" in this code is the index of the
 * first word, so links are followed without a multiplication.
 *
 * | word  | meaning                                                                  |
 * |-------|--------------------------------------------------------------------------|
 * | PREV  | previous record of the list (a head points to its last)                  |
 * | NEXT  | next record of the list (a head points to its first)                     |
 * | COUNT | slots in use, 0…512; slot 0, bad slots and slots past the end count      |
 * | STATE | bits 0…7 order, bits 8…15 list (LIST in types.ts)                        |
 *
 * map: Int32Array, 16 words a cluster, 1 bit a slot, 1 = in use; slot s of the device is bit (s & 31) of word (s >>> 5).
 *
 * touched: Uint8Array, 1 byte a block of 64 clusters: 1 = count, order or list of one of them may have changed since the reader
 * (cluster-mirror.ts) cleared it, so that who shows or records clusters need not walk all of them.
 *
 * | head record | list               |
 * |-------------|--------------------|
 * | 0           | free               |
 * | 1           | full               |
 * | 2           | discard            |
 * | 3…12        | nonfull, order 0…9 |
 * | 13…22       | frag, order 0…9    |
 *
 * Source: mm/swap.h and mm/swapfile.c of Linux 6.18 (struct swap_cluster_info, move_cluster, __free_cluster).
 */
import { CLUSTER_SLOTS, LIST, ORDERS } from './types';

export const PREV = 0;
export const NEXT = 1;
export const COUNT = 2;
export const STATE = 3;
export const RECORD_WORDS = 4;
export const HEADS = 3 + 2 * ORDERS;
/** Clusters of one byte of `touched`: 2 to the power of this. */
export const BLOCK_BITS = 6;
export const BLOCK_CLUSTERS = 1 << BLOCK_BITS;
/** From a slot to its block. */
export const SLOT_BLOCK_BITS = 9 + BLOCK_BITS;
export const MAP_WORDS = CLUSTER_SLOTS / 32;

export const HEAD_FREE = 0;
export const HEAD_FULL = RECORD_WORDS;
export const HEAD_DISCARD = 2 * RECORD_WORDS;
const HEAD_NONFULL = 3 * RECORD_WORDS;
const HEAD_FRAG = (3 + ORDERS) * RECORD_WORDS;
export const headNonfull = (order: number): number => HEAD_NONFULL + order * RECORD_WORDS;
export const headFrag = (order: number): number => HEAD_FRAG + order * RECORD_WORDS;

/** The record of cluster `index`. */
export const recordOf = (index: number): number => (HEADS + index) * RECORD_WORDS;
/** The record of the cluster that holds slot `offset`. */
export const recordOfSlot = (offset: number): number => (HEADS + (offset >>> 9)) * RECORD_WORDS;
/** The number of the cluster of a record. */
export const indexOf = (record: number): number => (record >>> 2) - HEADS;

export class Clusters {
  records: Int32Array;
  map: Int32Array;
  touched: Uint8Array;
  /** Clusters that exist; for xswap those mapped. */
  count: number;
  /** Clusters on the free list. */
  free = 0;

  constructor(count: number) {
    this.records = new Int32Array((HEADS + count) * RECORD_WORDS);
    this.map = new Int32Array(count * MAP_WORDS);
    this.touched = new Uint8Array(blocksOf(count)).fill(1);
    this.count = count;
    for (let head = 0; head < HEADS * RECORD_WORDS; head += RECORD_WORDS) {
      this.records[head + PREV] = head;
      this.records[head + NEXT] = head;
    }
  }

  /** First record of a list, or -1. */
  first(head: number): number {
    const record = this.records[head + NEXT];
    return record === head ? -1 : record;
  }

  /** Takes a cluster off its list; it is then on none. */
  take(record: number): void {
    const records = this.records;
    this.touched[((record >>> 2) - HEADS) >>> BLOCK_BITS] = 1;
    const prev = records[record + PREV];
    const next = records[record + NEXT];
    records[prev + NEXT] = next;
    records[next + PREV] = prev;
    if (records[record + STATE] >>> 8 === LIST.free) this.free--;
    records[record + STATE] &= 0xff;
  }

  /** To the tail of another list (move_cluster). */
  move(record: number, head: number, list: number): void {
    const records = this.records;
    this.touched[((record >>> 2) - HEADS) >>> BLOCK_BITS] = 1;
    const state = records[record + STATE];
    if (list === LIST.free) this.free++;
    if (isListed(state >>> 8)) {
      if (state >>> 8 === LIST.free) this.free--;
      const prev = records[record + PREV];
      const next = records[record + NEXT];
      records[prev + NEXT] = next;
      records[next + PREV] = prev;
    }
    const last = records[head + PREV];
    records[record + PREV] = last;
    records[record + NEXT] = head;
    records[last + NEXT] = record;
    records[head + PREV] = record;
    records[record + STATE] = (state & 0xff) | (list << 8);
  }

  /** To the tail of the free list; the order is forgotten (__free_cluster). */
  toFree(record: number): void {
    this.records[record + STATE] &= ~0xff;
    this.move(record, HEAD_FREE, LIST.free);
  }

  /** Off every list, because it lies above the ceiling (xswap). */
  park(record: number): void {
    if (isListed(this.records[record + STATE] >>> 8)) this.take(record);
    this.touched[((record >>> 2) - HEADS) >>> BLOCK_BITS] = 1;
    this.records[record + STATE] = (this.records[record + STATE] & 0xff) | (LIST.parked << 8);
  }

  isUsed(offset: number): boolean {
    return ((this.map[offset >>> 5] >>> (offset & 31)) & 1) !== 0;
  }

  /** Sets the bits of slots that lie in one cluster. */
  setRange(offset: number, slots: number): void {
    const map = this.map;
    this.touched[offset >>> SLOT_BLOCK_BITS] = 1;
    let at = offset;
    const end = offset + slots;
    while (at < end && (at & 31) !== 0) {
      map[at >>> 5] |= 1 << (at & 31);
      at++;
    }
    for (; end - at >= 32; at += 32) map[at >>> 5] = -1;
    for (; at < end; at++) map[at >>> 5] |= 1 << (at & 31);
  }

  /** Clears the bits of slots that lie in one cluster. */
  clearRange(offset: number, slots: number): void {
    const bit = offset & 31;
    this.touched[offset >>> SLOT_BLOCK_BITS] = 1;
    if (bit + slots <= 32 && slots < 32) this.map[offset >>> 5] &= ~(((1 << slots) - 1) << bit);
    else this.clearLongRange(offset, slots);
  }

  private clearLongRange(offset: number, slots: number): void {
    const map = this.map;
    let at = offset;
    const end = offset + slots;
    while (at < end && (at & 31) !== 0) {
      map[at >>> 5] &= ~(1 << (at & 31));
      at++;
    }
    for (; end - at >= 32; at += 32) map[at >>> 5] = 0;
    for (; at < end; at++) map[at >>> 5] &= ~(1 << (at & 31));
  }

  /** Makes room for clusters up to `count`, empty and on no list. Room grows by an eighth at a time, so growth costs little. */
  grow(count: number): void {
    const needed = (HEADS + count) * RECORD_WORDS;
    if (needed > this.records.length) this.resize(count + (count >>> 3));
    this.touched.fill(1, this.count >>> BLOCK_BITS, blocksOf(count));
    this.count = count;
  }

  /** Forgets clusters from `count` on; they must be on no list. Gives room back when a quarter of it is enough. */
  shrink(count: number): void {
    this.records.fill(0, (HEADS + count) * RECORD_WORDS, (HEADS + this.count) * RECORD_WORDS);
    this.map.fill(0, count * MAP_WORDS, this.count * MAP_WORDS);
    this.count = count;
    if (count * MAP_WORDS * 4 < this.map.length) this.resize(count);
  }

  /** Bytes of all typed arrays. */
  get bytes(): number {
    return this.records.byteLength + this.map.byteLength + this.touched.byteLength;
  }

  private resize(capacity: number): void {
    const used = Math.min(capacity, this.count);
    const records = new Int32Array((HEADS + capacity) * RECORD_WORDS);
    records.set(this.records.subarray(0, (HEADS + used) * RECORD_WORDS));
    const map = new Int32Array(capacity * MAP_WORDS);
    map.set(this.map.subarray(0, used * MAP_WORDS));
    const touched = new Uint8Array(blocksOf(capacity)).fill(1);
    touched.set(this.touched.subarray(0, Math.min(touched.length, this.touched.length)));
    this.records = records;
    this.map = map;
    this.touched = touched;
  }
}

/** Blocks of so many clusters. */
export const blocksOf = (clusters: number): number => (clusters + BLOCK_CLUSTERS - 1) >>> BLOCK_BITS;

const isListed = (list: number): boolean => list !== LIST.none && list !== LIST.parked;
