/**
 * State of the memory layer and its basic steps: pages, charges, page tables, slots. The larger mechanisms (fault, reclaim,
 * OOM, swapoff) are functions over it in files of their own; `Memory` in memory.ts is the face to the outside.
 */
import { COSTS, type CostModel } from '../../hardware/costs';
import type { Timeline } from '../../simulation/actor';
import type { SwapSystem } from '../swap/swap-system';
import { offsetOf, typeOf, type Entry } from '../swap/types';
import type { BackingDevice, Zram } from './devices';
import { FOLIO, Folios, LruLists } from './folios';
import { CHARGE_BATCH, counterCharge, counterTryCharge, counterUncharge, Memcg, STAT, unchargeSwap } from './memcg';
import type { Process } from './process';
import { isCached, kindOf, lengthOf, memcgOf, SLOT, type SlotTable } from './slots';
import { THP_STAT } from './counters';
import type { LogLine, MemoryConfig, MemoryListener, ThpMode } from './types';
import { VmEvents } from './vm-events';
import { WritebackQueue } from './writeback';
import { Zswap } from './zswap';

/** Who reclaims: decides which counters are raised. */
export type Reclaimer = 'direct' | 'kswapd' | 'proactive';

/** Share of RAM that a booted kernel and its early user space hold: 2.6 % in the captures of a 2 GiB guest (state 0). */
const BOOT_SHARE = 40;

export class Mm {
  readonly config: MemoryConfig;
  readonly timeline: Timeline;
  readonly costs: CostModel = COSTS;
  swap!: SwapSystem;
  readonly folios = new Folios();
  readonly lru = new LruLists(this.folios);
  readonly root: Memcg;
  /** By id; undefined: free id. */
  readonly memcgs: (Memcg | undefined)[] = [];
  /** By slot; undefined: none. */
  readonly tasks: (Process | undefined)[] = [];
  nextPid = 1001;
  /** By swap type. */
  readonly slots: (SlotTable | undefined)[] = [];
  readonly backing: (BackingDevice | undefined)[] = [];
  /** Folios in the swap cache that hold a slot, by entry of each slot of theirs: only those that stay there. */
  readonly swapCache = new Map<Entry, number>();
  /** A process has forked: page tables may share folios and slots from now on. */
  forked = false;
  /** Page tables beyond the first that map a folio whole, by folio (_mapcount). */
  readonly extraMappers = new Map<number, number>();
  /** Slots held by the swap cache alone: pages of folios that are mapped and in the swap cache, whose slots no page table names. */
  cacheOnlySlots = 0;
  /** By device number. */
  readonly zrams: Zram[] = [];
  readonly zswap = new Zswap();
  readonly writeback = new WritebackQueue();
  readonly events = new VmEvents();
  /** By order × THP_STAT.length + index. */
  readonly thpStats = new Float64Array(10 * THP_STAT.length);
  readonly thpModes: ThpMode[] = [];
  thpGlobal: 'always' | 'madvise' | 'never' = 'always';
  /** Is any size above one page enabled? Kept by whoever changes the modes. */
  anyLarge = false;
  swappiness = 60;
  pageCluster = 3;
  listener: MemoryListener = {};
  readonly log: LogLine[] = [];

  readonly totalPages: number;
  readonly bootPages: number;
  freePages: number;
  readonly wmarkMin: number;
  readonly wmarkLow: number;
  readonly wmarkHigh: number;
  /** Pages of page tables and slab. */
  kernelPages = 0;
  anonPages = 0;
  anonHugePages = 0;
  swapCachePages = 0;
  writebackPages = 0;
  /** Slots that passes of reclaim took, and the runs of adjacent ones among them, each pass for itself. */
  readonly reclaimBatches = { slots: 0, runs: 0 };
  /** Set by whoever may have to wake kswapd. */
  wakeKswapd: () => void = () => {};
  wakeWriteback: () => void = () => {};
  wakeZswapShrinker: () => void = () => {};

