/** memory.stat as the file shows it. Source: memory_stat_format (mm/memcontrol.c). */
import { MEMCG_STAT, type MemcgStatName } from './counters';
import { STAT, type Memcg } from './memcg';
import type { Mm } from './mm';

const PAGE = 4096;
/** Kept in pages, shown in bytes. */
const IN_PAGES: ReadonlySet<string> = new Set<MemcgStatName>([
  'anon', 'pagetables', 'swapcached', 'anon_thp', 'file_writeback', 'slab_unreclaimable',
]);
const INDEX: ReadonlyMap<string, number> = new Map(MEMCG_STAT.map((name, index) => [name, index]));
/** struct memcg_vmstats_percpu and the like, a CPU (captures: 64 bytes on 2 CPUs). */
const PERCPU_BYTES = 32;

/** Bytes for amounts of memory, counts for events. Descendants included. */
export function memcgStatValue(mm: Mm, memcg: Memcg, name: MemcgStatName): number {
  switch (name) {
    case 'kernel':
      return memcg.kmemTotal() * PAGE;
    case 'percpu':
      return memcg.failcnt > 0 || memcg.peakPages > 0 ? PERCPU_BYTES * memcg.stock.length : 0;
    case 'inactive_anon':
      return listPages(mm, memcg, 0) * PAGE;
    case 'active_anon':
      return listPages(mm, memcg, 1) * PAGE;
    case 'slab':
      return memcg.total(STAT.slab) * PAGE;
    case 'file_writeback':
      // The line counts the pages of files; anonymous pages on their way to swap are not in it.
      return 0;
    default: {
      const value = memcg.total(INDEX.get(name) as number);
      return IN_PAGES.has(name) ? value * PAGE : value;
    }
  }
}

function listPages(mm: Mm, memcg: Memcg, active: number): number {
  let pages = 0;
  memcg.walk((at) => {
    pages += mm.lru.pages[2 * at.id + active];
  });
  return pages;
}
