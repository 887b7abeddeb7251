/** Page table entries of folios. Source: set_ptes, folio_add_anon_rmap_ptes (mm/memory.c, mm/rmap.c). */
import { FOLIO } from './folios';
import type { Mm } from './mm';
import { PTE_RESIDENT, type Process } from './process';

/** Maps a folio where it belongs. `fresh`: nothing was there before. */
export function map(mm: Mm, task: Process, folio: number, fresh: boolean): void {
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

/** Maps an unmapped folio of the swap cache again where it was. */
export function restoreMapping(mm: Mm, task: Process, folio: number): void {
  const { folios } = mm;
  const first = folios.page[folio];
  const pages = 1 << folios.order[folio];
  for (let i = 0; i < pages; i++) task.pte[first + i] = (0xf8000000 | folio) >>> 0;
  task.swapEntries -= pages;
  folios.flags[folio] |= FOLIO.mapped;
  mm.accountMapped(folio, 1);
  mm.cacheOnlySlots += pages;
}