  /** Nanoseconds spent since the acting one last took them. */
  spent = 0;
  /** CPU of the acting process. */
  cpu = 0;
  /** PF_MEMALLOC: charges are forced, no reclaim inside reclaim. */
  inReclaim = false;
  reclaimer: Reclaimer = 'direct';
  inSwapoff = false;
  /** A folio that the fault under way holds: reclaim leaves it alone. 0: none. */
  pinned = 0;
  /** Defect nr-pages-zero is switched on. */
  losesZswapEntries = false;
  /** Runs of kswapd in a row that reclaimed nothing; at 16 it sleeps until somebody makes progress. */
  kswapdFailures = 0;
  /** The process on whose behalf the kernel acts; undefined: the script. */
  current: Process | undefined;

  constructor(config: MemoryConfig, timeline: Timeline) {
    this.config = config;
    this.timeline = timeline;
    const { machine } = config;
    this.totalPages = machine.ram_pages;
    this.bootPages = Math.floor(machine.ram_pages / BOOT_SHARE);
    this.freePages = this.totalPages - this.bootPages;
    // init_per_zone_wmark_min and setup_per_zone_wmarks, watermark_scale_factor 10.
    const minKb = Math.min(Math.max(Math.floor(Math.sqrt(this.totalPages * 4 * 16)), 128), 262144);
    this.wmarkMin = Math.min(Math.floor(minKb / 4), Math.floor(this.totalPages / 16));
    const gap = Math.max(Math.floor(this.wmarkMin / 4), Math.floor(this.totalPages / 1000));
    this.wmarkLow = this.wmarkMin + gap;
    this.wmarkHigh = this.wmarkMin + 2 * gap;
    this.root = new Memcg(0, '/', null, machine.cpus);
    this.memcgs.push(this.root);
    for (let order = 0; order < 10; order++) this.thpModes.push('never');
  }

  /** printk. */
  printk(text: string): void {
    this.log.push({ at: this.timeline.now + this.spent, text });
  }

  thp(order: number, stat: number, count = 1): void {
    this.thpStats[order * THP_STAT.length + stat] += count;
  }

  // ---- charging ------------------------------------------------------------------------------------------------

  /** consume_stock. */
  takeStock(memcg: Memcg, pages: number): boolean {
    const have = memcg.stock[this.cpu];
    if (pages > CHARGE_BATCH || have < pages) return false;
    memcg.stock[this.cpu] = have - pages;
    return true;
  }

  /** refill_stock: above a batch, the whole stock goes back to the counters. */
  refillStock(memcg: Memcg, pages: number): void {
    const have = memcg.stock[this.cpu] + pages;
    if (have > CHARGE_BATCH) {
      counterUncharge(memcg, have);
      memcg.stock[this.cpu] = 0;
    } else {
      memcg.stock[this.cpu] = have;
    }
  }

  /** drain_all_stock of a subtree. */
  drainStocks(root: Memcg): void {
    root.walk((memcg) => {
      for (let cpu = 0; cpu < memcg.stock.length; cpu++) {
        if (memcg.stock[cpu] === 0) continue;
        counterUncharge(memcg, memcg.stock[cpu]);
        memcg.stock[cpu] = 0;
      }
    });
  }

  /** Charges from the stock or the counters, without reclaim. Null: done; else the cgroup that is full. */
  chargeOrFull(memcg: Memcg, pages: number): Memcg | null {
    if (memcg === this.root) return this.chargeRoot(pages);
    if (this.takeStock(memcg, pages)) return null;
    const batch = pages > CHARGE_BATCH ? pages : CHARGE_BATCH;
    let full = counterTryCharge(memcg, batch);
    if (full === null) {
      if (batch > pages) this.refillStock(memcg, batch - pages);
      this.noteOverHigh(memcg, batch);
      return null;
    }
    if (batch > pages) {
      full = counterTryCharge(memcg, pages);
      if (full === null) this.noteOverHigh(memcg, pages);
    }
    return full;
  }

