/**
 * Slots of a device by clusters on lists, as in Linux 6.11 to 6.13: one pointer per device, CPU and order, followed without a look
 * at the cluster's order or emptiness. A free cluster becomes nonfull at its first allocation and stays there until it is
 * scanned or full.
 *
 * Order of attempts: the pointer; the head of the free list; with swap more than half full, cached slots of one full cluster; each
 * nonfull cluster of the order, which moves to frag as it is scanned; each frag cluster that was there before; waiting
 * discards, then all again; and for order 0 the frag and nonfull clusters of the orders above.
 *
 * | array    | index                          | meaning                                      |
 * |----------|--------------------------------|----------------------------------------------|
 * | pointers | (type × CPUs + CPU) × 10 + order | entry from which this CPU scans on; 0: none |
 *
 * Source: cluster_alloc_swap_entry and alloc_swap_scan_cluster in mm/swapfile.c of Linux 6.12; the kernel traces of 6.12.117.
 */
import type { AllocatorContext } from './allocator-percpu-cluster';
import {
  COUNT, HEAD_DISCARD, HEAD_FREE, HEAD_FULL, NEXT, SLOT_BLOCK_BITS, STATE, headFrag, headNonfull, indexOf, recordOfSlot,
} from './clusters';
import type { SwapDevice } from './device';
import { findFreeRun, takeRun } from './scan';
import { findReclaiming } from './scan-reclaim';
import type { DeviceSlots } from './slots-of-device';
import { CLUSTER_SLOTS, LIST, OFFSET_BITS, OFFSET_MASK, ORDERS } from './types';

const PMD_ORDER = ORDERS - 1;

/** The policies of the series that this search follows. */
export interface ClusterListPolicies {
  /** A nonfull cluster moves to frag as it is scanned; without, it stays at its place. */
  readonly fragLists: boolean;
}

export class ClusterListSlots implements DeviceSlots {
  pointers = new Uint32Array(0);
  private readonly context: AllocatorContext;
  protected readonly cpus: number;
  private readonly policies: ClusterListPolicies;
  /** Rotational devices have no clusters; they are searched otherwise. */
  readonly rotational: DeviceSlots;
  /** Where the pointer goes next, out of scanCluster. */
  protected next = 0;

  constructor(context: AllocatorContext, cpus: number, rotational: DeviceSlots, policies: ClusterListPolicies) {
    this.policies = policies;
    this.context = context;
    this.cpus = cpus;
    this.rotational = rotational;
  }

  reset(device: SwapDevice): void {
    if (!device.hasClusters) this.rotational.reset(device);
    const end = (device.type + 1) * this.cpus * ORDERS;
    if (this.pointers.length < end) {
      const wider = new Uint32Array(end);
      wider.set(this.pointers);
      this.pointers = wider;
    }
    this.forget(device.type);
  }

  forget(type: number): void {
    this.pointers.fill(0, type * this.cpus * ORDERS, (type + 1) * this.cpus * ORDERS);
  }

  take(device: SwapDevice, cpu: number, goal: number, order: number, out: Uint32Array, at: number): number {
    if (order > 0 && (!device.takesLargeFolios || !device.hasClusters)) return 0;
    if (!device.hasClusters) return this.rotational.take(device, cpu, goal, order, out, at);
    // On a rotational device all CPUs share one pointer an order.
    const slot = (device.type * this.cpus + (device.rotational ? 0 : cpu)) * ORDERS + order;
    let got = 0;
    while (got < goal) {
      this.next = this.pointers[slot] & OFFSET_MASK;
      const found = this.allocOne(device, order);
      this.pointers[slot] = this.next === 0 ? 0 : (device.type << OFFSET_BITS) | this.next;
      if (found === 0) break;
      out[at + got++] = found;
    }
    return got;
  }

  protected allocOne(device: SwapDevice, order: number): number {
    const { store } = device;
    const pointer = this.next;
    for (;;) {
      let found = 0;
      if (pointer !== 0 && (found = this.scanCluster(device, recordOfSlot(pointer), pointer, order)) !== 0) return found;
      const free = this.first(device, HEAD_FREE);
      if (free !== HEAD_FREE) return this.scanCluster(device, free, indexOf(free) * CLUSTER_SLOTS, order);
      if (this.context.cacheCountsAsFree()) this.context.reclaimFullCluster(device);
      if (order < PMD_ORDER && (found = this.scanOwnOrder(device, order)) !== 0) return found;
      if (store.records[HEAD_DISCARD + NEXT] === HEAD_DISCARD || !this.context.discardForAllocation(device)) break;
    }
    return order > 0 ? 0 : this.steal(device);
  }

