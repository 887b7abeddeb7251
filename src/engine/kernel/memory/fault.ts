/**
 * Page faults on anonymous memory. Source: do_anonymous_page, do_huge_pmd_anonymous_page, do_swap_page, do_wp_page
 * (mm/memory.c, mm/huge_memory.c).
 */
import { offsetOf, typeOf, type Entry } from '../swap/types';
import { allocPages, handleOverHigh, tryCharge } from './charge';
import { THP_STAT } from './counters';
import type { BackingDevice } from './devices';
import { restoreMapping } from './exit';
import { FOLIO } from './folios';
import { STAT, type Memcg } from './memcg';
import type { Mm } from './mm';
import { isSwapEntry, PTE_RESIDENT, type Process } from './process';
import { faultOnCached, readaheadRange, readaheadWindow } from './readahead';
import { swapIsFull } from './reclaim';
import { kindOf, lengthOf, memcgOf, SLOT, type SlotTable } from './slots';

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
    if (write && (flags & (FOLIO.swapcache | FOLIO.dirty)) === FOLIO.swapcache) writeFault(mm, task, folio);
    return true;
  }
  const done = value === 0 ? anonFault(mm, task, page) : swapFault(mm, task, page, value, write);
  if (done && task.overHighPages > 0) handleOverHigh(mm, task);
  return done && task.alive;
}

/** do_wp_page on a page that only this process has: the copy on the device is stale from now on. */
function writeFault(mm: Mm, task: Process, folio: number): void {
  task.cgroup.stat[STAT.fault]++;
  mm.events.pgreuse++;
  if (mm.config.policies.exclusiveWriteFreesSlot && (mm.folios.flags[folio] & FOLIO.writeback) === 0) mm.freeSwapOf(folio);
  mm.folios.flags[folio] |= FOLIO.dirty;
  mm.spent += mm.costs.minorFault;
}