  /** The pages just charged are to be worked off before the process goes on, if a cgroup is above its high limits. */
  private noteOverHigh(memcg: Memcg, pages: number): void {
    if (this.current === undefined) return;
    for (let at: Memcg | null = memcg; at !== null && at.parent !== null; at = at.parent) {
      if (at.currentPages <= at.highPages && at.swapCurrentPages <= at.swapHighPages) continue;
      this.current.overHighPages += pages;
      return;
    }
  }

  /** A charge that must not fail (PF_MEMALLOC): above the limit it counts as an event and goes through. */
  chargeForced(memcg: Memcg, pages: number): void {
    const full = this.chargeOrFull(memcg, pages);
    if (full === null) return;
    full.raise('max');
    counterCharge(memcg, pages);
  }

  private chargeRoot(pages: number): null {
    counterCharge(this.root, pages);
    return null;
  }

  /** Uncharges the pages of a folio: straight back to the counters. */
  uncharge(memcg: Memcg, pages: number): void {
    counterUncharge(memcg, pages);
  }

  /** Uncharges kernel pages: through the stock (obj_cgroup_uncharge_pages). */
  unchargeKernel(memcg: Memcg, pages: number): void {
    memcg.kmemPages -= pages;
    if (memcg === this.root) counterUncharge(memcg, pages);
    else this.refillStock(memcg, pages);
  }

  /** Charges bytes of a zswap object (obj_cgroup_charge_zswap): whole pages are charged, the rest is kept in stock. */
  chargeObject(memcg: Memcg, bytes: number): void {
    const have = memcg.objectStock[this.cpu];
    if (have >= bytes) {
      memcg.objectStock[this.cpu] = have - bytes;
      return;
    }
    const pages = Math.ceil(bytes / 4096);
    this.chargeForced(memcg, pages);
    memcg.kmemPages += pages;
    memcg.objectStock[this.cpu] = have + pages * 4096 - bytes;
  }

  unchargeObject(memcg: Memcg, bytes: number): void {
    const have = memcg.objectStock[this.cpu] + bytes;
    if (have > 4096) {
      memcg.objectStock[this.cpu] = have & 4095;
      this.unchargeKernel(memcg, have >>> 12);
    } else {
      memcg.objectStock[this.cpu] = have;
    }
  }

  // ---- pages ---------------------------------------------------------------------------------------------------

  /** Takes pages from the free ones, down to the last when reclaim itself asks. */
  takePages(pages: number): boolean {
    if (this.freePages < pages) return false;
    this.freePages -= pages;
    this.events.pgalloc += pages;
    if (this.freePages < this.wmarkLow) this.wakeKswapd();
    return true;
  }

  givePages(pages: number): void {
    this.freePages += pages;
    this.events.pgfree += pages;
  }

  // ---- writeback -----------------------------------------------------------------------------------------------

  /** The folio's pages have been handed to an asynchronous device. */
  beginWriteback(folio: number): void {
    const device = this.backing[typeOf(this.folios.swap[folio])] as BackingDevice;
    this.writeback.begin(this, folio, device.busyUntil);
  }

  /** The end of a pass over folios: the requests put together are sent. */
  flushDevices(): void {
    for (const device of this.backing) device?.flush();
  }

  /** Takes note of the writes that are done by now. */
  completeWriteback(): void {
    if (this.writeback.pending > 0) this.writeback.complete(this, this.timeline.now + this.spent);
  }

  /** Sleeps until a batch of writes has ended (reclaim_throttle); false: none is under way. */
  waitForWriteback(): boolean {
    if (this.writeback.pending === 0) return false;
    let done = 0;
    while (done < 32 && this.writeback.pending > 0) {
      const wait = this.writeback.nextDone() - this.timeline.now;
      if (wait > this.spent) this.spent = wait;
      done += this.writeback.complete(this, this.timeline.now + this.spent);
    }
    return done > 0;
  }

