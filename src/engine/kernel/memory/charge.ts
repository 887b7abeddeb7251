/**
 * Charges that may reclaim and, at the end, kill; and page allocation with the watermarks of the machine.
 * Source: try_charge_memcg (mm/memcontrol.c), __alloc_pages_slowpath (mm/page_alloc.c).
 */
import { CHARGE_BATCH, type Memcg } from './memcg';
import type { Mm } from './mm';
import { outOfMemory, type OomCause } from './oom';
import type { Process } from './process';
import { tryToFreePages } from './reclaim';

const MAX_RECLAIM_RETRIES = 16;
/** 1 << PAGE_ALLOC_COSTLY_ORDER. */
const COSTLY_PAGES = 8;

/** Charges pages to a cgroup. `mayReclaim` false: GFP_TRANSHUGE_LIGHT and the like, which fail at once and count nothing. */
export function tryCharge(mm: Mm, memcg: Memcg, pages: number, mayReclaim: boolean, cause: OomCause = 'charge'): boolean {
  const full = mm.chargeOrFull(memcg, pages);
  if (full === null) return true;
  if (mm.inReclaim) {
    mm.chargeForced(memcg, pages);
    return true;
  }
  if (!mayReclaim) return false;
  return chargeSlow(mm, memcg, pages, full, cause);
}

function chargeSlow(mm: Mm, memcg: Memcg, pages: number, first: Memcg, cause: OomCause): boolean {
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
      if (full.margin() < pages && !outOfMemory(mm, full, cause)) return false;
      if (mm.current !== undefined && !mm.current.alive) return false;
      retries = MAX_RECLAIM_RETRIES;
    }
    full = mm.chargeOrFull(memcg, pages);
    if (full === null) return true;
  }
}

/** Ticks of the timer a second (CONFIG_HZ of the recorded kernels); throttling is computed in them. */
const HZ = 250;
const NS_PER_TICK = 1e9 / HZ;
const OVERAGE_ONE = 1048576;
const DELAY_SCALE = 16384;
const MAX_DELAY_TICKS = 2 * HZ;

/** How far the worst of a cgroup and its ancestors is above its limit, as a share of the limit in units of 2^-20. */
function maxOverage(memcg: Memcg, swap: boolean): number {
  let most = 0;
  for (let at: Memcg | null = memcg; at !== null && at.parent !== null; at = at.parent) {
    const usage = swap ? at.swapCurrentPages : at.currentPages;
    const high = Math.max(1, swap ? at.swapHighPages : at.highPages);
    if (usage <= high) continue;
    const overage = Math.floor(((usage - high) * OVERAGE_ONE) / high);
    if (overage > 0 && swap) at.raiseSwap('high');
    most = Math.max(most, overage);
  }
  return most;
}

/** calculate_high_delay: grows with the square of the overage. Ticks. */
function highDelay(pages: number, overage: number): number {
  const ticks = Math.floor((overage * overage * HZ) / OVERAGE_ONE / DELAY_SCALE);
  return Math.floor((ticks * pages) / CHARGE_BATCH);
}

/**
 * memory.high and memory.swap.high, on the way back to user space: what was charged above them since the last time is
 * reclaimed; while that does not help, the process is held up (__mem_cgroup_handle_over_high).
 */
export function handleOverHigh(mm: Mm, task: Process): void {
  const pages = task.overHighPages;
  task.overHighPages = 0;
  let retries = MAX_RECLAIM_RETRIES;
  for (let goal = pages; ; goal = 32) {
    let reclaimed = 0;
    for (let at: Memcg | null = task.cgroup; at !== null && at.parent !== null; at = at.parent) {
      if (at.currentPages <= at.highPages) continue;
      at.raise('high');
      mm.reclaimer = 'direct';
      reclaimed += tryToFreePages(mm, at, goal);
    }
    const delay = highDelay(pages, maxOverage(task.cgroup, false)) + highDelay(pages, maxOverage(task.cgroup, true));
    if (delay <= HZ / 100) return;
    if (reclaimed === 0 && retries-- <= 0) {
      mm.spent += Math.min(delay, MAX_DELAY_TICKS) * NS_PER_TICK;
      return;
    }
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
