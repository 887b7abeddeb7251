/**
 * Folios and slots that several processes have in common since a fork. Relatives have the same pages at the same addresses, so those
 * who share a folio are found by looking at its page in the page table of each (rmap walk). A folio is mapped whole by everybody who
 * maps it, and named whole by everybody who names its slots: whoever parts from some of its pages has it split first.
 * Source: folio_free_swap, folio_swapped (mm/swapfile.c), folio_mapcount.
 */
import { offsetOf, typeOf } from '../swap/types';
import { FOLIO } from './folios';
import type { Mm } from './mm';
import { residentPte, type Process } from './process';
import type { SlotTable } from './slots';

/** Page table entries that name the first slot of a folio; 0 without a slot. All slots of a folio in the swap cache have as many. */
export function slotUsers(mm: Mm, folio: number): number {
  const { flags, swap } = mm.folios;
  if ((flags[folio] & FOLIO.swapcache) === 0) return 0;
  return (mm.slots[typeOf(swap[folio])] as SlotTable).users(offsetOf(swap[folio]));
}

/** Page tables that map the folio. */
export function mappers(mm: Mm, folio: number): number {
  return (mm.folios.flags[folio] & FOLIO.mapped) === 0 ? 0 : 1 + (mm.extraMappers.get(folio) ?? 0);
}

/** May the slots of a folio in the swap cache go? Not while a page table names them (folio_swapped). */
export function swapCanGo(mm: Mm, folio: number): boolean {
  return !mm.forked || slotUsers(mm, folio) === 0;
}

/** Is there anybody beside one process that maps the folio or names its slots? */
export function isShared(mm: Mm, folio: number): boolean {
  return mm.forked && mappers(mm, folio) + slotUsers(mm, folio) > 1;
}

/** Calls `visit` for every process that maps the folio. */
export function forEachMapper(mm: Mm, folio: number, visit: (task: Process) => void): void {
  const owner = mm.tasks[mm.folios.owner[folio]] as Process;
  if (!mm.extraMappers.has(folio)) {
    visit(owner);
    return;
  }
  const page = mm.folios.page[folio];
  const pte = residentPte(folio);
  for (const task of owner.family as Process[]) if (task.pte[page] === pte) visit(task);
}

/** Somebody else than `task`, which is leaving, becomes the owner: one that maps the folio, or else one that names its slots. */
export function passOn(mm: Mm, folio: number, task: Process): void {
  const { flags, owner, page, swap } = mm.folios;
  if (owner[folio] !== task.slot) return;
  const wanted = (flags[folio] & FOLIO.mapped) !== 0 ? residentPte(folio) : swap[folio];
  const heir = (task.family as Process[]).find((other) => other !== task && other.pte[page[folio]] === wanted);
  if (heir === undefined) throw new Error(`folio ${folio} has no owner beside process ${task.pid}`);
  owner[folio] = heir.slot;
}

/** Page table entries of a folio are write-protected if it is shared (copy-on-write), else not. */
export function protect(mm: Mm, task: Process, folio: number): void {
  if (task.cow === null) return;
  const first = mm.folios.page[folio];
  task.cow.fill(isShared(mm, folio) ? 1 : 0, first, first + (1 << mm.folios.order[folio]));
}