/** Charges a page table for the 2 MiB around `page`, if there is none yet. */
function tableFor(mm: Mm, task: Process, page: number): boolean {
  const at = page >>> 9;
  if (task.tables[at] === 1 || page >= task.sizePages) return true;
  if (!chargeKernelPages(mm, task, 1)) return false;
  task.tables[at] = 1;
  task.tablePages++;
  task.tableMemcg.stat[STAT.pagetables]++;
  return true;
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

/** Is a folio size taken at faults? */
export function thpEnabled(mm: Mm, order: number): boolean {
  const mode = mm.thpModes[order];
  return mode === 'always' || (mode === 'inherit' && mm.thpGlobal === 'always');
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
    if (first + pages > Math.min(task.sizePages, task.smallFoliosFrom)) continue;
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

function map(mm: Mm, task: Process, folio: number, fresh: boolean): void {
  const { folios } = mm;
  const first = folios.page[folio];
  const pages = 1 << folios.order[folio];
  const value = (PTE_RESIDENT | folio) >>> 0;
  if (pages === 1) task.pte[first] = value;
  else task.pte.fill(value, first, first + pages);
  if (fresh) {
    task.populated[first >>> 9] += pages;
    if (first < task.sizePages) task.touchedPages += pages;
  }
  folios.flags[folio] |= FOLIO.mapped | FOLIO.young;
  mm.accountMapped(folio, 1);
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

/** Reads a slot into a fresh page; zswap and zero-filled pages leave nothing behind but the slot. */
function readSlot(mm: Mm, memcg: Memcg, entry: Entry): boolean {
  const type = typeOf(entry);
  const offset = offsetOf(entry);
  const table = mm.slots[type] as SlotTable;
  const info = table.info(offset);
  const kind = kindOf(info);
  if (kind === SLOT.zero) {
    memcg.stat[STAT.swpinZero]++;
    mm.spent += mm.costs.zeroPage;
    return false;
  }
  if (kind === SLOT.zswap) {
    memcg.stat[STAT.zswpin]++;
    mm.spent += mm.costs.decompress(mm.zswap.compressor, lengthOf(info) < 4096);
    mm.dropSlotData(entry);
    table.store(offset, SLOT.cacheOnly, 0, 0);
    return true;
  }
  memcg.stat[STAT.swpin]++;
  mm.events.nrswpin++;
  mm.events.pgpgin += 4;
  (mm.backing[type] as BackingDevice).readPage(mm, table, offset);
  return false;
}

/** workingset_refault: was the page gone for less than the size of what is in use now? Then it belongs to the working set. */
function refault(mm: Mm, memcg: Memcg, folio: number, age: number): void {
  memcg.stat[STAT.refaultAnon]++;
  const distance = (memcg.age - age) >>> 0;
  if (distance > mm.lru.active(memcg.id)) return;
  memcg.stat[STAT.activateAnon]++;
  memcg.age = (memcg.age + 1) >>> 0;
  mm.folios.flags[folio] |= FOLIO.active;
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
    settleSlot(mm, memcg, cached, write, false);
    return true;
  }
  memcg.stat[STAT.majfault]++;
  const device = mm.backing[typeOf(entry)] as BackingDevice;
  const window = device.synchronous ? 1 : readaheadWindow(mm, task, page);
  if (!bringIn(mm, task, page, entry, write)) return false;
  if (window > 1) readAhead(mm, task, page, window);
  return task.alive;
}

/** Reads the other pages of the window into the swap cache, as far as they are swapped out to a device that is waited for. */
function readAhead(mm: Mm, task: Process, page: number, window: number): void {
  const [from, to] = readaheadRange(task, page, window);
  for (let at = from; at < to && task.alive; at++) {
    const entry = task.pte[at];
    if (at === page || !isSwapEntry(entry) || mm.cachedFolio(entry) !== 0) continue;
    if ((mm.backing[typeOf(entry)] as BackingDevice).synchronous) continue;
    const folio = readIntoCache(mm, task, at, entry);
    if (folio === 0) return;
    mm.folios.flags[folio] |= FOLIO.readahead;
    mm.events.swap_ra++;
    mm.lru.add(folio);
  }
}

/** A page for a slot, charged, read and in the swap cache, on no list yet. 0: no memory, or the process is gone. */
function readIntoCache(mm: Mm, task: Process, page: number, entry: Entry): number {
  // The cgroup that paid for the swap pays for the page (mem_cgroup_swapin_charge_folio).
  const payer = mm.memcgs[memcgOf((mm.slots[typeOf(entry)] as SlotTable).info(offsetOf(entry)))] as Memcg;
  const memcg = payer.online ? payer : task.cgroup;
  if (!allocPages(mm, 1, true)) return 0;
  // Synchronous devices are read without readahead, by a page charged like every other (alloc_swap_folio).
  const { synchronous } = mm.backing[typeOf(entry)] as BackingDevice;
  if (!tryCharge(mm, memcg, 1, true, synchronous ? 'charge' : 'swapin')) {
    mm.givePages(1);
    return 0;
  }
  if (!task.alive) {
    mm.uncharge(memcg, 1);
    mm.givePages(1);
    return 0;
  }
  const age = (mm.slots[typeOf(entry)] as SlotTable).age(offsetOf(entry));
  const folio = mm.newFolio(task, page, 0, memcg);
  const stale = readSlot(mm, memcg, entry);
  refault(mm, memcg, folio, age);
  mm.enterSwapCache(folio, entry);
  mm.indexSwapCache(folio);
  if (!stale) mm.folios.flags[folio] &= ~FOLIO.dirty;
  return folio;
}

/** Brings one page in from its slot and maps it. False: no memory, or the process is gone. */
export function bringIn(mm: Mm, task: Process, page: number, entry: Entry, write: boolean): boolean {
  const folio = readIntoCache(mm, task, page, entry);
  if (folio === 0) return false;
  task.swapEntries--;
  mm.cacheOnlySlots++;
  map(mm, task, folio, false);
  mm.lru.add(folio);
  const memcg = mm.memcgs[mm.folios.memcg[folio]] as Memcg;
  settleSlot(mm, memcg, folio, write, (mm.backing[typeOf(entry)] as BackingDevice).synchronous);
  return true;
}

/** should_try_to_free_swap: the slot goes at once when it is written to, comes from a synchronous device, or swap is half full. */
function settleSlot(mm: Mm, memcg: Memcg, folio: number, write: boolean, synchronous: boolean): void {
  if ((mm.folios.flags[folio] & FOLIO.writeback) !== 0) {
    // The slot cannot go while it is being written; what is stored meanwhile has to be written again.
    if (write) mm.folios.flags[folio] |= FOLIO.dirty;
    return;
  }
  if (write || synchronous || swapIsFull(mm, memcg)) mm.freeSwapOf(folio);
}
