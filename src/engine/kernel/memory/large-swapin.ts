/**
 * Swap-in of a large folio from a synchronous device, 6.12 and later (policy `largeSwapin`).
 * Source: alloc_swap_folio, can_swapin_thp, thp_swap_suitable_orders (mm/memory.c).
 */
import { offsetOf, typeOf, type Entry } from '../swap/types';
import { allocPages, tryCharge } from './charge';
import { THP_STAT } from './counters';
import type { BackingDevice } from './devices';
import { map } from './mapping';
import { STAT, type Memcg } from './memcg';
import type { Mm } from './mm';
import { largeFolioEnd, type Process } from './process';
import { isCached, kindOf, memcgOf, SLOT, type SlotTable } from './slots';
import { refault } from './swapin';
import { thpEnabled } from './thp';

const SWPIN = THP_STAT.indexOf('swpin');
const SWPIN_FALLBACK = THP_STAT.indexOf('swpin_fallback');
const SWPIN_FALLBACK_CHARGE = THP_STAT.indexOf('swpin_fallback_charge');
/** A folio of the size of a page table is not swapped in whole. */
const MAX_ORDER = 8;

/** Are all pages around `page` in slots in a row that nobody else names, none in the swap cache, of one cgroup, and all or none zero-filled? */
function isRun(mm: Mm, task: Process, first: number, pages: number, entry: Entry): boolean {
  const table = mm.slots[typeOf(entry)] as SlotTable;
  const base = offsetOf(entry);
  const info = table.info(base);
  const zero = kindOf(info) === SLOT.zero;
  for (let i = 0; i < pages; i++) {
    if (task.pte[first + i] !== entry + i) return false;
    const other = table.info(base + i);
    if (isCached(other) || memcgOf(other) !== memcgOf(info) || (kindOf(other) === SLOT.zero) !== zero) return false;
    if (table.users(base + i) > 1) return false;
  }
  return true;
}

/**
 * A fault at `page`, swapped out to `entry`: brings in the largest enabled folio around it whose pages lie in slots in a row, and frees
 * these. False: no size is possible, or none could be had; the page comes alone.
 */
export function bringInLarge(mm: Mm, task: Process, page: number, entry: Entry): boolean {
  // With zswap in play a folio could lie in part in its pool, so no folio does.
  if (mm.config.policies.largeSwapin !== 'whole' || mm.zswap.everEnabled) return false;
  const offset = offsetOf(entry);
  const end = largeFolioEnd(task);
  let found = false;
  for (let order = MAX_ORDER; order > 1; order--) {
    if (!thpEnabled(mm, order)) continue;
    const pages = 1 << order;
    const inside = page & (pages - 1);
    // The same place in both, so that the slots are aligned to the size.
    if ((offset & (pages - 1)) !== inside || page - inside + pages > end) continue;
    // A run of a larger size holds runs of the smaller ones.
    found = found || isRun(mm, task, page - inside, pages, entry - inside);
    if (!found) continue;
    if (bringInOrder(mm, task, page - inside, order, entry - inside)) return true;
    mm.thp(order, SWPIN_FALLBACK);
  }
  return false;
}

function bringInOrder(mm: Mm, task: Process, first: number, order: number, entry: Entry): boolean {
  const pages = 1 << order;
  const table = mm.slots[typeOf(entry)] as SlotTable;
  const offset = offsetOf(entry);
  const payer = mm.memcgs[memcgOf(table.info(offset))] as Memcg;
  const memcg = payer.online ? payer : task.cgroup;
  if (!allocPages(mm, pages, false)) return false;
  if (!tryCharge(mm, memcg, pages, false)) {
    mm.givePages(pages);
    mm.thp(order, SWPIN_FALLBACK_CHARGE);
    return false;
  }
  const folio = mm.newFolio(task, first, order, memcg);
  readFolio(mm, memcg, table, entry, order);
  refault(mm, memcg, folio, table.age(offset));
  task.swapEntries -= pages;
  table.dropUser(offset, pages);
  map(mm, task, folio, false);
  mm.lru.add(folio);
  // Kernels with slot caches free the slots of a swap-in one by one through them (swapcache_clear).
  if (mm.swap.slotCache === undefined) mm.freeSlots(entry, pages);
  else for (let i = 0; i < pages; i++) mm.freeSlots(entry + i, 1);
  return true;
}

function readFolio(mm: Mm, memcg: Memcg, table: SlotTable, entry: Entry, order: number): void {
  const pages = 1 << order;
  const offset = offsetOf(entry);
  if (kindOf(table.info(offset)) === SLOT.zero) {
    memcg.stat[STAT.swpinZero] += pages;
    mm.spent += mm.costs.zeroPage * pages;
    return;
  }
  memcg.stat[STAT.swpin] += pages;
  mm.thp(order, SWPIN);
  mm.events.nrswpin++;
  mm.events.pgpgin += 4 * pages;
  const device = mm.backing[typeOf(entry)] as BackingDevice;
  for (let i = 0; i < pages; i++) device.readPage(mm, table, offset + i, i === 0);
}
