/**
 * Slots of a device as kernels up to 6.10 find them, and rotational devices up to 6.13: a CPU takes the cluster at the head of
 * the free list and fills it; there is no nonfull or frag list. With no free cluster left, order 0 scans the whole device slot by
 * slot, larger orders fail. A rotational device has no clusters: next fit, which after each 512 slots looks for 512 free
 * ones in a row.
 *
 * | array    | index                            | meaning                                                     |
 * |----------|----------------------------------|-------------------------------------------------------------|
 * | pointers | (type × CPUs + CPU) × 10 + order | entry from which this CPU scans its cluster on; 0: none      |
 * | bases    | type × CPUs + CPU                | slot at which this CPU's next scan begins (cluster_next_cpu) |
 *
 * The kernel begins at a random slot when a scan leaves a stretch of 2^14 slots; here the random numbers come from a generator
 * of the device's own, so that a run can be repeated.
 *
 * Source: scan_swap_map_slots and scan_swap_map_try_ssd_cluster in mm/swapfile.c of Linux 6.1 and 6.10, checked against the
 * kernel traces of 6.1 and, for rotational disks, 6.12.
 */
import type { AllocatorContext } from './allocator-percpu-cluster';
import { COUNT, HEAD_DISCARD, HEAD_FREE, NEXT, SLOT_BLOCK_BITS, STATE, headNonfull, indexOf, recordOfSlot } from './clusters';
import type { SwapDevice } from './device';
import { findFreeRun, takeRun } from './scan';
import type { DeviceSlots } from './slots-of-device';
import { CLUSTER_SLOTS, LIST, OFFSET_BITS, OFFSET_MASK, ORDERS } from './types';

const PMD_ORDER = ORDERS - 1;
/** Slots looked at before a scan gives others a chance, and a batch ends with what it has. */
const LATENCY_LIMIT = 256;
/** Slots of one swap address space; leaving it sends an SSD's next scan to a random place. */
const TRUNK_SHIFT = 14;

/** The policies that this search follows. */
export interface ScanPolicies {
  /** 'pmd': order 9 takes the head of the free list (6.1); 'all': a pointer an order (6.10). */
  readonly largeFolios: 'pmd' | 'all';
  /** With no free cluster the CPU takes the head of nonfull[order] (mTHP series, patch 2). */
  readonly nonfullLists: boolean;
}

export class ScanSlots implements DeviceSlots {
  pointers = new Uint32Array(0);
  protected bases = new Uint32Array(0);
  private readonly context: AllocatorContext;
  protected readonly cpus: number;
  protected readonly policies: ScanPolicies;
  /** Rotational devices, by type: slots left in the current stretch (cluster_nr). */
  protected readonly stretch: number[] = [];
  private random = 0x9e3779b9;
  /** Out of nextInCluster. */
  private offset = 0;
  protected ration = 0;

  constructor(context: AllocatorContext, cpus: number, policies: ScanPolicies) {
    this.context = context;
    this.cpus = cpus;
    this.policies = policies;
  }

  reset(device: SwapDevice): void {
    const end = (device.type + 1) * this.cpus;
    if (this.bases.length < end) {
      const bases = new Uint32Array(end);
      bases.set(this.bases);
      this.bases = bases;
      const pointers = new Uint32Array(end * ORDERS);
      pointers.set(this.pointers);
      this.pointers = pointers;
    }
    this.forget(device.type);
    this.stretch[device.type] = 0;
    for (let i = device.type * this.cpus; i < end; i++) {
      this.bases[i] = device.hasClusters ? 1 + (this.nextRandom() % (device.maxSlots - 1)) : 1;
    }
  }

  forget(type: number): void {
    this.pointers.fill(0, type * this.cpus * ORDERS, (type + 1) * this.cpus * ORDERS);
  }

  take(device: SwapDevice, cpu: number, goal: number, order: number, out: Uint32Array, at: number): number {
    if (order > 0) {
      if (!device.takesLargeFolios || !device.hasClusters) return 0;
      if (this.policies.largeFolios === 'pmd') return order === PMD_ORDER ? this.takeWholeCluster(device, out, at) : 0;
    }
    // On a rotational device all CPUs share one place, with clusters or without.
    return this.scan(device, device.rotational ? 0 : cpu, goal, order, out, at);
  }

  /** 6.1: the head of the free list, whole. */
  protected takeWholeCluster(device: SwapDevice, out: Uint32Array, at: number): number {
    const record = device.store.records[HEAD_FREE + NEXT];
    if (record === HEAD_FREE) return 0;
    out[at] = indexOf(record) * CLUSTER_SLOTS;
    this.use(device, out[at], PMD_ORDER);
    return 1;
  }

