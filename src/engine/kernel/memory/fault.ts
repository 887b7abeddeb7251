/**
 * Page faults on anonymous memory. Source: do_anonymous_page, do_huge_pmd_anonymous_page, do_swap_page (mm/memory.c,
 * mm/huge_memory.c). Writes to mapped pages: cow.ts.
 */
import { offsetOf, typeOf, type Entry } from '../swap/types';
import { allocPages, handleOverHigh, tryCharge } from './charge';
import { THP_STAT } from './counters';
import { wpPage, writeFault } from './cow';
import type { BackingDevice } from './devices';
import { FOLIO } from './folios';
import { bringInLarge } from './large-swapin';
import { map, restoreMapping } from './mapping';
import { STAT } from './memcg';
import type { Mm } from './mm';
import {
  BASE_SLAB_PAGES, BASE_TABLE_PAGES, isResident, isSwapEntry, largeFolioEnd, PTE_RESIDENT, type Process,
} from './process';
import { faultOnCached, readaheadRange, readaheadWindow } from './readahead';
import type { SlotTable } from './slots';
import { bringIn, readIntoCache, settleSlot } from './swapin';
import { thpEnabled } from './thp';

const FAULT_ALLOC = THP_STAT.indexOf('anon_fault_alloc');
const FAULT_FALLBACK = THP_STAT.indexOf('anon_fault_fallback');
const FAULT_FALLBACK_CHARGE = THP_STAT.indexOf('anon_fault_fallback_charge');

/**
 * The process touches a page. False: it was killed meanwhile. Cost goes to mm.spent. The caller has set mm.cpu and mm.current.
 */
export function touchPage(mm: Mm, task: Process, page: number, write: boolean): boolean {
  const value = task.pte[page];
  if (value >= PTE_RESIDENT) {
    const folio = value & 0x07ffffff;
    const flags = mm.folios.flags[folio];
    mm.folios.flags[folio] = flags | FOLIO.young;
    mm.spent += mm.costs.touch;
    if (!write) return true;
    if (task.cow !== null && task.cow[page] !== 0) return protectedWrite(mm, task, page);
    if ((flags & (FOLIO.swapcache | FOLIO.dirty)) === FOLIO.swapcache) writeFault(mm, task, page);
    return true;
  }
  const done = value === 0 ? anonFault(mm, task, page) : swapFault(mm, task, page, value, write);
  if (done && task.overHighPages > 0) handleOverHigh(mm, task);
  return done && task.alive;
}

/** A store to a page that is or was shared. */
function protectedWrite(mm: Mm, task: Process, page: number): boolean {
  const done = writeFault(mm, task, page);
  if (done && task.overHighPages > 0) handleOverHigh(mm, task);
  return done && task.alive;
}

/** Charges a page table for the 2 MiB around `page`, if there is none yet. */
export function tableFor(mm: Mm, task: Process, page: number): boolean {
  const at = page >>> 9;
  if (task.tables[at] === 1 || page >= task.sizePages) return true;
  if (!chargeKernelPages(mm, task, 1)) return false;
  task.tables[at] = 1;
  task.tablePages++;
  task.tableMemcg.stat[STAT.pagetables]++;
  return true;
}

/** What a process has besides tables for its memory: upper page tables, tables for text, data and stack, slab. False: killed for it. */
export function chargeBase(mm: Mm, task: Process): boolean {
  for (let i = 0; i < BASE_TABLE_PAGES && mm.current?.alive !== false && chargeKernelPages(mm, task, 1); i++) {
    task.tablePages++;
    task.tableMemcg.stat[STAT.pagetables]++;
  }
  for (let i = 0; i < BASE_SLAB_PAGES && mm.current?.alive !== false && chargeKernelPages(mm, task, 1); i++) {
    task.slabPages++;
    task.tableMemcg.stat[STAT.slab]++;
  }
  return task.tablePages >= BASE_TABLE_PAGES && task.slabPages >= BASE_SLAB_PAGES;
}

/** Charges and takes pages for page tables or slab of a process. */
export function chargeKernelPages(mm: Mm, task: Process, pages: number): boolean {
  if (!tryCharge(mm, task.tableMemcg, pages, true)) return false;
  if (!allocPages(mm, pages, true)) {
    mm.uncharge(task.tableMemcg, pages);
    return false;
  }
  task.tableMemcg.kmemPages += pages;
  mm.kernelPages += pages;
  return true;
}

function rangeEmpty(task: Process, from: number, pages: number): boolean {
  for (let i = from; i < from + pages; i++) if (task.pte[i] !== 0) return false;
  return true;
}

