/**
 * The steps that take one folio out of memory: slots, unmapping, writing, release.
 * Source: folio_alloc_swap (mm/swapfile.c), try_to_unmap, swap_writeout (mm/page_io.c), zswap_store (mm/zswap.c).
 */
import { NO_ENTRY, offsetOf, typeOf, type Entry } from '../swap/types';
import { THP_STAT } from './counters';
import type { BackingDevice } from './devices';
import { countDeviceWrite } from './device-counters';
import { FOLIO } from './folios';
import { chargeSwap, STAT, type Memcg } from './memcg';
import type { Mm } from './mm';
import { residentPte, type Process } from './process';
import { forEachMapper } from './sharing';
import { kindOf, SLOT, type SlotTable } from './slots';
import { mayZswap, writebackEnabled } from './zswap';
import { shrinkMemcgZswap } from './zswap-writeback';

const ZSWPOUT = THP_STAT.indexOf('zswpout');
const SPLIT = THP_STAT.indexOf('split');

const tails: number[] = [];

/**
 * Slots for the whole folio, which enters the swap cache with them. The cgroup is asked last: over its limit the slots go
 * back; without a slot its `fail` event is counted all the same.
 */
export function allocSwap(mm: Mm, folio: number): boolean {
  const { folios } = mm;
  const order = folios.order[folio];
  const memcg = mm.memcgs[folios.memcg[folio]] as Memcg;
  const entry = mm.swap.alloc(mm.cpu, order);
  if (entry === NO_ENTRY) {
    memcg.raiseSwap('fail');
    return false;
  }
  const pages = 1 << order;
  if (!chargeSwap(memcg, pages)) {
    mm.swap.freeFolio(entry, pages, mm.cpu);
    return false;
  }
  const content = (mm.tasks[folios.owner[folio]] as Process).contentIndex;
  (mm.slots[typeOf(entry)] as SlotTable).allocate(offsetOf(entry), pages, memcg.id, content);
  mm.enterSwapCache(folio, entry);
  mm.listener.onSwapChange?.();
  return true;
}

/** try_to_unmap: the page tables of all who mapped it now hold the swap entries. */
export function unmap(mm: Mm, folio: number): void {
  const { folios } = mm;
  const table = mm.slots[typeOf(folios.swap[folio])] as SlotTable;
  if (mm.forked && mm.extraMappers.has(folio)) {
    const owner = mm.tasks[folios.owner[folio]] as Process;
    const pages = 1 << folios.order[folio];
    forEachMapper(mm, folio, (task) => {
      if (task === owner) return;
      unmapFrom(mm, task, folio, table);
      task.rssAnonPages -= pages;
    });
    mm.extraMappers.delete(folio);
  }
  unmapFrom(mm, mm.tasks[folios.owner[folio]] as Process, folio, table);
  mm.accountMapped(folio, -1);
  folios.flags[folio] &= ~FOLIO.mapped;
}

/** try_to_unmap_one. */
function unmapFrom(mm: Mm, task: Process, folio: number, table: SlotTable): void {
  const { folios } = mm;
  const order = folios.order[folio];
  const page = folios.page[folio];
  const entry = folios.swap[folio];
  const pages = 1 << order;
  if (order === 0) {
    task.pte[page] = entry;
  } else {
    for (let i = 0; i < pages; i++) task.pte[page + i] = entry + i;
    if (order === 9) mm.events.thp_split_pmd++;
  }
  table.addUser(offsetOf(entry), pages);
  task.swapEntries += pages;
  mm.spent += mm.costs.unmapPage * pages;
}

export const WRITTEN = 0;
export const UNDER_WRITEBACK = 1;
export const REFUSED = 2;

/** Writes an unmapped folio of the swap cache: zero mark, zswap, device, in this order. */
export function writeOut(mm: Mm, folio: number): typeof WRITTEN | typeof UNDER_WRITEBACK | typeof REFUSED {
  const { folios } = mm;
  const order = folios.order[folio];
  const pages = 1 << order;
  const entry = folios.swap[folio];
  const type = typeOf(entry);
  const first = offsetOf(entry);
  const table = mm.slots[type] as SlotTable;
  const device = mm.backing[type] as BackingDevice;
  const memcg = mm.memcgs[folios.memcg[folio]] as Memcg;
  const content = (mm.tasks[folios.owner[folio]] as Process).content;
  if (mm.config.policies.zswapLoad === 'kept') dropKept(mm, table, entry, pages);
  if (content === 'zero') {
    for (let i = 0; i < pages; i++) table.store(first + i, SLOT.zero, 0, 0);
    memcg.stat[STAT.swpoutZero] += pages;
    mm.events.nr_vmscan_write += pages;
    mm.spent += mm.costs.zeroFilled * pages;
    return WRITTEN;
  }
  // zswap_store of a folio that it would take invalidates what it finds under the slots, whether it takes the folio or not.
  const mayTake = order === 0 || mm.config.policies.zswapTakesLargeFolios;
  if (mayTake && mm.zswap.stale.size > 0) for (let i = 0; i < pages; i++) mm.dropStaleZswap(entry + i);
  if (mayTake && mm.zswap.enabled && zswapStore(mm, table, entry, order, memcg, content, device.writable)) {
    memcg.stat[STAT.zswpout] += pages;
    if (order > 0) mm.thp(order, ZSWPOUT);
    mm.events.nr_vmscan_write += pages;
    return WRITTEN;
  }
  if (!writebackEnabled(memcg) || !device.writable) return REFUSED;
  for (let i = 0; i < pages; i++) {
    if (device.writePage(mm, table, first + i, content, i === 0)) continue;
    for (let j = 0; j < i; j++) device.discardSlot(mm, table, first + j, table.info(first + j));
    for (let j = 0; j < i; j++) table.store(first + j, SLOT.cacheOnly, 0, 0);
    return REFUSED;
  }
  countDeviceWrite(mm, memcg, order);
  mm.events.nr_vmscan_write += pages;
  return device.synchronous ? WRITTEN : UNDER_WRITEBACK;
}

