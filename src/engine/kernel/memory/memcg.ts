/**
 * The cgroup v2 tree: page counters charged up to the root, per-CPU stocks, counters and events.
 * Source: mm/memcontrol.c and mm/page_counter.c (6.18, 7.3).
 */
import { MEMCG_STAT, type MemcgStatName } from './counters';
import { PAGES_MAX, type MemcgEvents, type MemcgView, type SwapEvents } from './types';

/** Pages that a CPU takes from the counters at a time (MEMCG_CHARGE_BATCH). */
export const CHARGE_BATCH = 64;

const index = (name: MemcgStatName): number => MEMCG_STAT.indexOf(name);

/** Places in Memcg.stat. Amounts of memory are kept in pages there, except zswap, zswapped, zswap_incomp and percpu: bytes. */
export const STAT = {
  anon: index('anon'), pagetables: index('pagetables'), percpu: index('percpu'),
  zswap: index('zswap'), zswapped: index('zswapped'), zswapIncomp: index('zswap_incomp'), swapcached: index('swapcached'),
  anonThp: index('anon_thp'), writeback: index('file_writeback'), slab: index('slab_unreclaimable'),
  refaultAnon: index('workingset_refault_anon'), activateAnon: index('workingset_activate_anon'),
  restoreAnon: index('workingset_restore_anon'),
  stealKswapd: index('pgsteal_kswapd'), stealDirect: index('pgsteal_direct'), stealProactive: index('pgsteal_proactive'),
  scanKswapd: index('pgscan_kswapd'), scanDirect: index('pgscan_direct'), scanProactive: index('pgscan_proactive'),
  refill: index('pgrefill'), scan: index('pgscan'), steal: index('pgsteal'), swpin: index('pswpin'), swpout: index('pswpout'),
  fault: index('pgfault'), majfault: index('pgmajfault'), activate: index('pgactivate'), deactivate: index('pgdeactivate'),
  swpinZero: index('swpin_zero'), swpoutZero: index('swpout_zero'), zswpin: index('zswpin'), zswpout: index('zswpout'),
  zswpwb: index('zswpwb'), thpFaultAlloc: index('thp_fault_alloc'), thpSwpout: index('thp_swpout'),
  thpSwpoutFallback: index('thp_swpout_fallback'),
} as const;

export const newEvents = (): MemcgEvents => ({ low: 0, high: 0, max: 0, oom: 0, oom_kill: 0, oom_group_kill: 0, sock_throttled: 0 });

export class Memcg implements MemcgView {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly parent: Memcg | null;
  readonly children: Memcg[] = [];
  /** Removed ones to which memory or swap is still charged. */
  readonly offline: Memcg[] = [];
  currentPages = 0;
  peakPages = 0;
  maxPages = PAGES_MAX;
  highPages = PAGES_MAX;
  lowPages = 0;
  minPages = 0;
  swapCurrentPages = 0;
  swapPeakPages = 0;
  swapMaxPages = PAGES_MAX;
  swapHighPages = PAGES_MAX;
  zswapMaxPages = PAGES_MAX;
  zswapWriteback = true;
  oomGroup = false;
  readonly events = newEvents();
  readonly eventsLocal = newEvents();
  readonly swapEvents: SwapEvents = { high: 0, max: 0, fail: 0 };
  failcnt = 0;
  swapFailcnt = 0;
  readonly pids: number[] = [];
  /** Counters of this cgroup alone; see STAT for units. */
  readonly stat = new Float64Array(MEMCG_STAT.length);
  /** Kernel memory charged to this cgroup alone, in pages. */
  kmemPages = 0;
  /** Pages charged and not yet used, by CPU (memcg_stock). */
  readonly stock: Int32Array;
  /** Bytes of a charged page not yet used, by CPU (obj_stock). */
  readonly objectStock: Int32Array;
  /** Evictions and activations so far (lruvec->nonresident_age), modulo 2^32. */
  age = 0;
  online = true;

  constructor(id: number, path: string, parent: Memcg | null, cpus: number) {
    this.id = id;
    this.path = path;
    this.name = path.slice(path.lastIndexOf('/') + 1);
    this.parent = parent;
    this.stock = new Int32Array(cpus);
    this.objectStock = new Int32Array(cpus);
  }

