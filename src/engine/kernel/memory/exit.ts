/** The end of a process, and dropping parts of its memory. Source: exit_mmap, zap_pte_range, free_swap_and_cache_nr. */
import { typeOf } from '../swap/types';
import { FOLIO } from './folios';
import type { Memcg } from './memcg';
import { STAT } from './memcg';
import { restoreMapping } from './mapping';
import { reapOffline } from './memcg-reap';
import type { Mm } from './mm';
import { folioOf, isResident, type Process } from './process';
import { splitFolio } from './swapout';

/** Takes a folio out of the LRU, the swap cache and the writeback queue, and frees it with its slots. */
function destroyFolio(mm: Mm, folio: number): void {
  const { folios } = mm;
  const flags = folios.flags[folio];
  if ((flags & FOLIO.writeback) !== 0) mm.writeback.forget(mm, folio);
  mm.lru.remove(folio);
  if ((folios.flags[folio] & FOLIO.swapcache) !== 0) mm.freeSwapOf(folio);
  if ((folios.flags[folio] & FOLIO.mapped) !== 0) mm.accountMapped(folio, -1);
  mm.releaseFolio(folio);
}

const single: number[] = [];

/** split_folio of a mapped folio on the LRU; one in the swap cache gives up its slots first (simplified). */
export function splitOnLru(mm: Mm, folio: number): void {
  mm.lru.remove(folio);
  if ((mm.folios.flags[folio] & FOLIO.swapcache) !== 0) mm.freeSwapOf(folio);
  single.length = 0;
  splitFolio(mm, folio, single, 0);
  mm.lru.add(folio);
  for (const tail of single) mm.lru.add(tail);
}

/** Frees whatever pages from … to-1 of a process hold. Large folios that stick out are split first (simplified). */
export function zapRange(mm: Mm, task: Process, from: number, to: number): void {
  const { pte } = task;
  let page = from;
  while (page < to) {
    const value = pte[page];
    if (value === 0) {
      page++;
    } else if (isResident(value)) {
      page += zapResident(mm, task, folioOf(value), page, to);
    } else {
      page += zapEntries(mm, task, page, to);
    }
  }
}

function clearPtes(task: Process, page: number, count: number): void {
  for (let i = page; i < page + count; i++) {
    task.pte[i] = 0;
    task.populated[i >>> 9]--;
    if (i < task.sizePages) task.touchedPages--;
  }
}

function zapResident(mm: Mm, task: Process, folio: number, page: number, to: number): number {
  const { folios } = mm;
  const first = folios.page[folio];
  const pages = 1 << folios.order[folio];
  if (pages > 1 && (first < page || first + pages > to)) {
    splitOnLru(mm, folio);
    return 0;
  }
  destroyFolio(mm, folio);
  clearPtes(task, first, pages);
  mm.spent += mm.costs.freePage * pages;
  return pages;
}

/** A run of consecutive entries goes back in one call, as swap_pte_batch finds it; never across a cluster. */
function zapEntries(mm: Mm, task: Process, page: number, to: number): number {
  const entry = task.pte[page];
  const cached = mm.cachedFolio(entry);
  if (cached !== 0) {
    // Unmapped, resting in the swap cache: the last reference to its slots is going.
    const first = mm.folios.page[cached];
    const pages = 1 << mm.folios.order[cached];
    if (first < page || first + pages > to) {
      restoreMapping(mm, task, cached);
      splitOnLru(mm, cached);
      return 0;
    }
    task.swapEntries -= pages;
    destroyFolio(mm, cached);
    clearPtes(task, first, pages);
    mm.spent += mm.costs.freePage * pages;
    return pages;
  }
  let count = 1;
  while (page + count < to && ((entry + count) & 511) !== 0 && task.pte[page + count] === entry + count && mm.cachedFolio(entry + count) === 0) {
    count++;
  }
  task.swapEntries -= count;
  clearPtes(task, page, count);
  mm.freeSlots(entry, count);
  mm.spent += mm.costs.freePage * count;
  return count;
}

/** Frees all memory of a process and takes it off its cgroup. It stays in the process list as ended or killed. */
export function exitProcess(mm: Mm, task: Process, killed: boolean): void {
  const cpu = mm.cpu;
  mm.cpu = task.cpu;
  task.state = killed ? 'killed' : 'ended';
  const touched = task.touchedPages;
  zapRange(mm, task, 0, task.pte.length);
  task.touchedPages = touched;
  const memcg: Memcg = task.tableMemcg;
  memcg.stat[STAT.pagetables] -= task.tablePages;
  memcg.stat[STAT.slab] -= task.slabPages;
  const pages = task.tablePages + task.slabPages;
  for (let i = 0; i < pages; i++) mm.unchargeKernel(memcg, 1);
  mm.kernelPages -= pages;
  mm.givePages(pages);
  mm.kswapdFailures = 0;
  task.tablePages = 0;
  task.slabPages = 0;
  const { pids } = task.cgroup;
  const at = pids.indexOf(task.pid);
  if (at >= 0) pids.splice(at, 1);
  task.release();
  reapOffline(mm);
  mm.cpu = cpu;
}

/** Drops the swap of a type that no page table refers to: folios that are mapped and in the swap cache. */
export function dropCachedSlots(mm: Mm, type: number): void {
  const folios = new Set<number>();
  for (const [entry, folio] of mm.swapCache) if (typeOf(entry) === type && (mm.folios.flags[folio] & FOLIO.mapped) !== 0) folios.add(folio);
  for (const folio of folios) mm.freeSwapOf(folio);
}
