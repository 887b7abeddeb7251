/**
 * Search for a free, aligned run of slots in the bitmap of a cluster, by whole words instead of slot by slot.
 * A run of 2^order slots that starts at a multiple of its size is free when all its bits are 0.
 */

/**
 * First offset >= `from` and <= `last` at which 2^order slots are free, or 0. `from` is a multiple of 2^order;
 * `last` is the last offset at which a run may start. Both lie in one cluster. 0 is never free: it is the header.
 */
export function findFreeRun(map: Int32Array, from: number, last: number, order: number): number {
  if (order >= 5) return findFreeWords(map, from, last, order);
  let word = from >>> 5;
  const lastWord = last >>> 5;
  let free = ~map[word] & (-1 << (from & 31));
  for (;;) {
    if (free !== 0) {
      if (order !== 0) free = alignedRuns(free, order);
      if (free !== 0) {
        const found = (word << 5) + 31 - Math.clz32(free & -free);
        return found <= last ? found : 0;
      }
    }
    if (++word > lastWord) return 0;
    free = ~map[word];
  }
}

function findFreeWords(map: Int32Array, from: number, last: number, order: number): number {
  const words = 1 << (order - 5);
  const lastWord = last >>> 5;
  if (from > last) return 0;
  for (let word = from >>> 5; word <= lastWord; word += words) {
    let used = 0;
    for (let i = 0; i < words; i++) used |= map[word + i];
    if (used === 0) return word << 5;
  }
  return 0;
}

/** Of the free slots of a word (1 = free), those at which an aligned free run of 2^order slots starts; order 1…4. */
function alignedRuns(free: number, order: number): number {
  free &= (free >>> 1) & 0x55555555;
  if (order === 1) return free;
  free &= (free >>> 2) & 0x11111111;
  if (order === 2) return free;
  free &= (free >>> 4) & 0x01010101;
  if (order === 3) return free;
  return free & (free >>> 8) & 0x00010001;
}

/** Marks an aligned run of 2^order slots as used. */
export function takeRun(map: Int32Array, offset: number, order: number): void {
  const word = offset >>> 5;
  if (order < 5) {
    map[word] |= ((1 << (1 << order)) - 1) << (offset & 31);
    return;
  }
  const end = word + (1 << (order - 5));
  for (let i = word; i < end; i++) map[i] = -1;
}
