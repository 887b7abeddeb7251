/**
 * Writes to pages that are mapped and write-protected. Source: do_wp_page, wp_can_reuse_anon_folio, wp_page_copy (mm/memory.c),
 * do_huge_pmd_wp_page (mm/huge_memory.c).
 */
import { allocPages, tryCharge } from './charge';
import { dropMapping, splitOnLru } from './exit';
import { FOLIO } from './folios';
import { map } from './mapping';
import { STAT, type Memcg } from './memcg';
import type { Mm } from './mm';
import { folioOf, type Process } from './process';
import { mappers, slotUsers } from './sharing';

/** A store to a mapped page that faults. False: no memory for a copy, or the process is gone. */
export function writeFault(mm: Mm, task: Process, page: number): boolean {
  task.cgroup.stat[STAT.fault]++;
  return wpPage(mm, task, page);
}

/** The same behind a swap fault, which is no fault of its own. */
export function wpPage(mm: Mm, task: Process, page: number): boolean {
  const folio = folioOf(task.pte[page]);
  if (task.cow === null || task.cow[page] === 0 || canReuse(mm, folio)) {
    reuse(mm, task, folio, page);
    return true;
  }
  return copyPage(mm, task, page);
}

/** Nobody else has the page: neither a page table that maps it nor one that names its slot; a write under way holds it too. */
function canReuse(mm: Mm, folio: number): boolean {
  return mappers(mm, folio) === 1 && slotUsers(mm, folio) === 0 && (mm.folios.flags[folio] & FOLIO.writeback) === 0;
}

/** The page is written in place: the copy on the device is stale from now on. A huge page is made writable whole. */
function reuse(mm: Mm, task: Process, folio: number, page: number): void {
  const { folios } = mm;
  const huge = folios.order[folio] === 9 && task.cow !== null && task.cow[page] !== 0;
  // do_huge_pmd_wp_page does not count it.
  if (!huge) mm.events.pgreuse++;
  const flags = folios.flags[folio];
  if ((flags & FOLIO.swapcache) !== 0 && mm.config.policies.exclusiveWriteFreesSlot && (flags & FOLIO.writeback) === 0) mm.freeSwapOf(folio);
  folios.flags[folio] |= FOLIO.dirty;
  if (huge) (task.cow as Uint8Array).fill(0, folios.page[folio], folios.page[folio] + 512);
  else if (task.cow !== null) task.cow[page] = 0;
  mm.spent += mm.costs.minorFault;
}

/** A page of its own for the writer. Of a large folio one page is copied; the folio is split for it (simplified). */
function copyPage(mm: Mm, task: Process, page: number): boolean {
  const memcg = task.cgroup;
  const value = task.pte[page];
  // The fault holds a reference: reclaim for the copy leaves the page alone.
  mm.pinned = folioOf(value);
  const charged = chargedPage(mm, task, memcg);
  mm.pinned = 0;
  if (!charged) return false;
  if (mm.folios.order[folioOf(value)] > 0) splitOnLru(mm, folioOf(value), false);
  const shared = folioOf(task.pte[page]);
  task.pte[page] = 0;
  dropMapping(mm, task, shared);
  const folio = mm.newFolio(task, page, 0, memcg);
  map(mm, task, folio, false);
  mm.lru.add(folio);
  mm.spent += mm.costs.minorFault + mm.costs.copyPage;
  return true;
}

function chargedPage(mm: Mm, task: Process, memcg: Memcg): boolean {
  if (!allocPages(mm, 1, true)) return false;
  const charged = tryCharge(mm, memcg, 1, true);
  if (charged && task.alive) return true;
  if (charged) mm.uncharge(memcg, 1);
  mm.givePages(1);
  return false;
}
