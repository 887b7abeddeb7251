/**
 * The clusters of a device as the cluster map shows them: one 16-bit cell a cluster, and cells that stand for several.
 *
 * | bits of a cell | meaning                                                                |
 * |----------------|------------------------------------------------------------------------|
 * | 0…9            | slots in use, 0…512; header, bad slots and slots past the end count    |
 * | 10…15          | code of list and order: see codeOf                                     |
 *
 * | code  | list                              |
 * |-------|-----------------------------------|
 * | 0     | free                              |
 * | 1     | discard                           |
 * | 2     | parked (xswap, above the limit)   |
 * | 3…12  | none, order 0…9                   |
 * | 13…22 | nonfull, order 0…9                |
 * | 23…32 | frag, order 0…9                   |
 * | 33…42 | full, order 0…9                   |
 */
import { COUNT, RECORD_WORDS, STATE, recordOf, type Clusters } from './clusters';
import { LIST, OFFSET_BITS, OFFSET_MASK, ORDERS } from './types';

export const CELL_CODES = 3 + 4 * ORDERS;
const COUNT_BITS = 10;
const COUNT_MASK = (1 << COUNT_BITS) - 1;

/** Where the codes of a list begin; index: LIST. */
const FIRST_CODE: readonly number[] = [3, 0, 3 + ORDERS, 3 + 2 * ORDERS, 3 + 3 * ORDERS, 1, 2];
const LIST_OF_CODE = Uint8Array.from({ length: CELL_CODES }, (_, code) => (
  code < 3 ? [LIST.free, LIST.discard, LIST.parked][code] : [LIST.none, LIST.nonfull, LIST.frag, LIST.full][Math.floor((code - 3) / ORDERS)]
));

/** Bit of a list in a cell's mask of lists. */
export const maskOf = (list: number): number => 1 << list;

export const codeOf = (list: number, order: number): number => (
  list === LIST.free || list === LIST.discard || list === LIST.parked ? FIRST_CODE[list] : FIRST_CODE[list] + order
);
export const cellOf = (list: number, order: number, count: number): number => (codeOf(list, order) << COUNT_BITS) | count;
export const codeOfCell = (cell: number): number => cell >>> COUNT_BITS;
export const countOfCell = (cell: number): number => cell & COUNT_MASK;
export const listOfCode = (code: number): number => LIST_OF_CODE[code];
/** -1: the list has none (free, discard, parked). */
export const orderOfCode = (code: number): number => (code < 3 ? -1 : (code - 3) % ORDERS);

/** Clusters from … to-1 of a device, into `out` from its start. */
export function packClusters(store: Clusters, from: number, to: number, out: Uint16Array): void {
  const { records } = store;
  for (let index = from, record = recordOf(from); index < to; index++, record += RECORD_WORDS) {
    const state = records[record + STATE];
    const list = state >>> 8;
    const first = FIRST_CODE[list];
    out[index - from] = ((first < 3 ? first : first + (state & 0xff)) << COUNT_BITS) | records[record + COUNT];
  }
}

/**
 * The clusters that CPUs allocate from now, in threes: CPU, order, cluster. `pointers` as SlotAllocator has them. A rotational
 * device has one pointer an order for all CPUs (`globalNext`): CPU -1.
 */
export function currentClusters(pointers: Uint32Array, cpus: number, type: number, globalNext: Uint32Array): Int32Array {
  const found: number[] = [];
  for (let i = 0; i < pointers.length; i++) {
    const offset = pointers[i] & OFFSET_MASK;
    if (offset !== 0 && pointers[i] >>> OFFSET_BITS === type) found.push(Math.floor(i / ORDERS) % cpus, i % ORDERS, offset >>> 9);
  }
  for (let order = 0; order < ORDERS; order++) if (globalNext[order] !== 0) found.push(-1, order, globalNext[order] >>> 9);
  return Int32Array.from(found);
}

/** Puts the clusters of one place of the map together. */
export class CellTally {
  /** One cluster: as above. Several: the code most of them have (the lower of equals), and their mean use. */
  cell = 0;
  /** The lists that they are on, one bit each (maskOf). */
  mask = 0;
  private readonly tally = new Uint32Array(CELL_CODES);
  private readonly seen = new Uint8Array(CELL_CODES);
  private kinds = 0;
  private clusters = 0;
  private used = 0;

  /** Adds cells from … to-1 of `cells`. */
  add(cells: Uint16Array, from: number, to: number): void {
    let used = 0;
    let at = from;
    while (at < to) {
      // Neighbours mostly stand on the same list.
      const begin = at;
      const code = cells[at] >>> COUNT_BITS;
      do used += cells[at++] & COUNT_MASK; while (at < to && cells[at] >>> COUNT_BITS === code);
      if (this.tally[code] === 0) this.seen[this.kinds++] = code;
      this.tally[code] += at - begin;
    }
    this.clusters += to - from;
    this.used += used;
  }

  /** Sets `cell` and `mask`, and begins anew. At least one cluster was added. */
  close(): void {
    const { tally, seen } = this;
    let best = seen[0];
    this.mask = 0;
    for (let i = 0; i < this.kinds; i++) {
      const code = seen[i];
      this.mask |= maskOf(LIST_OF_CODE[code]);
      if (tally[code] > tally[best] || (tally[code] === tally[best] && code < best)) best = code;
    }
    for (let i = 0; i < this.kinds; i++) tally[seen[i]] = 0;
    this.cell = (best << COUNT_BITS) | Math.floor(this.used / this.clusters + 0.5);
    this.kinds = 0;
    this.clusters = 0;
    this.used = 0;
  }
}