  /** The record behind the head of a list: its first cluster, or the head itself. */
  protected first(device: SwapDevice, head: number): number {
    return device.store.records[head + NEXT];
  }

  /** All nonfull clusters of the order, each of which goes to frag; then the frag clusters that stood there before them. */
  protected scanOwnOrder(device: SwapDevice, order: number): number {
    const { store } = device;
    const nonfull = headNonfull(order);
    if (!this.policies.fragLists) return this.scanInPlace(device, nonfull, order);
    const frag = headFrag(order);
    let firstMoved = -1;
    for (let record = this.first(device, nonfull); record !== nonfull; record = store.records[nonfull + NEXT]) {
      store.move(record, frag, LIST.frag);
      if (firstMoved < 0) firstMoved = record;
      const found = this.scanCluster(device, record, indexOf(record) * CLUSTER_SLOTS, order);
      if (found !== 0) return found;
    }
    let record = this.first(device, frag);
    for (let left = store.count; left > 0; left--) {
      if (record === frag || record === firstMoved) return 0;
      if (firstMoved < 0) firstMoved = record;
      store.move(record, frag, LIST.frag);
      const found = this.scanCluster(device, record, indexOf(record) * CLUSTER_SLOTS, order);
      if (found !== 0) return found;
      record = store.records[frag + NEXT];
    }
    return 0;
  }

  /** Patches 3 to 6 of the series: the nonfull clusters from the head, each at its place. */
  private scanInPlace(device: SwapDevice, head: number, order: number): number {
    const { records } = device.store;
    for (let record = this.first(device, head); record !== head;) {
      const next = records[record + NEXT];
      const found = this.scanCluster(device, record, indexOf(record) * CLUSTER_SLOTS, order);
      if (found !== 0) return found;
      record = next;
    }
    return 0;
  }

  /** Order 0 takes slots from clusters of larger orders, which stay where they stand unless they become full. */
  protected steal(device: SwapDevice): number {
    const { store } = device;
    for (let order = 1; order < ORDERS; order++) {
      for (const head of [headFrag(order), headNonfull(order)]) {
        const record = store.records[head + NEXT];
        if (record === head) continue;
        const found = this.scanCluster(device, record, indexOf(record) * CLUSTER_SLOTS, 0);
        if (found !== 0) return found;
      }
    }
    return 0;
  }

  /** Takes the first free aligned run of a cluster from `offset` on. Returns its first slot or 0, and sets `next`. */
  protected scanCluster(device: SwapDevice, record: number, offset: number, order: number): number {
    const { store } = device;
    const { records } = store;
    const slots = 1 << order;
    const count = records[record + COUNT];
    this.next = 0;
    if (count + slots > CLUSTER_SLOTS || records[record + STATE] >>> 8 === LIST.discard) return 0;
    const end = (indexOf(record) + 1) * CLUSTER_SLOTS;
    const last = (end < device.maxSlots ? end : device.maxSlots) - slots;
    const found = this.context.cacheCountsAsFree()
      ? findReclaiming(this.context, device, record, offset, last, order, false)
      : findFreeRun(store.map, offset, last, order);
    if (found === 0) return 0;
    if (records[record + STATE] >>> 8 === LIST.free) {
      if (slots < CLUSTER_SLOTS) store.move(record, headNonfull(order), LIST.nonfull);
      records[record + STATE] = (records[record + STATE] & ~0xff) | order;
    }
    takeRun(store.map, found, order);
    store.touched[found >>> SLOT_BLOCK_BITS] = 1;
    records[record + COUNT] += slots;
    if (records[record + COUNT] === CLUSTER_SLOTS) store.move(record, HEAD_FULL, LIST.full);
    else if (found + slots <= last) this.next = found + slots;
    this.context.charge(device, slots);
    return found;
  }
}