  // ---- folios --------------------------------------------------------------------------------------------------

  /** A charged page range becomes a folio, mapped at `page` of the process, on the inactive list. */
  newFolio(task: Process, page: number, order: number, memcg: Memcg): number {
    const { folios } = this;
    const folio = folios.alloc();
    folios.flags[folio] = FOLIO.dirty;
    folios.order[folio] = order;
    folios.memcg[folio] = memcg.id;
    folios.owner[folio] = task.slot;
    folios.page[folio] = page;
    return folio;
  }

  /** The pages of the folio become mapped, by its owner as the first: counters of the cgroup, the machine and the process. */
  accountMapped(folio: number, sign: 1 | -1): void {
    const order = this.folios.order[folio];
    const pages = sign * (1 << order);
    const memcg = this.memcgs[this.folios.memcg[folio]] as Memcg;
    const task = this.tasks[this.folios.owner[folio]] as Process;
    memcg.stat[STAT.anon] += pages;
    this.anonPages += pages;
    task.rssAnonPages += pages;
    if (order > 0) {
      this.thpStats[order * THP_STAT.length + NR_ANON] += sign;
      if (order === 9) {
        memcg.stat[STAT.anonThp] += pages;
        this.anonHugePages += pages;
      }
    }
  }

  /** The last reference is gone: off every list already, uncharged and free again. */
  releaseFolio(folio: number): void {
    const pages = 1 << this.folios.order[folio];
    this.uncharge(this.memcgs[this.folios.memcg[folio]] as Memcg, pages);
    this.folios.free(folio);
    this.givePages(pages);
  }

  // ---- swap cache and slots ------------------------------------------------------------------------------------

  /** Puts a folio into the swap cache: its slots are allocated and charged. */
  enterSwapCache(folio: number, entry: Entry): void {
    const { folios } = this;
    const pages = 1 << folios.order[folio];
    folios.flags[folio] |= FOLIO.swapcache | FOLIO.dirty;
    folios.swap[folio] = entry;
    this.swapCachePages += pages;
    (this.memcgs[folios.memcg[folio]] as Memcg).stat[STAT.swapcached] += pages;
  }

  /** Takes a folio out of the swap cache; its slots stay as they are. */
  leaveSwapCache(folio: number): void {
    const { folios } = this;
    const pages = 1 << folios.order[folio];
    folios.flags[folio] &= ~FOLIO.swapcache;
    folios.swap[folio] = 0;
    this.swapCachePages -= pages;
    (this.memcgs[folios.memcg[folio]] as Memcg).stat[STAT.swapcached] -= pages;
  }

  /** The folio stays in the swap cache beyond this pass: it can be found by its entries. */
  indexSwapCache(folio: number): void {
    const entry = this.folios.swap[folio];
    if (this.swapCache.get(entry) === folio) return;
    const pages = 1 << this.folios.order[folio];
    const table = this.slots[typeOf(entry)] as SlotTable;
    for (let i = 0; i < pages; i++) {
      this.swapCache.set(entry + i, folio);
      table.setCached(offsetOf(entry) + i, true);
    }
  }

  unindexSwapCache(folio: number): void {
    if (this.swapCache.size === 0) return;
    const entry = this.folios.swap[folio];
    if (this.swapCache.get(entry) !== folio) return;
    const pages = 1 << this.folios.order[folio];
    const table = this.slots[typeOf(entry)] as SlotTable;
    for (let i = 0; i < pages; i++) {
      this.swapCache.delete(entry + i);
      table.setCached(offsetOf(entry) + i, false);
    }
  }

