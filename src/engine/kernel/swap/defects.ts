/**
 * Known defects of the mTHP series (v5), as its review found them, to be switched on: a checker that cannot find a known bug
 * finds no new one.
 *
 * discard-of-full-cluster: patch 9 moves clusters between lists without a look at whether they are on one; the discard worker has
 * taken the cluster off its list by then, so that the move follows dead links. Found by David Hildenbrand, fixed by Kairui Song.
 *
 * nr-pages-zero: patch 6 frees the slot of a folio that an allocation drops from the swap cache without a look at zswap, for it asks for a
 * folio of no pages where it means one page. A zswap entry that a load has kept (policy zswapLoad) outlives its slot, and would be read by
 * whoever gets the slot next. The memory layer does that (Mm.freeSwapOf). Found by Barry Song, fixed by Kairui Song and Chris Li.
 */
import { COUNT, NEXT, PREV, STATE, type Clusters } from './clusters';
import { LIST } from './types';

export const DEFECTS = ['discard-of-full-cluster', 'nr-pages-zero'] as const;
export type Defect = (typeof DEFECTS)[number];

/** The cluster leaves the discard list, is marked free, and never arrives on the free list. */
export function loseOnDiscard(store: Clusters, record: number): void {
  store.take(record);
  store.records[record + PREV] = record;
  store.records[record + NEXT] = record;
  store.records[record + COUNT] = 0;
  store.records[record + STATE] = LIST.free << 8;
}
