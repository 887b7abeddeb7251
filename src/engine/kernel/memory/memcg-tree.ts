/** Making, finding and removing cgroups, and writing their limits. Source: mm/memcontrol.c, kernel/cgroup/cgroup.c. */
import { KernelError } from '../../errno';
import { Memcg } from './memcg';
import { reapMemcg } from './memcg-reap';
import type { Mm } from './mm';
import { outOfMemory } from './oom';
import { tryToFreePages } from './reclaim';
import { MAX_MEMCG_ID } from './slots';

const MAX_RECLAIM_RETRIES = 16;

export function findMemcg(mm: Mm, path: string): Memcg | undefined {
  let at: Memcg | undefined = mm.root;
  for (const part of path.split('/')) {
    if (part === '') continue;
    at = at.children.find((child) => child.name === part);
    if (at === undefined) return undefined;
  }
  return at;
}

export function createMemcg(mm: Mm, path: string): Memcg {
  const clean = path.replace(/\/+$/, '');
  const slash = clean.lastIndexOf('/');
  if (clean === '' || findMemcg(mm, clean) !== undefined) throw new KernelError('EEXIST', `${path} is there already`);
  const parent = findMemcg(mm, clean.slice(0, slash));
  if (parent === undefined) throw new KernelError('ENOENT', `${clean.slice(0, slash)} does not exist`);
  let id = 1;
  while (mm.memcgs[id] !== undefined) id++;
  if (id > MAX_MEMCG_ID) throw new KernelError('ENOSPC', `there are ${MAX_MEMCG_ID} cgroups already`);
  const memcg = new Memcg(id, `${parent.parent === null ? '' : parent.path}/${clean.slice(slash + 1)}`, parent, mm.config.machine.cpus);
  mm.memcgs[id] = memcg;
  mm.lru.reserve(id);
  parent.children.push(memcg);
  return memcg;
}

export function removeMemcg(mm: Mm, path: string): void {
  const memcg = findMemcg(mm, path);
  if (memcg === undefined) throw new KernelError('ENOENT', `${path} does not exist`);
  const { parent } = memcg;
  if (parent === null) throw new KernelError('EBUSY', 'the root cannot be removed');
  if (memcg.pids.length > 0) throw new KernelError('EBUSY', `processes ${memcg.pids.join(', ')} are in ${path}`);
  if (memcg.children.length > 0) throw new KernelError('EBUSY', `${path} has cgroups below it`);
  mm.drainStocks(memcg);
  memcg.online = false;
  parent.children.splice(parent.children.indexOf(memcg), 1);
  parent.offline.push(memcg);
  reapMemcg(mm, memcg);
}

/** memory.max: enforced before the write returns, by reclaim first and then by the OOM killer (memory_max_write). */
export function setMemoryMax(mm: Mm, memcg: Memcg, pages: number): void {
  memcg.maxPages = pages;
  let retries = MAX_RECLAIM_RETRIES;
  let drained = false;
  while (memcg.currentPages > pages) {
    if (!drained) {
      mm.drainStocks(memcg);
      drained = true;
      continue;
    }
    mm.reclaimer = 'direct';
    if (retries > 0) {
      if (tryToFreePages(mm, memcg, memcg.currentPages - pages) === 0) retries--;
      continue;
    }
    memcg.raise('oom');
    if (!outOfMemory(mm, memcg, 'memory.max')) break;
    drained = false;
  }
}

/** memory.high: reclaims the excess once, as far as it goes (memory_high_write). */
export function setMemoryHigh(mm: Mm, memcg: Memcg, pages: number): void {
  memcg.highPages = pages;
  let retries = MAX_RECLAIM_RETRIES;
  let drained = false;
  while (memcg.currentPages > pages && retries > 0) {
    if (!drained) {
      mm.drainStocks(memcg);
      drained = true;
      continue;
    }
    mm.reclaimer = 'direct';
    if (tryToFreePages(mm, memcg, memcg.currentPages - pages) === 0) retries--;
  }
}
