/**
 * Slot allocator with one cluster a CPU and order, shared by all devices (Linux 6.18, 7.2, 7.3).
 * Order of attempts: the CPU's pointer, whatever the priorities; then the devices that are not full, by priority.
 * Source: folio_alloc_swap, swap_alloc_fast, swap_alloc_slow, cluster_alloc_swap_entry, alloc_swap_scan_cluster and
 * relocate_cluster in mm/swapfile.c of 6.18, checked against the kernel traces.
 *
 * | array | index              | meaning                                                      |
 * |-------|--------------------|--------------------------------------------------------------|
 * | next  | cpu × 10 + order   | entry from which this CPU scans on; offset 0: nothing        |
 */
import { COUNT, HEAD_FREE, HEAD_FULL, NEXT, SLOT_BLOCK_BITS, STATE, headFrag, headNonfull, indexOf, recordOfSlot } from './clusters';
import type { SwapDevice } from './device';
import type { DeviceSelection } from './device-list';
import { findFreeRun, takeRun } from './scan';
import { findReclaiming, isUsable } from './scan-reclaim';
import { CLUSTER_SLOTS, LIST, NO_ENTRY, OFFSET_BITS, OFFSET_MASK, ORDERS, entryOf, type Entry } from './types';

/** What an allocator asks of the swap layer. */
export interface AllocatorContext {
  /** By type; undefined: no device of this type. */
  readonly table: readonly (SwapDevice | undefined)[];
  readonly selection: DeviceSelection;
  /** The devices that a request of this CPU may walk, in order. */
  availableFor(cpu: number): SwapDevice[];
  /** Moves the device at `index` of that list behind its equals. */
  requeue(cpu: number, index: number): void;
  /** Slots have come into use: accounting, and off the list when the device is full. */
  charge(device: SwapDevice, slots: number): void;
  /** Is swap more than half full over all devices (vm_swap_full), and may there be slots held by the swap cache alone? */
  cacheMayGo(): boolean;
  /** The same, for a search in clusters (policy scanReclaim). */
  cacheCountsAsFree(): boolean;
  isCacheOnly(device: SwapDevice, offset: number): boolean;
  /** Reclaims cache-only slots of one cluster at the head of the full list. */
  reclaimFullCluster(device: SwapDevice): void;
  reclaimCacheOnly(device: SwapDevice, offset: number): boolean;
  /** Runs pending discards, all or one by the kernel's policy; true if a cluster became free. */
  discardForAllocation(device: SwapDevice): boolean;
  /** The same for the first device, by priority, that has any. */
  discardAnywhere(): boolean;
  /** Maps more clusters of an xswap device; true if one became free. */
  growXswap(device: SwapDevice): boolean;
  /** Free slots over all devices; 0 when negative during a swapoff. */
  freeSlots(): number;
}

/** A slot allocator: one implementation an era. */
export interface SlotAllocator {
  alloc(cpu: number, order: number): Entry;
  /** swapoff: forget the device. `fromOffset`: only from this slot on (xswap's lowered ceiling). */
  flush(type: number, fromOffset: number): void;
  /** Entries that CPUs remember, index × 10 + order; for the invariant checker and the cluster map; offset 0: none. */
  readonly pointers: Uint32Array;
  /** A device comes on. */
  reset?(device: SwapDevice): void;
  /** Up to `wanted` folios of an order from one device, for the slot cache. Returns how many were written to `out` from `at` on. */
  takeSlots?(cpu: number, wanted: number, order: number, out: Uint32Array, at: number): number;
}

const PMD_ORDER = ORDERS - 1;

/** What a large folio does when its first device has no run for it: gives up, or tries all devices of that priority. */
export type LargeRetry = 'first-device' | 'all-peers';

export class PercpuClusterAllocator implements SlotAllocator {
  pointers: Uint32Array;
  protected readonly context: AllocatorContext;
  protected readonly largeRetry: LargeRetry;

