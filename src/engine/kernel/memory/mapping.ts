/** Page table entries of folios. Source: set_ptes, folio_add_anon_rmap_ptes (mm/memory.c, mm/rmap.c). */
import { offsetOf, typeOf } from '../swap/types';
import { FOLIO } from './folios';
import type { Mm } from './mm';
import { residentPte, type Process } from './process';
import { protect } from './sharing';
import type { SlotTable } from './slots';

/** Maps a folio that nobody maps where it belongs. `fresh`: nothing was there before. */
export function map(mm: Mm, task: Process, folio: number, fresh: boolean): void {
  const { folios } = mm;
  const first = folios.page[folio];
  const pages = 1 << folios.order[folio];
  const value = residentPte(folio);
  if (pages === 1) task.pte[first] = value;
  else task.pte.fill(value, first, first + pages);
  if (fresh) {
    task.populated[first >>> 9] += pages;
    if (first < task.sizePages) task.touchedPages += pages;
  }
  folios.flags[folio] |= FOLIO.mapped | FOLIO.young;
  mm.accountMapped(folio, 1);
  protect(mm, task, folio);
}

/** Maps a folio of the swap cache where its entries are in the page table, which names its slots no more then. */
export function restoreMapping(mm: Mm, task: Process, folio: number): void {
  const { folios } = mm;
  const first = folios.page[folio];
  const pages = 1 << folios.order[folio];
  const entry = folios.swap[folio];
  const table = mm.slots[typeOf(entry)] as SlotTable;
  task.pte.fill(residentPte(folio), first, first + pages);
  task.swapEntries -= pages;
  table.dropUser(offsetOf(entry), pages);
  if ((folios.flags[folio] & FOLIO.mapped) !== 0) {
    mm.extraMappers.set(folio, (mm.extraMappers.get(folio) ?? 0) + 1);
    task.rssAnonPages += pages;
  } else {
    folios.flags[folio] |= FOLIO.mapped;
    folios.owner[folio] = task.slot;
    mm.accountMapped(folio, 1);
  }
  if (table.users(offsetOf(entry)) === 0) mm.cacheOnlySlots += pages;
  protect(mm, task, folio);
}
