/** /proc/meminfo and /proc/vmstat as far as this layer models them. Source: fs/proc/meminfo.c, mm/vmstat.c. */
import { MEMCG_STAT } from './counters';
import type { Mm } from './mm';
import type { Meminfo } from './types';
import { VmEvents } from './vm-events';

/** Address space of a small static program beyond the memory it asks for that counts as committed (captures: 89 pages). */
const BASE_COMMITTED_PAGES = 89;

function lruPages(mm: Mm, active: number): number {
  let pages = 0;
  mm.root.walk((memcg) => {
    pages += mm.lru.pages[2 * memcg.id + active];
  });
  return pages;
}

function committedPages(mm: Mm): number {
  let pages = 0;
  for (const task of mm.tasks) if (task !== undefined && task.alive) pages += task.sizePages + BASE_COMMITTED_PAGES;
  return pages;
}

function zramPages(mm: Mm): number {
  let pages = 0;
  for (const zram of mm.zrams) pages += zram.pool.pages;
  return pages;
}

export function meminfoOf(mm: Mm): Meminfo {
  const swapTotal = mm.swap.totalPages;
  const used = mm.anonPages + mm.swapCachePages + mm.zswap.pool.pages;
  return {
    MemTotal: mm.totalPages * 4,
    MemFree: mm.freePages * 4,
    MemAvailable: Math.max(0, mm.freePages - mm.wmarkHigh) * 4,
    SwapCached: mm.swapCachePages * 4,
    ActiveAnon: lruPages(mm, 1) * 4,
    InactiveAnon: lruPages(mm, 0) * 4,
    SwapTotal: swapTotal * 4,
    SwapFree: mm.swap.freePages * 4,
    Zswap: mm.zswap.pool.pages * 4,
    Zswapped: mm.zswap.storedPages * 4,
    Writeback: mm.writebackPages * 4,
    AnonPages: mm.anonPages * 4,
    PageTables: tablePages(mm) * 4,
    AnonHugePages: mm.anonHugePages * 4,
    CommittedAS: committedPages(mm) * 4,
    CommitLimit: Math.floor(mm.totalPages / 2) * 4 + swapTotal * 4,
    KernelOther: (mm.totalPages - mm.freePages - used) * 4,
  };
}

function tablePages(mm: Mm): number {
  let pages = 0;
  for (const task of mm.tasks) if (task !== undefined) pages += task.tablePages;
  return pages;
}

/** Counters that both a cgroup's memory.stat and /proc/vmstat have under one name. */
const SHARED: readonly string[] = [
  'workingset_refault_anon', 'workingset_refault_file', 'workingset_activate_anon', 'workingset_activate_file',
  'workingset_restore_anon', 'workingset_restore_file', 'pgsteal_kswapd', 'pgsteal_direct', 'pgsteal_proactive',
  'pgscan_kswapd', 'pgscan_direct', 'pgscan_proactive', 'pgrefill', 'pswpin', 'pswpout', 'pgfault', 'pgmajfault', 'pgactivate',
  'pgdeactivate', 'swpin_zero', 'swpout_zero', 'zswpin', 'zswpout', 'zswpwb', 'thp_fault_alloc', 'thp_swpout',
  'thp_swpout_fallback',
];

export function vmstatReaders(mm: Mm): Map<string, () => number> {
  const readers = new Map<string, () => number>();
  for (const name of SHARED) {
    const at = MEMCG_STAT.indexOf(name as (typeof MEMCG_STAT)[number]);
    readers.set(name, () => mm.root.total(at));
  }
  const { events } = mm;
  for (const name of Object.keys(new VmEvents()) as (keyof VmEvents)[]) {
    readers.set(name === 'pgalloc' ? 'pgalloc_normal' : name, () => events[name]);
  }
  const set = (name: string, read: () => number): void => void readers.set(name, read);
  set('nr_free_pages', () => mm.freePages);
  set('nr_inactive_anon', () => lruPages(mm, 0));
  set('nr_active_anon', () => lruPages(mm, 1));
  set('nr_zone_inactive_anon', () => lruPages(mm, 0));
  set('nr_zone_active_anon', () => lruPages(mm, 1));
  set('nr_anon_pages', () => mm.anonPages);
  set('nr_anon_transparent_hugepages', () => mm.anonHugePages / 512);
  set('nr_swapcached', () => mm.swapCachePages);
  set('nr_file_pages', () => mm.swapCachePages);
  set('nr_writeback', () => mm.writebackPages);
  set('nr_page_table_pages', () => tablePages(mm));
  set('nr_zspages', () => mm.zswap.pool.pages + zramPages(mm));
  return readers;
}