  constructor(context: AllocatorContext, cpus: number, largeRetry: LargeRetry) {
    this.context = context;
    this.largeRetry = largeRetry;
    this.pointers = new Uint32Array(cpus * ORDERS);
  }

  alloc(cpu: number, order: number): Entry {
    const slot = cpu * ORDERS + order;
    const pointer = this.pointers[slot];
    const offset = pointer & OFFSET_MASK;
    if (offset !== 0) {
      const device = this.context.table[pointer >>> OFFSET_BITS];
      if (device !== undefined && device.writable) {
        const record = recordOfSlot(offset);
        if (isUsable(device.store, record, order)) {
          const found = this.scanCluster(device, record, offset, order, slot);
          if (found !== 0) return entryOf(device.type, found);
        }
      }
    }
    const entry = this.allocSlow(cpu, order, slot);
    return entry !== NO_ENTRY ? entry : this.afterDiscard(cpu, order);
  }

  /**
   * Nothing was found. A small folio then has waiting discards carried out and asks again (swap_sync_discard); a large one does not,
   * so while a discard waits it can be split although a cluster is about to become free.
   */
  protected afterDiscard(cpu: number, order: number): Entry {
    return order === 0 && this.context.discardAnywhere() ? this.alloc(cpu, order) : NO_ENTRY;
  }

  flush(type: number, fromOffset: number): void {
    for (let i = 0; i < this.pointers.length; i++) {
      const pointer = this.pointers[i];
      if ((pointer & OFFSET_MASK) !== 0 && pointer >>> OFFSET_BITS === type && (pointer & OFFSET_MASK) >= fromOffset) {
        this.pointers[i] = 0;
      }
    }
  }

  /**
   * Walks the available devices. Order 0 goes on to the next device after a failure, a larger order stops at the first.
   * Each device is tried at most once a call: a device on the list has a free slot, so order 0 does not fail on it.
   */
  protected allocSlow(cpu: number, order: number, slot: number): Entry {
    const list = this.context.availableFor(cpu);
    if (list.length === 0) return NO_ENTRY;
    const device = list[0];
    const second = list[1];
    this.context.requeue(cpu, 0);
    const found = this.allocFrom(device, order, slot);
    if (found !== 0) return entryOf(device.type, found);
    if (second === undefined || (order > 0 && this.largeRetry === 'first-device')) return NO_ENTRY;
    return this.allocFromOthers(cpu, second, order, slot, device.priority);
  }

  /**
   * After the first device has failed: order 0 on all others, a larger order on those of the same priority. The device to try
   * next is the one that stood behind before the visit.
   */
  private allocFromOthers(cpu: number, second: SwapDevice, order: number, slot: number, priority: number): Entry {
    let next: SwapDevice | undefined = second;
    for (let left = this.context.availableFor(cpu).length; left > 0 && next !== undefined; left--) {
      const list: SwapDevice[] = this.context.availableFor(cpu);
      const at = list.indexOf(next);
      if (at < 0) {
        next = list[0];
        continue;
      }
      const device = list[at];
      if (order > 0 && device.priority !== priority) return NO_ENTRY;
      next = list[at + 1];
      this.context.requeue(cpu, at);
      const found = this.allocFrom(device, order, slot);
      if (found !== 0) return entryOf(device.type, found);
    }
    return NO_ENTRY;
  }