/** Tries the enabled sizes from the largest down. Returns the folio, or 0. */
function largeFolio(mm: Mm, task: Process, page: number): number {
  for (let order = 9; order > 1; order--) {
    if (!thpEnabled(mm, order)) continue;
    const pages = 1 << order;
    const first = page - (page % pages);
    if (first + pages > largeFolioEnd(task)) continue;
    if (order === 9 ? task.tables[first >>> 9] === 1 : !rangeEmpty(task, first, pages)) continue;
    const memcg = task.cgroup;
    if (!allocPages(mm, pages, false)) {
      mm.thp(order, FAULT_FALLBACK);
      if (order === 9) mm.events.thp_fault_fallback++;
      continue;
    }
    if (!tryCharge(mm, memcg, pages, false)) {
      mm.givePages(pages);
      mm.thp(order, FAULT_FALLBACK);
      mm.thp(order, FAULT_FALLBACK_CHARGE);
      if (order === 9) {
        mm.events.thp_fault_fallback++;
        mm.events.thp_fault_fallback_charge++;
      }
      continue;
    }
    if (!tableFor(mm, task, first)) {
      mm.uncharge(memcg, pages);
      mm.givePages(pages);
      return 0;
    }
    mm.thp(order, FAULT_ALLOC);
    if (order === 9) memcg.stat[STAT.thpFaultAlloc]++;
    mm.spent += (order === 9 ? mm.costs.hugeFault : mm.costs.minorFault) + mm.costs.zeroPage * pages;
    return mm.newFolio(task, first, order, memcg);
  }
  return 0;
}

function anonFault(mm: Mm, task: Process, page: number): boolean {
  const memcg = task.cgroup;
  memcg.stat[STAT.fault]++;
  if (mm.anyLarge && page < task.sizePages) {
    const folio = largeFolio(mm, task, page);
    if (folio !== 0) {
      map(mm, task, folio, true);
      mm.lru.add(folio);
      return true;
    }
  }
  if (!tableFor(mm, task, page)) return false;
  if (!allocPages(mm, 1, true)) return false;
  if (!tryCharge(mm, memcg, 1, true)) {
    mm.givePages(1);
    return false;
  }
  if (!task.alive) {
    mm.uncharge(memcg, 1);
    mm.givePages(1);
    return false;
  }
  const folio = mm.newFolio(task, page, 0, memcg);
  map(mm, task, folio, true);
  mm.lru.add(folio);
  mm.spent += mm.costs.minorFault;
  return true;
}

/** do_swap_page. */
function swapFault(mm: Mm, task: Process, page: number, entry: Entry, write: boolean): boolean {
  const memcg = task.cgroup;
  memcg.stat[STAT.fault]++;
  mm.spent += mm.costs.swapFault;
  const cached = mm.cachedFolio(entry);
  if (cached !== 0) {
    faultOnCached(mm, task, page, cached);
    restoreMapping(mm, task, cached);
    mm.folios.flags[cached] |= FOLIO.young;
    const { synchronous } = mm.backing[typeOf(entry)] as BackingDevice;
    settleSlot(mm, memcg, cached, write, synchronous && task.cow !== null && mm.config.policies.swapinThroughCache);
    return afterSwapin(mm, task, page, write);
  }
  memcg.stat[STAT.majfault]++;
  const device = mm.backing[typeOf(entry)] as BackingDevice;
  if (device.synchronous && mm.anyLarge && bringInLarge(mm, task, page, entry)) return task.alive;
  const direct = device.synchronous && (mm.config.policies.swapinThroughCache || !isNamedTwice(mm, entry));
  const window = direct ? 1 : readaheadWindow(mm, task, page);
  if (!bringIn(mm, task, page, entry, write)) return false;
  if (window > 1) readAhead(mm, task, page, window, device.synchronous);
  return task.alive && afterSwapin(mm, task, page, write);
}

/** Up to 6.18 a page of a synchronous device goes past the swap cache, and comes alone, only if its slot has one user (__swap_count). */
function isNamedTwice(mm: Mm, entry: Entry): boolean {
  return mm.forked && (mm.slots[typeOf(entry)] as SlotTable).users(offsetOf(entry)) > 1;
}

/** A store that brought in a page which others have too copies it at once. */
function afterSwapin(mm: Mm, task: Process, page: number, write: boolean): boolean {
  return !write || task.cow === null || task.cow[page] === 0 || !isResident(task.pte[page]) || wpPage(mm, task, page);
}

/** Reads the other pages of the window into the swap cache, as far as they are swapped out to a device that is waited for. */
function readAhead(mm: Mm, task: Process, page: number, window: number, synchronous: boolean): void {
  const [from, to] = readaheadRange(task, page, window);
  for (let at = from; at < to && task.alive; at++) {
    const entry = task.pte[at];
    if (at === page || !isSwapEntry(entry) || mm.cachedFolio(entry) !== 0) continue;
    if (!synchronous && (mm.backing[typeOf(entry)] as BackingDevice).synchronous) continue;
    const folio = readIntoCache(mm, task, at, entry);
    if (folio === 0) return;
    mm.folios.flags[folio] |= FOLIO.readahead;
    mm.events.swap_ra++;
    mm.lru.add(folio);
  }
}