  get zswapCurrentBytes(): number {
    return this.total(STAT.zswap);
  }

  /** A counter with those of the descendants (what rstat adds up). */
  total(at: number): number {
    let sum = this.stat[at];
    for (const child of this.children) sum += child.total(at);
    for (const child of this.offline) sum += child.total(at);
    return sum;
  }

  kmemTotal(): number {
    let sum = this.kmemPages;
    for (const child of this.children) sum += child.kmemTotal();
    for (const child of this.offline) sum += child.kmemTotal();
    return sum;
  }

  isWithin(ancestor: Memcg): boolean {
    return this === ancestor || (this.parent !== null && this.parent.isWithin(ancestor));
  }

  /** Calls `visit` for this cgroup and its descendants, parents first, removed ones included. */
  walk(visit: (memcg: Memcg) => void): void {
    visit(this);
    for (const child of this.children) child.walk(visit);
    for (const child of this.offline) child.walk(visit);
  }

  /** memory.events: counted here, and with the descendants in every ancestor. */
  raise(event: keyof MemcgEvents, count = 1): void {
    this.eventsLocal[event] += count;
    this.addEvent(event, count);
  }

  private addEvent(event: keyof MemcgEvents, count: number): void {
    this.events[event] += count;
    this.parent?.addEvent(event, count);
  }

  raiseSwap(event: keyof SwapEvents): void {
    this.swapEvents[event]++;
    this.parent?.raiseSwap(event);
  }

  /** Pages that may still be charged here and above (mem_cgroup_margin). */
  margin(): number {
    const margin = this.maxPages - this.currentPages;
    return margin > 0 ? margin : 0;
  }
}

/** Charges all the way up. Null: done; else the cgroup whose limit is in the way, and nothing is charged. */
export function counterTryCharge(memcg: Memcg, pages: number): Memcg | null {
  for (let at: Memcg | null = memcg; at !== null; at = at.parent) {
    if (at.currentPages + pages > at.maxPages) {
      at.failcnt++;
      for (let undo: Memcg = memcg; undo !== at; undo = undo.parent as Memcg) undo.currentPages -= pages;
      return at;
    }
    at.currentPages += pages;
  }
  for (let at: Memcg | null = memcg; at !== null; at = at.parent) if (at.currentPages > at.peakPages) at.peakPages = at.currentPages;
  return null;
}

export function counterCharge(memcg: Memcg, pages: number): void {
  for (let at: Memcg | null = memcg; at !== null; at = at.parent) {
    at.currentPages += pages;
    if (at.currentPages > at.peakPages) at.peakPages = at.currentPages;
  }
}

export function counterUncharge(memcg: Memcg, pages: number): void {
  for (let at: Memcg | null = memcg; at !== null; at = at.parent) at.currentPages -= pages;
}

/** Charges swap all the way up; false: over a limit, events counted (mem_cgroup_try_charge_swap). */
export function chargeSwap(memcg: Memcg, pages: number): boolean {
  for (let at: Memcg | null = memcg; at !== null; at = at.parent) {
    if (at.swapCurrentPages + pages > at.swapMaxPages) {
      at.swapFailcnt++;
      for (let undo: Memcg = memcg; undo !== at; undo = undo.parent as Memcg) undo.swapCurrentPages -= pages;
      memcg.raiseSwap('max');
      memcg.raiseSwap('fail');
      return false;
    }
    at.swapCurrentPages += pages;
  }
  for (let at: Memcg | null = memcg; at !== null; at = at.parent) {
    if (at.swapCurrentPages > at.swapPeakPages) at.swapPeakPages = at.swapCurrentPages;
  }
  return true;
}

export function unchargeSwap(memcg: Memcg, pages: number): void {
  for (let at: Memcg | null = memcg; at !== null; at = at.parent) at.swapCurrentPages -= pages;
}

/** Pages that may still be swapped out for a cgroup: free slots, less what the limits leave (mem_cgroup_get_nr_swap_pages). */
export function swapPagesFor(memcg: Memcg, free: number): number {
  let pages = free;
  for (let at: Memcg | null = memcg; at !== null && at.parent !== null; at = at.parent) {
    pages = Math.min(pages, at.swapMaxPages - at.swapCurrentPages);
  }
  return pages;
}
