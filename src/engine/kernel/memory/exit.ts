/** The end of a process, and dropping parts of its memory. Source: exit_mmap, zap_pte_range, free_swap_and_cache_nr. */
import { offsetOf, typeOf } from '../swap/types';
import { FOLIO } from './folios';
import type { Memcg } from './memcg';
import { STAT } from './memcg';
import { restoreMapping } from './mapping';
import { reapOffline } from './memcg-reap';
import type { Mm } from './mm';
import { folioOf, isResident, type Process } from './process';
import { swapIsFull } from './reclaim';
import { isShared, passOn, slotUsers, swapCanGo } from './sharing';
import type { SlotTable } from './slots';
import { splitFolio } from './swapout';

/** Takes a folio out of the LRU, the swap cache and the writeback queue, and frees it with its slots. */
function destroyFolio(mm: Mm, folio: number): void {
  const { folios } = mm;
  const flags = folios.flags[folio];
  if ((flags & FOLIO.writeback) !== 0) mm.writeback.forget(mm, folio);
  mm.lru.remove(folio);
  if ((folios.flags[folio] & FOLIO.swapcache) !== 0) mm.freeSwapOf(folio);
  if ((folios.flags[folio] & FOLIO.mapped) !== 0) mm.accountMapped(folio, -1);
  mm.releaseFolio(folio);
}

/** A process whose page table maps a folio no more, all its entries for it cleared or replaced: the last one frees it. */
export function dropMapping(mm: Mm, task: Process, folio: number): void {
  const { folios } = mm;
  const pages = 1 << folios.order[folio];
  const extra = mm.extraMappers.get(folio) ?? 0;
  if (extra > 0) {
    if (extra === 1) mm.extraMappers.delete(folio);
    else mm.extraMappers.set(folio, extra - 1);
    task.rssAnonPages -= pages;
    passOn(mm, folio, task);
  } else if (slotUsers(mm, folio) > 0) {
    // It stays in the swap cache for those who name its slots (free_swap_cache finds them in use).
    mm.accountMapped(folio, -1);
    folios.flags[folio] &= ~FOLIO.mapped;
    passOn(mm, folio, task);
  } else {
    destroyFolio(mm, folio);
  }
}

const single: number[] = [];

/**
 * split_folio of a folio on the LRU; one in the swap cache gives up its slots first if nobody names them (simplified). `counted`: see
 * splitFolio.
 */
export function splitOnLru(mm: Mm, folio: number, counted = true): void {
  mm.lru.remove(folio);
  if ((mm.folios.flags[folio] & FOLIO.swapcache) !== 0) {
    if (swapCanGo(mm, folio)) mm.freeSwapOf(folio);
    else if ((mm.folios.flags[folio] & FOLIO.writeback) !== 0) mm.writeback.forget(mm, folio);
  }
  single.length = 0;
  splitFolio(mm, folio, single, 0, counted);
  mm.lru.add(folio);
  for (const tail of single) mm.lru.add(tail);
}

/** Frees whatever pages from … to-1 of a process hold. Large folios that stick out are split first (simplified). */
export function zapRange(mm: Mm, task: Process, from: number, to: number): void {
  const { pte } = task;
  let page = from;
  while (page < to) {
    const value = pte[page];
    if (value === 0) {
      page++;
    } else if (isResident(value)) {
      page += zapResident(mm, task, folioOf(value), page, to);
    } else {
      page += zapEntries(mm, task, page, to);
    }
  }
}

function clearPtes(task: Process, page: number, count: number): void {
  for (let i = page; i < page + count; i++) {
    task.pte[i] = 0;
    task.populated[i >>> 9]--;
    if (i < task.sizePages) task.touchedPages--;
  }
}

function zapResident(mm: Mm, task: Process, folio: number, page: number, to: number): number {
  const { folios } = mm;
  const first = folios.page[folio];
  const pages = 1 << folios.order[folio];
  if (pages > 1 && (first < page || first + pages > to)) {
    splitOnLru(mm, folio, !isShared(mm, folio));
    return 0;
  }
  if (isShared(mm, folio)) dropMapping(mm, task, folio);
  else destroyFolio(mm, folio);
  clearPtes(task, first, pages);
  mm.spent += mm.costs.freePage * pages;
  return pages;
}

