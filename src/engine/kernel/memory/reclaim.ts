/**
 * Reclaim of anonymous memory: two lists with a second chance by the accessed bit, priorities 12 to 0, batches.
 * Source: mm/vmscan.c (6.18, classic LRU).
 *
 * Batched page-out (policy `batchedPageout`, 7.3) is assumed. Real 7.3 kernels at rest hold folios that have slots, are
 * unmapped, and were never written: about 63 for each large folio that direct reclaim took out, and hardly any where only
 * small folios went (guest-captures of 7.3, states 2, 4 and 5: SwapCached plus what khugepaged reclaimed later is 1456, 1406
 * and 1435 pages after 23 huge pages each). Modelled so: a pass looks at up to 64 folios (MAX_LRU_BATCH) at the old end and
 * takes at most one large one with the small ones; all of them get slots and are unmapped; the large folio is written at once,
 * small ones are queued, and the queue is sent only if the goal is not met yet. What is not sent stays in the swap cache and
 * goes back to the young end. Without large folios every queue is sent, so nothing lingers.
 */
import { offsetOf, typeOf, type Entry } from '../swap/types';
import { THP_STAT } from './counters';
import { FOLIO } from './folios';
import { STAT, swapPagesFor, type Memcg } from './memcg';
import type { Mm } from './mm';
import { effectiveProtection } from './protection';
import { swapCanGo } from './sharing';
import { kindOf, SLOT, type SlotTable } from './slots';
import { allocSwap, evict, REFUSED, splitFolio, UNDER_WRITEBACK, unmap, writeOut, WRITTEN } from './swapout';

export const SWAP_CLUSTER_MAX = 32;
const MAX_LRU_BATCH = 64;
const DEF_PRIORITY = 12;
const SWPOUT_FALLBACK = THP_STAT.indexOf('swpout_fallback');

const batch: number[] = [];
const queue: number[] = [];
/** Pages isolated by the last pass. */
let scanned = 0;
/** Slot behind the last one that the pass took. */
let nextAdjacent = 0;
/** No slot can be had: only folios that have one already are of use to the pass. */
let swapCacheOnly = false;

/** Takes folios off the old end of the inactive list into `batch`. */
function isolate(mm: Mm, memcg: Memcg, budget: number): void {
  const { folios, lru } = mm;
  batch.length = 0;
  scanned = 0;
  let folio = lru.tail[2 * memcg.id];
  if (!mm.config.policies.batchedPageout) {
    while (folio !== 0 && scanned < budget) {
      const before = folios.prev[folio];
      lru.remove(folio);
      batch.push(folio);
      scanned += 1 << folios.order[folio];
      folio = before;
    }
    return;
  }
  let large = false;
  for (let visited = 0; visited < MAX_LRU_BATCH && folio !== 0; visited++) {
    const before = folios.prev[folio];
    const isLarge = folios.order[folio] > 0;
    if (!isLarge || !large) {
      lru.remove(folio);
      batch.push(folio);
      scanned += 1 << folios.order[folio];
      large = large || isLarge;
    }
    folio = before;
  }
}

/** Back to the young end of the inactive list. */
function keep(mm: Mm, folio: number): void {
  if ((mm.folios.flags[folio] & FOLIO.swapcache) !== 0) mm.indexSwapCache(folio);
  mm.lru.add(folio);
}

function activate(mm: Mm, memcg: Memcg, folio: number): void {
  const { folios } = mm;
  const pages = 1 << folios.order[folio];
  const flags = folios.flags[folio];
  if ((flags & FOLIO.swapcache) !== 0) {
    mm.indexSwapCache(folio);
    if ((flags & FOLIO.mapped) !== 0 && swapIsFull(mm, memcg) && swapCanGo(mm, folio)) mm.freeSwapOf(folio);
  }
  folios.flags[folio] |= FOLIO.active;
  memcg.stat[STAT.activate] += pages;
  mm.lru.add(folio);
}

