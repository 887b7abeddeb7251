/** The end of removed cgroups. Source: css_release (kernel/cgroup/cgroup.c), mem_cgroup_css_free (mm/memcontrol.c). */
import { counterUncharge, type Memcg } from './memcg';
import type { Mm } from './mm';

/** Gives the id of a removed cgroup back once nothing is charged to it any more; its counters go to the parent. */
export function reapMemcg(mm: Mm, memcg: Memcg): void {
  const parent = memcg.parent as Memcg;
  // Nobody charges to it any more; what the CPUs hold for it goes back (drain_all_stock).
  mm.drainStocks(memcg);
  let loose = 0;
  for (const bytes of memcg.objectStock) loose += bytes;
  const loosePages = Math.floor(loose / 4096);
  if (memcg.swapCurrentPages > 0 || memcg.currentPages > loosePages || memcg.offline.length > 0) return;
  counterUncharge(memcg, loosePages);
  memcg.stat.forEach((value, at) => {
    parent.stat[at] += value;
  });
  parent.offline.splice(parent.offline.indexOf(memcg), 1);
  mm.memcgs[memcg.id] = undefined;
  if (!parent.online) reapMemcg(mm, parent);
}

/** Reaps every removed cgroup that the memory just freed was the last of. */
export function reapOffline(mm: Mm): void {
  for (let id = mm.memcgs.length - 1; id > 0; id--) {
    const memcg = mm.memcgs[id];
    if (memcg !== undefined && !memcg.online) reapMemcg(mm, memcg);
  }
}
