/**
 * Charges that may reclaim and, at the end, kill; and page allocation with the watermarks of the machine.
 * Source: try_charge_memcg (mm/memcontrol.c), __alloc_pages_slowpath (mm/page_alloc.c).
 */
import type { Memcg } from './memcg';
import type { Mm } from './mm';
import { outOfMemory } from './oom';
import { tryToFreePages } from './reclaim';

const MAX_RECLAIM_RETRIES = 16;
/** 1 << PAGE_ALLOC_COSTLY_ORDER. */
const COSTLY_PAGES = 8;

/** Charges pages to a cgroup. `mayReclaim` false: GFP_TRANSHUGE_LIGHT and the like, which fail at once and count nothing. */
export function tryCharge(mm: Mm, memcg: Memcg, pages: number, mayReclaim: boolean): boolean {
  const full = mm.chargeOrFull(memcg, pages);
  if (full === null) return true;
  if (mm.inReclaim) {
    mm.chargeForced(memcg, pages);
    return true;
  }
  if (!mayReclaim) return false;
  return chargeSlow(mm, memcg, pages, full);
}

function chargeSlow(mm: Mm, memcg: Memcg, pages: number, first: Memcg): boolean {
  let full: Memcg | null = first;
  let retries = MAX_RECLAIM_RETRIES;
  let drained = false;
  for (;;) {
    full.raise('max');
    mm.reclaimer = 'direct';
    const reclaimed = tryToFreePages(mm, full, pages);
    let again = full.margin() >= pages;
    if (!again && !drained) {
      mm.drainStocks(full);
      drained = true;
      again = true;
    }
    if (!again && reclaimed > 0 && pages <= COSTLY_PAGES) again = true;
    if (!again && retries-- > 0) again = true;
    if (!again) {
      if (pages > COSTLY_PAGES) return false;
      full.raise('oom');
      // The killer looks again under its lock: somebody may have freed enough meanwhile.
      if (full.margin() < pages && !outOfMemory(mm, full, 'charge')) return false;
      if (mm.current !== undefined && !mm.current.alive) return false;
      retries = MAX_RECLAIM_RETRIES;
    }
    full = mm.chargeOrFull(memcg, pages);
    if (full === null) return true;
  }
}

/** memory.high: work off the excess on the way back to user space (mem_cgroup_handle_over_high). */
export function reclaimOverHigh(mm: Mm, memcg: Memcg): void {
  for (let at: Memcg | null = memcg; at !== null && at.parent !== null; at = at.parent) {
    if (at.currentPages <= at.highPages) continue;
    at.raise('high');
    mm.reclaimer = 'direct';
    tryToFreePages(mm, at, Math.max(32, Math.min(at.currentPages - at.highPages, 512)));
  }
}

/** A page or a run of pages from the free ones; direct reclaim below the low mark's reserve, then the global OOM killer. */
export function allocPages(mm: Mm, pages: number, mayReclaim: boolean): boolean {
  for (let retries = MAX_RECLAIM_RETRIES; ; retries--) {
    if (mm.freePages - pages >= mm.wmarkMin && mm.takePages(pages)) return true;
    if (mm.inReclaim) return mm.takePages(pages);
    if (!mayReclaim) return false;
    mm.events.allocstall_normal++;
    mm.reclaimer = 'direct';
    if (tryToFreePages(mm, null, pages) > 0 && retries > -64) continue;
    if (retries > 0) continue;
    if (!outOfMemory(mm, null, 'alloc')) return false;
    if (mm.current !== undefined && !mm.current.alive) return false;
    retries = MAX_RECLAIM_RETRIES;
  }
}