/** mem_cgroup_swap_full. */
export function swapIsFull(mm: Mm, memcg: Memcg): boolean {
  if (mm.swap.isSwapFull()) return true;
  for (let at: Memcg | null = memcg; at !== null && at.parent !== null; at = at.parent) {
    if (at.swapCurrentPages * 2 >= Math.min(at.swapMaxPages, at.swapHighPages)) return true;
  }
  return false;
}

/** Writes an unmapped folio; returns the pages that became free. */
function writeFolio(mm: Mm, memcg: Memcg, folio: number): number {
  const pages = 1 << mm.folios.order[folio];
  const result = writeOut(mm, folio);
  if (result === WRITTEN) {
    evict(mm, folio);
    return pages;
  }
  if (result === UNDER_WRITEBACK) {
    mm.beginWriteback(folio);
    keep(mm, folio);
  } else if (result === REFUSED) {
    activate(mm, memcg, folio);
  }
  return 0;
}

/** Does the slot hold what the page holds? Not after an exclusive load of zswap: the page counts as dirty. */
function isStored(mm: Mm, entry: Entry): boolean {
  return kindOf((mm.slots[typeOf(entry)] as SlotTable).info(offsetOf(entry))) !== SLOT.cacheOnly;
}

/** Slots for a folio of the pass, counted with the runs that they make unless the process itself asked for page-out. */
function takeSlots(mm: Mm, folio: number, asked: boolean): boolean {
  if (!allocSwap(mm, folio)) return false;
  if (asked) return true;
  const entry = mm.folios.swap[folio];
  const pages = 1 << mm.folios.order[folio];
  mm.reclaimBatches.slots += pages;
  if (entry !== nextAdjacent) mm.reclaimBatches.runs++;
  nextAdjacent = entry + pages;
  return true;
}

/**
 * shrink_folio_list over `batch`. Returns the pages reclaimed. `ignoreReferences`: page-out asked for by the process itself.
 */
function shrinkBatch(mm: Mm, memcg: Memcg, goal: number, ignoreReferences: boolean): number {
  const { folios } = mm;
  const batched = mm.config.policies.batchedPageout && !ignoreReferences;
  let reclaimed = 0;
  nextAdjacent = 0;
  queue.length = 0;
  for (let i = 0; i < batch.length; i++) {
    const folio = batch[i];
    const flags = folios.flags[folio];
    mm.spent += mm.costs.scanFolio;
    if ((flags & FOLIO.writeback) !== 0 || folio === mm.pinned) {
      keep(mm, folio);
      continue;
    }
    if (!ignoreReferences && (flags & FOLIO.mapped) !== 0) {
      if ((flags & FOLIO.young) !== 0) {
        if ((flags & FOLIO.referenced) !== 0) {
          folios.flags[folio] = flags & ~FOLIO.young;
          activate(mm, memcg, folio);
        } else {
          folios.flags[folio] = (flags & ~FOLIO.young) | FOLIO.referenced;
          keep(mm, folio);
        }
        continue;
      }
      folios.flags[folio] = flags & ~FOLIO.referenced;
    }
    if (swapCacheOnly && (flags & FOLIO.swapcache) === 0) {
      keep(mm, folio);
      continue;
    }
    if ((flags & FOLIO.swapcache) === 0 && !takeSlots(mm, folio, ignoreReferences)) {
      const order = folios.order[folio];
      if (order === 0) {
        activate(mm, memcg, folio);
        continue;
      }
      if (order === 9) memcg.stat[STAT.thpSwpoutFallback]++;
      mm.thp(order, SWPOUT_FALLBACK);
      splitFolio(mm, folio, batch, i + 1);
      if (!takeSlots(mm, folio, ignoreReferences)) {
        activate(mm, memcg, folio);
        continue;
      }
    }
    if ((folios.flags[folio] & FOLIO.mapped) !== 0) {
      if ((flags & FOLIO.swapcache) !== 0 && swapCanGo(mm, folio)) mm.cacheOnlySlots -= 1 << folios.order[folio];
      unmap(mm, folio);
    }
    if ((folios.flags[folio] & FOLIO.dirty) === 0 && isStored(mm, folios.swap[folio])) {
      reclaimed += 1 << folios.order[folio];
      evict(mm, folio);
    } else if (batched && folios.order[folio] === 0) {
      queue.push(folio);
    } else {
      reclaimed += writeFolio(mm, memcg, folio);
    }
  }
  if (queue.length > 0) {
    const send = reclaimed < goal;
    for (let i = 0; i < queue.length; i++) {
      if (send) reclaimed += writeFolio(mm, memcg, queue[i]);
      else keep(mm, queue[i]);
    }
  }
  return reclaimed;
}

