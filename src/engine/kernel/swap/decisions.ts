/**
 * The decisions of an allocation as codes with numbers, collected while it is looked at. One row a decision:
 * [code, swap type, cluster, head of the list, order, number, more]; what a code means and which fields it uses stands beside it.
 */
export const DECISION = {
  /** The slot came out of the CPU's slot cache. number: CPU */
  cached: 0,
  /** The slot cache was empty and asked for slots. number: CPU */
  refill: 1,
  /** The CPU remembers no cluster of this order. number: CPU */
  noPointer: 2,
  /** The remembered cluster cannot serve this order. cluster, number: CPU */
  pointerUnusable: 3,
  /** A device is asked. number: its priority */
  device: 4,
  /** The device takes no large folios. */
  noLargeFolios: 5,
  /** list is empty */
  listEmpty: 6,
  /** A cluster was scanned and has no aligned run. cluster, list (-1: by the pointer), number: free slots */
  noRun: 7,
  /** A run was taken. cluster, list (-1: by the pointer), number: first slot */
  took: 8,
  /** The cached slots of one full cluster were dropped. number: slots that became free */
  reclaimedFull: 9,
  /** Waiting clusters were discarded. number: 1 if one became free */
  discarded: 10,
  /** xswap mapped more clusters. number: 1 if one became free */
  grown: 11,
  /** The swap cache's hold on slots in the way was dropped. number: slots */
  droppedCached: 12,
  /** Order 0 looks into clusters of larger orders. */
  steal: 13,
  /** Searched without lists (up to 6.10, and rotational devices up to 6.13). */
  search: 14,
  /** Nothing was found anywhere. */
  nothing: 15,
  /** A cluster went to another list. cluster, list: LIST number after, order, number: LIST number before */
  moved: 16,
  /** Freed slots wait in the CPU's slot cache. number: CPU */
  waits: 17,
  /** A cluster stays on its list. cluster, list: LIST number, order, number: slots in use */
  stays: 18,
  /** Kernels up to 6.10 take no folio of this order. */
  orderRefused: 19,
} as const;

/** [code, type, cluster, list, order, number, more]; more: runs taken after the first in the same cluster, in a batch */
export type Decision = [code: number, type: number, cluster: number, list: number, order: number, number: number, more: number];

export class DecisionTrace {
  rows: Decision[] = [];
  /** The list whose clusters are being scanned; -1: the pointer's cluster. */
  list = -1;

  note(code: number, type: number, cluster: number, list: number, order: number, number: number): void {
    const last = this.rows[this.rows.length - 1];
    if (code === DECISION.took && last?.[0] === code && last[1] === type && last[2] === cluster) last[6]++;
    else this.rows.push([code, type, cluster, list, order, number, 0]);
  }

  /** Begins anew. */
  clear(): void {
    this.rows = [];
    this.list = -1;
  }
}