/** A run of consecutive entries goes back in one call, as swap_pte_batch finds it; never across a cluster. */
function zapEntries(mm: Mm, task: Process, page: number, to: number): number {
  const entry = task.pte[page];
  const table = mm.slots[typeOf(entry)] as SlotTable;
  const cached = mm.cachedFolio(entry);
  if (cached !== 0 && isShared(mm, cached)) return zapSharedEntries(mm, task, cached, page, to);
  if (cached !== 0) {
    // Unmapped, resting in the swap cache: the last reference to its slots is going.
    const first = mm.folios.page[cached];
    const pages = 1 << mm.folios.order[cached];
    if (first < page || first + pages > to) {
      restoreMapping(mm, task, cached);
      splitOnLru(mm, cached);
      return 0;
    }
    task.swapEntries -= pages;
    table.dropUser(offsetOf(entry), pages);
    destroyFolio(mm, cached);
    clearPtes(task, first, pages);
    mm.spent += mm.costs.freePage * pages;
    return pages;
  }
  let count = 1;
  while (page + count < to && ((entry + count) & 511) !== 0 && task.pte[page + count] === entry + count && mm.cachedFolio(entry + count) === 0) {
    count++;
  }
  task.swapEntries -= count;
  clearPtes(task, page, count);
  table.dropUser(offsetOf(entry), count);
  if (mm.forked) freeUnused(mm, table, entry, count);
  else mm.freeSlots(entry, count);
  mm.spent += mm.costs.freePage * count;
  return count;
}

/** Of slots in a row, none in the swap cache, those that nobody names any more go back, runs of them in one call. */
function freeUnused(mm: Mm, table: SlotTable, entry: number, count: number): void {
  for (let at = 0; at < count;) {
    let run = 0;
    while (at + run < count && table.users(offsetOf(entry) + at + run) === 0) run++;
    if (run > 0) mm.freeSlots(entry + at, run);
    at += run + 1;
  }
}

/** The entries of a folio in the swap cache that others map or name too. */
function zapSharedEntries(mm: Mm, task: Process, folio: number, page: number, to: number): number {
  const { folios } = mm;
  const first = folios.page[folio];
  const pages = 1 << folios.order[folio];
  if (first < page || first + pages > to) {
    splitOnLru(mm, folio, false);
    return 0;
  }
  const entry = folios.swap[folio];
  task.swapEntries -= pages;
  (mm.slots[typeOf(entry)] as SlotTable).dropUser(offsetOf(entry), pages);
  passOn(mm, folio, task);
  clearPtes(task, first, pages);
  mm.spent += mm.costs.freePage * pages;
  if (slotUsers(mm, folio) > 0) return pages;
  // Only page tables that map it are left (__try_to_reclaim_swap with TTRS_FULL).
  mm.cacheOnlySlots += pages;
  const memcg = mm.memcgs[folios.memcg[folio]] as Memcg;
  if ((folios.flags[folio] & FOLIO.writeback) === 0 && swapIsFull(mm, memcg)) mm.freeSwapOf(folio);
  return pages;
}

/** Frees all memory of a process and takes it off its cgroup. It stays in the process list as ended or killed. */
export function exitProcess(mm: Mm, task: Process, killed: boolean): void {
  const cpu = mm.cpu;
  mm.cpu = task.cpu;
  task.state = killed ? 'killed' : 'ended';
  const touched = task.touchedPages;
  zapRange(mm, task, 0, task.pte.length);
  task.touchedPages = touched;
  const memcg: Memcg = task.tableMemcg;
  memcg.stat[STAT.pagetables] -= task.tablePages;
  memcg.stat[STAT.slab] -= task.slabPages;
  const pages = task.tablePages + task.slabPages;
  for (let i = 0; i < pages; i++) mm.unchargeKernel(memcg, 1);
  mm.kernelPages -= pages;
  mm.givePages(pages);
  mm.kswapdFailures = 0;
  task.tablePages = 0;
  task.slabPages = 0;
  const { pids } = task.cgroup;
  const at = pids.indexOf(task.pid);
  if (at >= 0) pids.splice(at, 1);
  leaveFamily(task);
  task.release();
  reapOffline(mm);
  mm.cpu = cpu;
}

function leaveFamily(task: Process): void {
  if (task.family === null) return;
  task.family.splice(task.family.indexOf(task), 1);
  task.family = null;
}

/** Drops the swap of a type that no page table refers to: folios that are mapped and in the swap cache. */
export function dropCachedSlots(mm: Mm, type: number): void {
  const folios = new Set<number>();
  for (const [entry, folio] of mm.swapCache) {
    if (typeOf(entry) === type && (mm.folios.flags[folio] & FOLIO.mapped) !== 0 && swapCanGo(mm, folio)) folios.add(folio);
  }
  for (const folio of folios) mm.freeSwapOf(folio);
}