function shrinkInactive(mm: Mm, memcg: Memcg, budget: number, goal: number): number {
  isolate(mm, memcg, budget);
  if (batch.length === 0) return 0;
  const looked = scanned;
  const reclaimed = shrinkBatch(mm, memcg, goal, false);
  const { stat } = memcg;
  const scanAt = mm.reclaimer === 'kswapd' ? STAT.scanKswapd : mm.reclaimer === 'direct' ? STAT.scanDirect : STAT.scanProactive;
  const stealAt = mm.reclaimer === 'kswapd' ? STAT.stealKswapd : mm.reclaimer === 'direct' ? STAT.stealDirect : STAT.stealProactive;
  stat[scanAt] += looked;
  stat[stealAt] += reclaimed;
  stat[STAT.scan] += looked;
  stat[STAT.steal] += reclaimed;
  mm.events.pgscan_anon += looked;
  mm.events.pgsteal_anon += reclaimed;
  if (looked > reclaimed) mm.events.pgrotate_anon += looked - reclaimed;
  return reclaimed;
}

/** shrink_active_list: anonymous folios go to the inactive list whether accessed or not, their accessed bit cleared. */
function shrinkActive(mm: Mm, memcg: Memcg, budget: number): void {
  const { folios, lru } = mm;
  let looked = 0;
  let folio = lru.tail[2 * memcg.id + 1];
  while (folio !== 0 && looked < budget) {
    const before = folios.prev[folio];
    const pages = 1 << folios.order[folio];
    lru.remove(folio);
    folios.flags[folio] &= ~(FOLIO.active | FOLIO.young);
    lru.add(folio);
    memcg.stat[STAT.deactivate] += pages;
    looked += pages;
    mm.spent += mm.costs.scanFolio;
    folio = before;
  }
  memcg.stat[STAT.refill] += looked;
}

function inactiveIsLow(mm: Mm, memcg: Memcg): boolean {
  const inactive = mm.lru.inactive(memcg.id);
  const active = mm.lru.active(memcg.id);
  const gib = Math.floor((inactive + active) / 262144);
  const ratio = gib > 0 ? Math.floor(Math.sqrt(10 * gib)) : 1;
  return inactive * ratio < active;
}

/** How much of a list a pass at this priority looks at (get_scan_count): the less, the more of the cgroup is protected. */
function scanTarget(memcg: Memcg, size: number, priority: number, spared: number): number {
  let pages = size;
  if (spared > 0) {
    const usage = Math.max(memcg.currentPages, spared);
    pages = Math.max(size - Math.floor((size * spared) / (usage + 1)), SWAP_CLUSTER_MAX);
  }
  pages = Math.floor(pages / (1 << priority));
  // What a removed cgroup has left goes first.
  return pages === 0 && !memcg.online ? Math.min(size, SWAP_CLUSTER_MAX) : pages;
}

