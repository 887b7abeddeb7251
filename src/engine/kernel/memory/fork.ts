/**
 * fork(2) as far as anonymous memory goes. Source: copy_page_range, copy_present_ptes, copy_nonpresent_pte (mm/memory.c),
 * copy_huge_pmd (mm/huge_memory.c).
 */
import { offsetOf, typeOf } from '../swap/types';
import { exitProcess } from './exit';
import { chargeBase, tableFor } from './fault';
import type { Mm } from './mm';
import { folioOf, isResident, Process, TABLE_PAGES } from './process';
import type { SlotTable } from './slots';
import type { ForkArgs } from './types';

/** A child without memory yet. Until copyMemory is done it is not on the task list: the OOM killer does not find it. */
export function childOf(mm: Mm, parent: Process, slot: number, args: ForkArgs, now: number): Process {
  const child = new Process(mm.nextPid++, slot, args.name.slice(0, 15), parent.sizePages, parent.content, parent.cgroup, args.cpu, now);
  child.state = 'ended';
  child.smallFoliosFrom = parent.smallFoliosFrom;
  child.raPage = parent.raPage;
  child.raWindow = parent.raWindow;
  child.raHits = parent.raHits;
  child.raDirection = parent.raDirection;
  return child;
}

/** Copies the page tables. False: no memory for them, or the parent was killed meanwhile; the child is gone then. */
export function copyMemory(mm: Mm, parent: Process, child: Process): boolean {
  mm.tasks[child.slot] = child;
  mm.forked = true;
  parent.cow ??= new Uint8Array(parent.pte.length);
  child.cow = new Uint8Array(child.pte.length);
  parent.family ??= [parent];
  parent.family.push(child);
  child.family = parent.family;
  mm.spent += mm.costs.fork;
  let done = chargeBase(mm, child) && parent.alive;
  for (let at = 0; done && at < parent.tables.length; at++) done = copyTable(mm, parent, child, at);
  if (!done) {
    exitProcess(mm, child, true);
    mm.tasks[child.slot] = undefined;
    return false;
  }
  child.state = 'running';
  child.cgroup.pids.push(child.pid);
  return true;
}

/** One page table, or a huge page in place of it. The table of the child comes first: reclaim for it may still change what is copied. */
function copyTable(mm: Mm, parent: Process, child: Process, at: number): boolean {
  if (parent.tables[at] === 0 && parent.populated[at] === 0) return true;
  const from = at * TABLE_PAGES;
  if (!tableFor(mm, child, from) || !parent.alive) return false;
  const to = Math.min(from + TABLE_PAGES, parent.pte.length);
  for (let page = from; page < to;) {
    const value = parent.pte[page];
    page += value === 0 ? 1 : isResident(value) ? shareFolio(mm, parent, child, folioOf(value)) : copyEntry(mm, child, page, value);
  }
  return true;
}

/** The folio is mapped twice and write-protected in both page tables. Returns its pages. */
function shareFolio(mm: Mm, parent: Process, child: Process, folio: number): number {
  const first = mm.folios.page[folio];
  const pages = 1 << mm.folios.order[folio];
  child.pte.fill(parent.pte[first], first, first + pages);
  (parent.cow as Uint8Array).fill(1, first, first + pages);
  (child.cow as Uint8Array).fill(1, first, first + pages);
  mm.extraMappers.set(folio, (mm.extraMappers.get(folio) ?? 0) + 1);
  child.rssAnonPages += pages;
  populate(child, first, pages);
  mm.spent += mm.costs.copyEntry * (pages === TABLE_PAGES ? 1 : pages);
  return pages;
}

/** The slot gains a user. */
function copyEntry(mm: Mm, child: Process, page: number, entry: number): number {
  child.pte[page] = entry;
  child.swapEntries++;
  (mm.slots[typeOf(entry)] as SlotTable).addUser(offsetOf(entry), 1);
  populate(child, page, 1);
  mm.spent += mm.costs.copyEntry;
  return 1;
}

function populate(child: Process, first: number, pages: number): void {
  child.populated[Math.floor(first / TABLE_PAGES)] += pages;
  if (first < child.sizePages) child.touchedPages += pages;
}
