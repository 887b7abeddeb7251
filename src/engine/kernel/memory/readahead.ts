/**
 * How many pages around a swap fault are read with it, by the success of the last times. Source: swap_vma_readahead,
 * __swapin_nr_pages (mm/swap_state.c, 6.18 and 7.3). Synchronous devices read nothing ahead. A rotational device would use
 * the readahead by slot instead; here it uses the same (simplified).
 */
import { FOLIO } from './folios';
import type { Mm } from './mm';
import { TABLE_PAGES, type Process } from './process';

/** SWAP_RA_ORDER_CEILING, SWAP_RA_HITS_MAX. */
const ORDER_CEILING = 5;
const HITS_MAX = 63;

/** Pages to read for a fault at `page`, itself included; notes the fault. */
export function readaheadWindow(mm: Mm, task: Process, page: number): number {
  const most = 1 << Math.min(mm.pageCluster, ORDER_CEILING);
  if (most === 1) return 1;
  let pages = task.raHits + 2;
  if (pages === 2) {
    // No hits: one page, unless the fault is next to the last one.
    if (page !== task.raPage + 1 && page !== task.raPage - 1) pages = 1;
  } else {
    let roundup = 4;
    while (roundup < pages) roundup *= 2;
    pages = roundup;
  }
  pages = Math.min(pages, most);
  // Not less than half of the last window.
  pages = Math.max(pages, Math.floor(task.raWindow / 2));
  task.raDirection = page === task.raPage + 1 ? 1 : page === task.raPage - 1 ? -1 : 0;
  task.raPage = page;
  task.raWindow = pages;
  task.raHits = 0;
  return pages;
}

/** The range [from, to) of the window: ahead, behind, or around the fault; inside the mapping and one page table. */
export function readaheadRange(task: Process, page: number, window: number): [number, number] {
  let from = page - ((window - 1) >> 1);
  if (task.raDirection === 1) from = page;
  else if (task.raDirection === -1) from = page - window + 1;
  const table = page - (page % TABLE_PAGES);
  const end = page < task.sizePages ? task.sizePages : task.pte.length;
  const start = page < task.sizePages ? 0 : task.sizePages;
  return [Math.max(from, table, start), Math.min(from + window, table + TABLE_PAGES, end)];
}

/** A fault finds its page in the swap cache (swap_update_readahead): it counts as the last fault, and as a hit if it was read ahead. */
export function faultOnCached(mm: Mm, task: Process, page: number, folio: number): void {
  task.raPage = page;
  if ((mm.folios.flags[folio] & FOLIO.readahead) === 0) return;
  mm.folios.flags[folio] &= ~FOLIO.readahead;
  mm.events.swap_ra_hit++;
  if (task.raHits < HITS_MAX) task.raHits++;
}
