/**
 * The kernel's sort(): a bottom-up heap sort that is not stable, so that the order in which it leaves equal elements can be
 * seen in which slot goes where. Sorts entries by swap type, as swapcache_free_entries does before it frees a batch.
 * Source: lib/sort.c of Linux 6.1 (`sortEntriesByType`) and of 6.10 and later, which pops two elements a round
 * (`sortEntriesByTypeDoublePop`); swp_entry_cmp in mm/swapfile.c.
 */
import { OFFSET_BITS, type Entry } from './types';

/** Sorts the first `count` elements in place, as kernels up to 6.9 do. */
export function sortEntriesByType(entries: Uint32Array, count: number): void {
  let root = count >>> 1;
  let end = count;
  if (root === 0) return;
  for (;;) {
    if (root > 0) root--;
    else if (--end > 0) swap(entries, 0, end);
    else return;
    siftDown(entries, root, end, 0);
  }
}

/** Sorts the first `count` elements in place, as kernels from 6.10 on do. */
export function sortEntriesByTypeDoublePop(entries: Uint32Array, count: number): void {
  let root = count >>> 1;
  let end = count;
  let shift = 0;
  if (root === 0) return;
  for (;;) {
    if (root > 0) {
      root -= 1 << shift;
    } else if (end > 3) {
      end--;
      swap(entries, 0, end);
      shift = typeAt(entries, 1) <= typeAt(entries, 2) ? 1 : 0;
      root = 1 << shift;
      end--;
      swap(entries, root, end);
    } else {
      break;
    }
    siftDown(entries, root, end, 1);
  }
  end--;
  swap(entries, 0, end);
  if (end === 2 && typeAt(entries, 0) > typeAt(entries, 1)) swap(entries, 0, 1);
}

/**
 * Walks to a leaf along the larger children, then back up to where the element at `root` belongs.
 * Of two equal children the left is taken when `least` is 0, the right when it is 1.
 */
function siftDown(entries: Uint32Array, root: number, end: number, least: number): void {
  let at = root;
  let child = 2 * at + 1;
  while (child + 1 < end) {
    at = typeAt(entries, child) - typeAt(entries, child + 1) >= least ? child : child + 1;
    child = 2 * at + 1;
  }
  if (child + 1 === end) at = child;
  while (at !== root && typeAt(entries, root) >= typeAt(entries, at)) at = (at - 1) >>> 1;
  const place = at;
  while (at !== root) {
    at = (at - 1) >>> 1;
    swap(entries, at, place);
  }
}

const typeAt = (entries: Uint32Array, at: number): number => entries[at] >>> OFFSET_BITS;

function swap(entries: Uint32Array, a: number, b: number): void {
  const kept: Entry = entries[a];
  entries[a] = entries[b];
  entries[b] = kept;
}