/** What zswap has kept of an earlier load is older than what is written now. */
function dropKept(mm: Mm, table: SlotTable, entry: Entry, pages: number): void {
  for (let at = entry; at < entry + pages; at++) {
    if (kindOf(table.info(offsetOf(at))) !== SLOT.zswap) continue;
    mm.dropSlotData(at);
    table.store(offsetOf(at), SLOT.cacheOnly, 0, 0);
  }
}

function zswapStore(
  mm: Mm, table: SlotTable, entry: Entry, order: number, memcg: Memcg, content: Process['content'], hasBacking: boolean,
): boolean {
  const { zswap } = mm;
  const first = offsetOf(entry);
  const pages = 1 << order;
  if (!mayZswap(memcg) && !shrinkMemcgZswap(mm, memcg)) return false;
  if (zswap.isFull(mm.totalPages)) {
    mm.wakeZswapShrinker();
    return false;
  }
  const length = zswap.lengthOf(content);
  mm.spent += mm.costs.compress(zswap.compressor, length < 4096) * pages;
  if (length >= 4096 && !(mm.config.policies.zswapStoresIncompressible && writebackEnabled(memcg))) {
    zswap.rejectCompressPoor++;
    return false;
  }
  const incompressible = length >= 4096;
  for (let i = 0; i < pages; i++) {
    const needed = zswap.pool.pagesNeeded(length);
    if (needed > 0 && !mm.takePages(needed)) {
      zswap.rejectAllocFail++;
      for (let j = 0; j < i; j++) mm.dropSlotData(entry + j);
      for (let j = 0; j < i; j++) table.store(first + j, SLOT.cacheOnly, 0, 0);
      return false;
    }
    table.store(first + i, SLOT.zswap, length, zswap.add(length));
    // Page by page, as zswap_store_page does: what a later page cannot get gives back what earlier ones were charged.
    mm.chargeObject(memcg, length);
    memcg.stat[STAT.zswap] += length;
    memcg.stat[STAT.zswapped] += 4096;
    if (incompressible) memcg.stat[STAT.zswapIncomp] += 4096;
    if (hasBacking) zswap.oldest.add(entry + i);
  }
  return true;
}

/** The written folio leaves the swap cache and memory; its slots remember when (__remove_mapping, workingset_eviction). */
export function evict(mm: Mm, folio: number): void {
  const { folios } = mm;
  const pages = 1 << folios.order[folio];
  const entry = folios.swap[folio];
  const memcg = mm.memcgs[folios.memcg[folio]] as Memcg;
  const table = mm.slots[typeOf(entry)] as SlotTable;
  const first = offsetOf(entry);
  const age = memcg.age;
  for (let i = 0; i < pages; i++) table.setAge(first + i, age);
  memcg.age = (age + pages) >>> 0;
  mm.unindexSwapCache(folio);
  mm.leaveSwapCache(folio);
  mm.releaseFolio(folio);
}

/**
 * split_folio_to_list: a large folio becomes folios of one page each, with the flags of the large one; in the swap cache, each with its
 * slot. The folio must be off the LRU and not under writeback. Puts the tails into `into`, from place `at` on in the order of their
 * addresses, so that what reclaims them goes on behind the head page, which the folio itself becomes. `counted` false: a step of the model
 * where the kernel splits no more than a page table.
 */
export function splitFolio(mm: Mm, folio: number, into: number[], at: number, counted = true): void {
  const { folios } = mm;
  const order = folios.order[folio];
  const pages = 1 << order;
  const task = mm.tasks[folios.owner[folio]] as Process;
  const memcg = mm.memcgs[folios.memcg[folio]] as Memcg;
  const page = folios.page[folio];
  const mapped = (folios.flags[folio] & FOLIO.mapped) !== 0;
  const entry = folios.swap[folio];
  const indexed = entry !== 0 && mm.swapCache.get(entry) === folio;
  const extra = mm.extraMappers.get(folio);
  const sharers: Process[] = [];
  if (extra !== undefined) forEachMapper(mm, folio, (other) => sharers.push(other));
  if (mapped) mm.accountMapped(folio, -1);
  folios.order[folio] = 0;
  if (mapped) mm.accountMapped(folio, 1);
  tails.length = 0;
  for (let i = 1; i < pages; i++) {
    const tail = mm.newFolio(task, page + i, 0, memcg);
    folios.flags[tail] = folios.flags[folio];
    if (mapped) {
      task.pte[page + i] = residentPte(tail);
      mm.accountMapped(tail, 1);
    }
    if (extra !== undefined) {
      mm.extraMappers.set(tail, extra);
      for (const sharer of sharers) sharer.pte[page + i] = residentPte(tail);
    }
    if (entry !== 0) folios.swap[tail] = entry + i;
    if (indexed) mm.swapCache.set(entry + i, tail);
    tails.push(tail);
  }
  into.splice(at, 0, ...tails);
  if (order === 9) {
    if (counted) mm.events.thp_split_page++;
    if (mapped) mm.events.thp_split_pmd++;
  }
  if (counted) mm.thp(order, SPLIT);
  mm.spent += mm.costs.splitPage * pages;
}

