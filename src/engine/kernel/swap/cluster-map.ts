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
import { COUNT, HEADS, RECORD_WORDS, STATE, type Clusters } from './clusters';
import { LIST, OFFSET_BITS, OFFSET_MASK, ORDERS } from './types';

export const CELL_CODES = 3 + 4 * ORDERS;
const COUNT_BITS = 10;
const COUNT_MASK = (1 << COUNT_BITS) - 1;

/** Where the codes of a list begin; index: LIST. */
const FIRST_CODE: readonly number[] = [3, 0, 3 + ORDERS, 3 + 2 * ORDERS, 3 + 3 * ORDERS, 1, 2];
const LIST_OF_CODE = Uint8Array.from({ length: CELL_CODES }, (_, code) => (
  code < 3 ? [LIST.free, LIST.discard, LIST.parked][code] : [LIST.none, LIST.nonfull, LIST.frag, LIST.full][Math.floor((code - 3) / ORDERS)]
));

/** Bit of a list in a cell's mask of lists; bit 7: a CPU allocates from it. */
export const maskOf = (list: number): number => 1 << list;
export const CPU_MASK = 128;

export const codeOf = (list: number, order: number): number => (
  list === LIST.free || list === LIST.discard || list === LIST.parked ? FIRST_CODE[list] : FIRST_CODE[list] + order
);
export const cellOf = (list: number, order: number, count: number): number => (codeOf(list, order) << COUNT_BITS) | count;
export const codeOfCell = (cell: number): number => cell >>> COUNT_BITS;
export const countOfCell = (cell: number): number => cell & COUNT_MASK;
export const listOfCode = (code: number): number => LIST_OF_CODE[code];
/** -1: the list has none (free, discard, parked). */
export const orderOfCode = (code: number): number => (code < 3 ? -1 : (code - 3) % ORDERS);

/** All clusters of a device. */
export function packClusters(store: Clusters): Uint16Array {
  const cells = new Uint16Array(store.count);
  const { records } = store;
  for (let index = 0, record = HEADS * RECORD_WORDS; index < cells.length; index++, record += RECORD_WORDS) {
    const state = records[record + STATE];
    const list = state >>> 8;
    const first = FIRST_CODE[list];
    cells[index] = ((first < 3 ? first : first + (state & 0xff)) << COUNT_BITS) | records[record + COUNT];
  }
  return cells;
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

/** Clusters from … to-1 in at most `most` cells. */
export interface CellSpan {
  readonly perCell: number;
  /** As above; of several clusters: the code most of them have (the lower of equals), and their mean use. */
  readonly cells: Uint16Array;
  /** The lists that the clusters of a cell are on, one bit each (maskOf), and whether one is a CPU's current. */
  readonly masks: Uint8Array;
}

export function reduceCells(cells: Uint16Array, current: Int32Array, from: number, to: number, most: number): CellSpan {
  const perCell = Math.max(1, Math.ceil((to - from) / Math.max(1, most)));
  const length = Math.ceil((to - from) / perCell);
  const masks = new Uint8Array(length);
  let out: Uint16Array;
  if (perCell === 1) {
    out = cells.slice(from, to);
    for (let i = 0; i < length; i++) masks[i] = maskOf(LIST_OF_CODE[out[i] >>> COUNT_BITS]);
  } else {
    out = new Uint16Array(length);
    const tally = new Uint32Array(CELL_CODES);
    for (let i = 0, at = from; i < length; i++) {
      const end = Math.min(at + perCell, to);
      const clusters = end - at;
      let used = 0;
      let mask = 0;
      for (; at < end; at++) {
        const cell = cells[at];
        tally[cell >>> COUNT_BITS]++;
        used += cell & COUNT_MASK;
      }
      let best = 0;
      for (let code = 0; code < CELL_CODES; code++) {
        if (tally[code] === 0) continue;
        mask |= maskOf(LIST_OF_CODE[code]);
        if (tally[code] > tally[best]) best = code;
      }
      tally.fill(0);
      out[i] = (best << COUNT_BITS) | Math.floor(used / clusters + 0.5);
      masks[i] = mask;
    }
  }
  for (let i = 2; i < current.length; i += 3) {
    const cluster = current[i];
    if (cluster >= from && cluster < to) masks[Math.floor((cluster - from) / perCell)] |= CPU_MASK;
  }
  return { perCell, cells: out, masks };
}

/** Clusters and slots in use by code. */
export function sumCells(cells: Uint16Array): { readonly clusters: Uint32Array; readonly used: Float64Array } {
  const clusters = new Uint32Array(CELL_CODES);
  const used = new Float64Array(CELL_CODES);
  for (let i = 0; i < cells.length; i++) {
    const code = cells[i] >>> COUNT_BITS;
    clusters[code]++;
    used[code] += cells[i] & COUNT_MASK;
  }
  return { clusters, used };
}