  /** Drops the data behind a slot (zswap object or zram page), not the slot. */
  dropSlotData(entry: Entry): void {
    const type = typeOf(entry);
    const offset = offsetOf(entry);
    const table = this.slots[type] as SlotTable;
    const info = table.info(offset);
    const kind = kindOf(info);
    if (kind === SLOT.zswap) {
      this.dropZswapObject(table.object(offset), info);
      this.zswap.oldest.delete(entry);
    }
    else if (kind === SLOT.device) this.backing[type]?.discardSlot(this, table, offset, info);
  }

  /** Drops an object of the zswap pool; `info` is what its slot said of it. */
  dropZswapObject(zspage: number, info: number): void {
    const length = lengthOf(info);
    const memcg = this.memcgs[memcgOf(info)] as Memcg;
    this.givePages(this.zswap.remove(zspage, length));
    memcg.stat[STAT.zswap] -= length;
    memcg.stat[STAT.zswapped] -= 4096;
    if (length === 4096) memcg.stat[STAT.zswapIncomp] -= 4096;
    this.unchargeObject(memcg, length);
  }

  /** Frees slots in a row that nobody refers to any more: data, swap charge, slots. */
  freeSlots(entry: Entry, count: number): void {
    this.dropSlots(entry, count);
    this.swap.free(entry, count, this.cpu);
    this.listener.onSwapChange?.();
  }

  /** Drops an entry of zswap that was left behind under a slot, if there is one. */
  dropStaleZswap(entry: Entry): void {
    const stale = this.zswap.stale.get(entry);
    if (stale === undefined) return;
    this.zswap.stale.delete(entry);
    this.dropZswapObject(stale.zspage, stale.info);
  }

  /** What stands behind slots that are about to be freed, and their charge. `forgetsZswap`: their entries in zswap stay behind. */
  private dropSlots(entry: Entry, count: number, forgetsZswap = false): void {
    const table = this.slots[typeOf(entry)] as SlotTable;
    const first = offsetOf(entry);
    for (let i = 0; i < count; i++) {
      const info = table.info(first + i);
      if (forgetsZswap && kindOf(info) === SLOT.zswap) {
        this.zswap.oldest.delete(entry + i);
        this.zswap.stale.set(entry + i, { zspage: table.object(first + i), info });
      } else {
        this.dropSlotData(entry + i);
        if (!forgetsZswap && this.zswap.stale.size > 0) this.dropStaleZswap(entry + i);
      }
      unchargeSwap(this.memcgs[memcgOf(info)] as Memcg, 1);
    }
    table.release(first, count);
  }

  /**
   * folio_free_swap: the folio leaves the swap cache, and its slots, which nobody refers to, go back. A write under way is
   * forgotten: whoever has to wait for it looks at the flag first. `reclaimed`: an allocation takes the slots from the swap cache
   * (__try_to_reclaim_swap).
   */
  freeSwapOf(folio: number, reclaimed = false): void {
    if ((this.folios.flags[folio] & FOLIO.writeback) !== 0) this.writeback.forget(this, folio);
    const pages = 1 << this.folios.order[folio];
    const entry = this.folios.swap[folio];
    if ((this.folios.flags[folio] & FOLIO.mapped) !== 0) this.cacheOnlySlots -= pages;
    this.unindexSwapCache(folio);
    this.leaveSwapCache(folio);
    this.folios.flags[folio] |= FOLIO.dirty;
    this.dropSlots(entry, pages, reclaimed && pages === 1 && this.losesZswapEntries);
    if (reclaimed) this.swap.freeReclaimed(entry, pages, this.cpu);
    else this.swap.freeFolio(entry, pages, this.cpu);
    this.listener.onSwapChange?.();
  }

  /** The folio in the swap cache that covers an entry; 0: none. */
  cachedFolio(entry: Entry): number {
    const info = (this.slots[typeOf(entry)] as SlotTable).info(offsetOf(entry));
    return isCached(info) ? (this.swapCache.get(entry) ?? 0) : 0;
  }
}

const NR_ANON = THP_STAT.indexOf('nr_anon');
