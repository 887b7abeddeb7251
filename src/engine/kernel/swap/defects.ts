/**
 * A known defect of the mTHP series (v5), as its review found it, to be switched on: a checker that cannot find a known bug
 * finds no new one.
 *
 * discard-of-full-cluster: patch 9 moves clusters between lists without a look at whether they are on one; the discard worker has
 * taken the cluster off its list by then, so that the move follows dead links. Found by David Hildenbrand, fixed by Kairui Song.
 */
import { COUNT, NEXT, PREV, STATE, type Clusters } from './clusters';
import { LIST } from './types';

export const DEFECTS = ['discard-of-full-cluster'] as const;
export type Defect = (typeof DEFECTS)[number];

/** The cluster leaves the discard list, is marked free, and never arrives on the free list. */
export function loseOnDiscard(store: Clusters, record: number): void {
  store.take(record);
  store.records[record + PREV] = record;
  store.records[record + NEXT] = record;
  store.records[record + COUNT] = 0;
  store.records[record + STATE] = LIST.free << 8;
}