  /** The order of attempts on one device (cluster_alloc_swap_entry). Returns an offset, or 0. */
  protected allocFrom(device: SwapDevice, order: number, slot: number): number {
    if (order > 0 && !device.takesLargeFolios) return 0;
    if (device.rotational) {
      const offset = device.globalNext[order];
      if (offset !== 0) {
        const record = recordOfSlot(offset);
        const found = isUsable(device.store, record, order) ? this.scanCluster(device, record, offset, order, slot) : 0;
        if (found !== 0) return found;
      }
    }
    let found = 0;
    if (device.freeFirst && (found = this.scanList(device, HEAD_FREE, order, slot, false)) !== 0) return found;
    if (order < PMD_ORDER && (found = this.scanList(device, headNonfull(order), order, slot, true)) !== 0) return found;
    if (!device.freeFirst && (found = this.scanList(device, HEAD_FREE, order, slot, false)) !== 0) return found;
    if (device.isXswap && this.context.growXswap(device)) {
      if ((found = this.scanList(device, HEAD_FREE, order, slot, false)) !== 0) return found;
    }
    if (this.context.cacheCountsAsFree()) this.context.reclaimFullCluster(device);
    if (order < PMD_ORDER && (found = this.scanList(device, headFrag(order), order, slot, false)) !== 0) return found;
    return order > 0 ? 0 : this.steal(device, slot);
  }

  /** Order 0 takes slots from clusters of larger orders. */
  protected steal(device: SwapDevice, slot: number): number {
    let found = 0;
    for (let other = 1; other < ORDERS; other++) {
      if ((found = this.scanList(device, headFrag(other), 0, slot, true)) !== 0) return found;
      if ((found = this.scanList(device, headNonfull(other), 0, slot, true)) !== 0) return found;
    }
    return 0;
  }

  /** Scans the first cluster of a list from its start; with `all`, one after the other until a run is found. */
  protected scanList(device: SwapDevice, head: number, order: number, slot: number, all: boolean): number {
    const store = device.store;
    do {
      const record = store.records[head + NEXT];
      if (record === head) return 0;
      store.take(record);
      const found = this.scanCluster(device, record, indexOf(record) * CLUSTER_SLOTS, order, slot);
      if (found !== 0) return found;
    } while (all);
    return 0;
  }

  /**
   * Takes the first free aligned run of a cluster from `offset` on, puts the cluster on the list it belongs to now and
   * sets the pointer. Returns the run's first slot, or 0.
   */
  protected scanCluster(device: SwapDevice, record: number, offset: number, order: number, slot: number): number {
    const store = device.store;
    const records = store.records;
    const slots = 1 << order;
    const count = records[record + COUNT];
    let found = 0;
    let next = 0;
    if (count + slots <= CLUSTER_SLOTS && device.inUse + slots <= device.pages) {
      const end = (indexOf(record) + 1) * CLUSTER_SLOTS;
      const last = (end < device.maxSlots ? end : device.maxSlots) - slots;
      if (this.context.cacheCountsAsFree()) {
        found = findReclaiming(this.context, device, record, offset, last, order, true);
      } else {
        found = findFreeRun(store.map, offset, last, order);
      }
      if (found !== 0) {
        const before = records[record + COUNT];
        if (before === 0) records[record + STATE] = (records[record + STATE] & ~0xff) | order;
        takeRun(store.map, found, order);
        store.touched[found >>> SLOT_BLOCK_BITS] = 1;
        records[record + COUNT] = before + slots;
        this.context.charge(device, slots);
        if (before + slots < CLUSTER_SLOTS && found + slots <= last) next = found + slots;
      }
    }
    if (records[record + STATE] >>> 8 !== LIST.frag || records[record + COUNT] === CLUSTER_SLOTS) relocate(device, record);
    if (device.rotational) device.globalNext[order] = next;
    else this.pointers[slot] = next === 0 ? 0 : (device.type << OFFSET_BITS) | next;
    return found;
  }
}

/** Where a cluster goes after it was scanned (relocate_cluster). */
export function relocate(device: SwapDevice, record: number): void {
  const store = device.store;
  const state = store.records[record + STATE];
  const list = state >>> 8;
  if (list === LIST.discard) return;
  const count = store.records[record + COUNT];
  if (count === 0) {
    if (list !== LIST.free) store.toFree(record);
  } else if (count < CLUSTER_SLOTS) {
    if (list !== LIST.frag) store.move(record, headFrag(state & 0xff), LIST.frag);
  } else if (list !== LIST.full) {
    store.move(record, HEAD_FULL, LIST.full);
  }
}