  /** scan_swap_map_slots. */
  private scan(device: SwapDevice, cpu: number, goal: number, order: number, out: Uint32Array, at: number): number {
    const baseAt = device.type * this.cpus + cpu;
    this.ration = LATENCY_LIMIT;
    let base = this.bases[baseAt];
    let offset = base;
    let scannedMany = false;
    let got = 0;
    if (device.hasClusters) {
      if (this.nextInCluster(device, cpu, order)) base = offset = this.offset;
      else if (order > 0) return 0;
      else {
        offset = this.scanOn(device, offset, base);
        ({ scannedMany } = this);
        if (offset === 0) return 0;
      }
    } else {
      base = offset = this.startOfStretch(device, baseAt);
    }
    for (;;) {
      // The kernel's label `checks`.
      if (device.hasClusters && !this.settleConflict(device, cpu, order, offset, got)) {
        if (got > 0) break;
        if (order > 0) return 0;
        offset = this.scanOn(device, this.offset, base);
        scannedMany ||= this.scannedMany;
        if (offset === 0) return 0;
        continue;
      }
      if (this.settled !== 0) base = offset = this.settled;
      if (device.highestSlot === 0) return got;
      if (offset > device.highestSlot) base = offset = device.lowestSlot;
      if (this.isTaken(device, offset, order)) {
        if (order === 0 && this.reclaims(device, offset)) continue;
        if (got > 0) break;
        offset = this.scanOn(device, offset, base);
        scannedMany ||= this.scannedMany;
        if (offset === 0) return 0;
        continue;
      }
      this.use(device, offset, order);
      out[at + got++] = offset;
      if (got === goal || offset >= device.highestSlot) break;
      if (--this.ration < 0) break;
      if (device.hasClusters) {
        if (this.nextInCluster(device, cpu, order)) {
          base = offset = this.offset;
          continue;
        }
      } else if (this.stretch[device.type] > 0 && !device.store.isUsed(++offset)) {
        this.stretch[device.type]--;
        continue;
      }
      if (scannedMany) break;
      const ahead = this.scanAhead(device, offset, base);
      offset = ahead < 0 ? ~ahead : ahead;
      if (ahead < 0) break;
    }
    if (order === 0) this.setBase(device, baseAt, offset + 1);
    return got;
  }

  /** Out of settleConflict: a new place to begin at, or 0. */
  private settled = 0;
  /** Out of scanOn: more than LATENCY_LIMIT slots were looked at. */
  private scannedMany = false;

  /**
   * A slot in a free cluster that is not the head of the free list: the CPU drops its cluster and takes the head. False: there is
   * none, or the batch has slots already.
   */
  private settleConflict(device: SwapDevice, cpu: number, order: number, offset: number, got: number): boolean {
    this.settled = 0;
    if (!this.conflicts(device, offset, cpu)) return true;
    this.pointers[(device.type * this.cpus + cpu) * ORDERS + order] = 0;
    this.offset = offset;
    if (got > 0 || !this.nextInCluster(device, cpu, order)) return false;
    this.settled = this.offset;
    return true;
  }

  /** Does the slot lie in a free cluster that is not the head of the free list? */
  protected conflicts(device: SwapDevice, offset: number, _cpu: number): boolean {
    const { records } = device.store;
    const head = records[HEAD_FREE + NEXT];
    const record = recordOfSlot(offset);
    return head !== HEAD_FREE && record !== head && offset < device.maxSlots && records[record + STATE] >>> 8 === LIST.free;
  }

  /** The next free run of the CPU's cluster, or of the head of the free list (scan_swap_map_try_ssd_cluster). */
  protected nextInCluster(device: SwapDevice, cpu: number, order: number): boolean {
    const { store } = device;
    const slot = (device.type * this.cpus + cpu) * ORDERS + order;
    const slots = 1 << order;
    for (;;) {
      let from = this.pointers[slot] & OFFSET_MASK;
      if (from === 0) {
        from = this.beginCluster(device, order);
        if (from < 0) {
          if (store.records[HEAD_DISCARD + NEXT] !== HEAD_DISCARD && this.context.discardForAllocation(device)) continue;
          return false;
        }
      }
      const end = Math.min(device.maxSlots, (Math.floor(from / CLUSTER_SLOTS) + 1) * CLUSTER_SLOTS);
      const found = this.runInCluster(device, from, end - slots, order);
      if (found === 0) {
        this.pointers[slot] = 0;
        continue;
      }
      this.offset = found;
      this.pointers[slot] = found + slots < end ? (device.type << OFFSET_BITS) | (found + slots) : 0;
      return true;
    }
  }

  /** The first slot of the cluster that a CPU fills next: the head of the free list, or of nonfull[order]; -1: none. */
  protected beginCluster(device: SwapDevice, order: number): number {
    const { store } = device;
    const head = store.records[HEAD_FREE + NEXT];
    if (head !== HEAD_FREE) {
      if (this.policies.nonfullLists) {
        store.take(head);
        store.records[head + STATE] = order;
      }
      return indexOf(head) * CLUSTER_SLOTS;
    }
    const nonfull = headNonfull(order);
    const record = store.records[nonfull + NEXT];
    if (!this.policies.nonfullLists || record === nonfull) return -1;
    store.take(record);
    return indexOf(record) * CLUSTER_SLOTS;
  }