/** shrink_lruvec of one cgroup at one priority; `spared`: pages protected from this pass. */
function shrinkLruvec(mm: Mm, memcg: Memcg, priority: number, goal: number, spared: number): number {
  let inactive = scanTarget(memcg, mm.lru.inactive(memcg.id), priority, spared);
  let active = scanTarget(memcg, mm.lru.active(memcg.id), priority, spared);
  let reclaimed = 0;
  while (inactive > 0 || active > 0) {
    if (active > 0) {
      const budget = Math.min(active, SWAP_CLUSTER_MAX);
      active -= budget;
      if (inactiveIsLow(mm, memcg)) shrinkActive(mm, memcg, budget);
    }
    if (inactive > 0) {
      const budget = Math.min(inactive, SWAP_CLUSTER_MAX);
      inactive -= budget;
      reclaimed += shrinkInactive(mm, memcg, budget, goal - reclaimed);
    }
    if (reclaimed >= goal) break;
  }
  mm.flushDevices();
  if (inactiveIsLow(mm, memcg)) shrinkActive(mm, memcg, SWAP_CLUSTER_MAX);
  return reclaimed;
}

/**
 * Is there anything to gain from a cgroup? A slot to be had, or with batched page-out folios that were left unmapped in the
 * swap cache: those need none (assumed; at the OOM kill of state 7 the real kernel has written all but three).
 */
function canReclaimAnon(mm: Mm, memcg: Memcg, global: boolean): boolean {
  if (mm.swappiness === 0 && !global) return false;
  swapCacheOnly = swapPagesFor(memcg, mm.swap.nrSwapPages) <= 0;
  if (!swapCacheOnly) return true;
  return mm.config.policies.batchedPageout && mm.swapCachePages > mm.cacheOnlySlots && memcg.stat[STAT.swapcached] > 0;
}

/**
 * try_to_free_mem_cgroup_pages, or for null try_to_free_pages: reclaims at least `pages` (a batch at least) below `target`, if
 * it can. Returns the pages reclaimed. When nothing but folios under writeback is left, it waits for the device.
 */
export function tryToFreePages(mm: Mm, target: Memcg | null, pages: number): number {
  if (mm.inReclaim) return 0;
  mm.inReclaim = true;
  const goal = Math.max(pages, SWAP_CLUSTER_MAX);
  const top = target ?? mm.root;
  let reclaimed = 0;
  mm.completeWriteback();
  for (let round = 0; round < 2 && reclaimed === 0; round++) {
    let skipped = false;
    for (let priority = DEF_PRIORITY; priority >= 0; priority--) {
      let pass = 0;
      top.walk((memcg) => {
        const min = effectiveProtection(top, memcg, 'minPages');
        if (memcg !== top && min >= memcg.currentPages) return;
        const low = effectiveProtection(top, memcg, 'lowPages');
        if (memcg !== top && low >= memcg.currentPages) {
          if (round === 0) {
            skipped = true;
            return;
          }
          memcg.raise('low');
        }
        if (!canReclaimAnon(mm, memcg, target === null)) return;
        if (round === 0 && low > min) skipped = true;
        pass += shrinkLruvec(mm, memcg, priority, goal - reclaimed - pass, round === 0 ? Math.max(min, low) : min);
      });
      reclaimed += pass;
      if (reclaimed >= goal) break;
      if (pass === 0 && mm.waitForWriteback()) priority++;
    }
    if (!skipped) break;
  }
  mm.inReclaim = false;
  if (target === null && reclaimed > 0) mm.kswapdFailures = 0;
  return reclaimed;
}

/** reclaim_pages: pages folios out whether they were accessed or not (MADV_PAGEOUT). They must be on the LRU. */
export function pageOutFolio(mm: Mm, memcg: Memcg, folio: number): number {
  mm.lru.remove(folio);
  mm.folios.flags[folio] &= ~(FOLIO.active | FOLIO.young | FOLIO.referenced);
  batch.length = 0;
  batch.push(folio);
  swapCacheOnly = false;
  mm.inReclaim = true;
  const reclaimed = shrinkBatch(mm, memcg, Infinity, true);
  mm.inReclaim = false;
  return reclaimed;
}
