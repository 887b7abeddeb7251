/**
 * Reading pages back from their slots, one at a time. Source: do_swap_page, __read_swap_cache_async (mm/memory.c, mm/swap_state.c).
 * Folios of several pages at a time: large-swapin.ts.
 */
import { offsetOf, typeOf, type Entry } from '../swap/types';
import { allocPages, tryCharge } from './charge';
import type { BackingDevice } from './devices';
import { FOLIO } from './folios';
import { map } from './mapping';
import { STAT, type Memcg } from './memcg';
import type { Mm } from './mm';
import type { Process } from './process';
import { swapIsFull } from './reclaim';
import { isShared, mappers, slotUsers } from './sharing';
import { kindOf, lengthOf, memcgOf, SLOT, type SlotTable } from './slots';

/**
 * Reads a slot into a fresh page. With exclusive loads of zswap the slot holds nothing then. Zero-filled pages, pages on devices and those
 * that zswap keeps can be dropped again without being written.
 */
function readSlot(mm: Mm, memcg: Memcg, entry: Entry): void {
  const type = typeOf(entry);
  const offset = offsetOf(entry);
  const table = mm.slots[type] as SlotTable;
  const info = table.info(offset);
  const kind = kindOf(info);
  if (kind === SLOT.zero) {
    memcg.stat[STAT.swpinZero]++;
    mm.spent += mm.costs.zeroPage;
    return;
  }
  if (kind === SLOT.zswap) {
    memcg.stat[STAT.zswpin]++;
    mm.spent += mm.costs.decompress(mm.zswap.compressor, lengthOf(info) < 4096);
    if (mm.config.policies.zswapLoad === 'kept') {
      if (mm.zswap.oldest.delete(entry)) mm.zswap.oldest.add(entry);
      return;
    }
    mm.dropSlotData(entry);
    table.store(offset, SLOT.cacheOnly, 0, 0);
    return;
  }
  memcg.stat[STAT.swpin]++;
  mm.events.nrswpin++;
  mm.events.pgpgin += 4;
  (mm.backing[type] as BackingDevice).readPage(mm, table, offset, true);
}

/** workingset_refault: was the folio gone for less than the size of what is in use now? Then it belongs to the working set. */
export function refault(mm: Mm, memcg: Memcg, folio: number, age: number): void {
  const pages = 1 << mm.folios.order[folio];
  memcg.stat[STAT.refaultAnon] += pages;
  const distance = (memcg.age - age) >>> 0;
  if (distance > mm.lru.active(memcg.id)) return;
  memcg.stat[STAT.activateAnon] += pages;
  memcg.age = (memcg.age + pages) >>> 0;
  mm.folios.flags[folio] |= FOLIO.active;
}

/** A page for a slot, charged, read and in the swap cache, on no list yet. 0: no memory, or the process is gone. */
export function readIntoCache(mm: Mm, task: Process, page: number, entry: Entry): number {
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
  readSlot(mm, memcg, entry);
  refault(mm, memcg, folio, age);
  mm.enterSwapCache(folio, entry);
  mm.indexSwapCache(folio);
  mm.folios.flags[folio] &= ~FOLIO.dirty;
  return folio;
}

/** Brings one page in from its slot and maps it. False: no memory, or the process is gone. */
export function bringIn(mm: Mm, task: Process, page: number, entry: Entry, write: boolean): boolean {
  const folio = readIntoCache(mm, task, page, entry);
  if (folio === 0) return false;
  const table = mm.slots[typeOf(entry)] as SlotTable;
  task.swapEntries--;
  table.dropUser(offsetOf(entry), 1);
  if (table.users(offsetOf(entry)) === 0) mm.cacheOnlySlots++;
  map(mm, task, folio, false);
  mm.lru.add(folio);
  const memcg = mm.memcgs[mm.folios.memcg[folio]] as Memcg;
  settleSlot(mm, memcg, folio, write, (mm.backing[typeOf(entry)] as BackingDevice).synchronous);
  return true;
}

/**
 * should_try_to_free_swap: the slot goes at once when it is written to, comes from a synchronous device, or swap is half full. It stays
 * while a page table names it, and at a write also while another one maps the folio.
 */
export function settleSlot(mm: Mm, memcg: Memcg, folio: number, write: boolean, synchronous: boolean): void {
  if (mm.forked && (slotUsers(mm, folio) > 0 || (mappers(mm, folio) > 1 && !synchronous && !swapIsFull(mm, memcg)))) return;
  if ((mm.folios.flags[folio] & FOLIO.writeback) !== 0) {
    // The slot cannot go while it is being written; what is stored meanwhile has to be written again.
    if (write && !isShared(mm, folio)) mm.folios.flags[folio] |= FOLIO.dirty;
    return;
  }
  if (write || synchronous || swapIsFull(mm, memcg)) mm.freeSwapOf(folio);
}