  /** First free run from `from` to `last` in one cluster, unless it waits for discard; 0: none. */
  protected runInCluster(device: SwapDevice, from: number, last: number, order: number): number {
    if (device.store.records[recordOfSlot(from) + STATE] >>> 8 === LIST.discard) return 0;
    return findFreeRun(device.store.map, from, last, order);
  }

  /** A batch goes on: the next free slot from `from` on while the ration lasts; none: ~ the slot at which the search ended. */
  protected scanAhead(device: SwapDevice, from: number, base: number): number {
    const limit = from < base ? base : device.highestSlot;
    let offset = from;
    for (; offset <= limit && --this.ration > 0; offset++) if (!this.isTaken(device, offset, 0)) return offset;
    return ~offset;
  }

  /** The next free slot behind `after`, then from the lowest up to `base`; 0: none. The kernel's label `scan`. */
  protected scanOn(device: SwapDevice, after: number, base: number): number {
    this.scannedMany = false;
    let offset = after;
    while (++offset <= device.highestSlot) {
      this.payForScan();
      if (!this.isTaken(device, offset, 0) || this.isReclaimable(device, offset)) return offset;
    }
    for (offset = device.lowestSlot; offset < base; offset++) {
      this.payForScan();
      if (!this.isTaken(device, offset, 0) || this.isReclaimable(device, offset)) return offset;
    }
    return 0;
  }

  private payForScan(): void {
    if (--this.ration >= 0) return;
    this.ration = LATENCY_LIMIT;
    this.scannedMany = true;
  }

  /** Rotational: goes on in the stretch, or looks for 512 free slots in a row from the lowest free one. */
  protected startOfStretch(device: SwapDevice, baseAt: number): number {
    const base = this.bases[baseAt];
    if (this.stretch[device.type]-- !== 0) return base;
    this.stretch[device.type] = CLUSTER_SLOTS - 1;
    if (device.pages - device.inUse < CLUSTER_SLOTS) return base;
    let start = device.lowestSlot;
    for (let offset = start; start + CLUSTER_SLOTS - 1 <= device.highestSlot; offset++) {
      if (device.store.isUsed(offset)) start = offset + 1;
      else if (offset - start === CLUSTER_SLOTS - 1) {
        this.bases[baseAt] = start;
        return start;
      }
      this.payForScan();
    }
    return device.lowestSlot;
  }

  private isTaken(device: SwapDevice, offset: number, order: number): boolean {
    const { store } = device;
    if (offset >= device.maxSlots) return true;
    if (device.hasClusters && store.records[recordOfSlot(offset) + STATE] >>> 8 === LIST.discard) return true;
    return order === 0 ? store.isUsed(offset) : findFreeRun(store.map, offset, offset, order) !== offset;
  }

  /** The scan slot by slot has always reclaimed on its way, whatever a search in clusters does (scan_swap_map_slots). */
  private isReclaimable(device: SwapDevice, offset: number): boolean {
    return this.context.cacheMayGo() && device.store.isUsed(offset) && this.context.isCacheOnly(device, offset);
  }

  private reclaims(device: SwapDevice, offset: number): boolean {
    return this.isReclaimable(device, offset) && this.context.reclaimCacheOnly(device, offset);
  }

  protected use(device: SwapDevice, offset: number, order: number): void {
    const { store } = device;
    const slots = 1 << order;
    if (device.hasClusters) {
      const record = recordOfSlot(offset);
      if (store.records[record + STATE] >>> 8 === LIST.free) store.take(record);
    }
    takeRun(store.map, offset, order);
    store.touched[offset >>> SLOT_BLOCK_BITS] = 1;
    store.records[recordOfSlot(offset) + COUNT] += slots;
    if (offset === device.lowestSlot) device.lowestSlot += slots;
    if (offset + slots - 1 === device.highestSlot) device.highestSlot -= slots;
    this.context.charge(device, slots);
  }

  /** set_cluster_next. */
  protected setBase(device: SwapDevice, baseAt: number, next: number): void {
    let base = next;
    if (device.hasClusters && this.bases[baseAt] >>> TRUNK_SHIFT !== next >>> TRUNK_SHIFT) {
      if (device.highestSlot <= device.lowestSlot) return;
      base = device.lowestSlot + (this.nextRandom() % (device.highestSlot - device.lowestSlot + 1));
      base = Math.max(base - (base & ((1 << TRUNK_SHIFT) - 1)), device.lowestSlot);
    }
    this.bases[baseAt] = base;
  }

  /** xorshift32 */
  private nextRandom(): number {
    this.random ^= this.random << 13;
    this.random ^= this.random >>> 17;
    this.random ^= this.random << 5;
    return this.random >>> 0;
  }
}
