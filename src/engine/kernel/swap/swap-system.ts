/**
 * The swap layer of the kernel: devices, slots and their accounting. It knows no folio, no memcg and no zswap.
 * Source: mm/swapfile.c of Linux 6.18; the cover letter of xswap v3 for xswap.
 */
import { KernelError } from '../../errno';
import { relocate, type AllocatorContext, type SlotAllocator } from './allocator-percpu-cluster';
import {
  COUNT, HEAD_DISCARD, HEAD_FULL, NEXT, STATE, headNonfull, indexOf, recordOf, recordOfSlot,
} from './clusters';
import { loseOnDiscard } from './defects';
import { SwapDevice, type DeviceLayout } from './device';
import type { DeviceSelection } from './device-list';
import { checkSwap } from './invariants';
import { swaponPriority, xswapPriority, type DefaultPriorities } from './priorities';
import {
  createAllocator, createDefaultPriorities, createSelection, createSlotCache, layoutOf, type SwapPolicies,
} from './registry';
import type { SlotCache, SlotCacheHost } from './slot-cache';
import {
  CLUSTER_SLOTS, LIST, NO_ENTRY, OFFSET_MASK, ORDERS, offsetOf, typeOf,
  type ClusterView, type Entry, type SwapDeviceView, type SwapHost, type SwapWork, type SwaponArgs,
} from './types';
import { CHUNK_CLUSTERS, clustersOfLimit, grow, setCeiling, shrink, xswapSize } from './xswap';

export class SwapSystem implements AllocatorContext, SlotCacheHost {
  readonly policies: SwapPolicies;
  /** By type; undefined: no device of this type. */
  readonly table: (SwapDevice | undefined)[] = [];
  allocator: SlotAllocator;
  selection: DeviceSelection;
  /** Per-CPU caches of slots (up to 6.13). */
  slotCache: SlotCache | undefined;
  /** Devices by priority, equals in order of swapon (swap_active_head). */
  readonly active: SwapDevice[] = [];
  /** total_swap_pages: of devices on which swap can go. */
  total = 0;
  /** nr_swap_pages: free slots; lowered by a whole device when its swapoff begins, so it may be negative meanwhile. */
  nrFree = 0;
  /** Swap types that have ever existed (nr_swapfiles). */
  typesSeen = 0;
  private readonly host: SwapHost;
  private readonly priorities: DefaultPriorities;
  private readonly layout: DeviceLayout;
  private readonly runsBypassCache: boolean;
  private readonly foliosBypassCache: boolean;
  private readonly onlyPmd: boolean;
  private readonly discardLosesClusters: boolean;
  /** Swapoffs under way. */
  private going = 0;

  /** `cpus` and `nodes`: CPUs are spread evenly over the nodes, in blocks. */
  constructor(policies: SwapPolicies, cpus: number, nodes: number, host: SwapHost) {
    this.policies = policies;
    this.host = host;
    this.selection = createSelection(policies, cpus, nodes);
    this.priorities = createDefaultPriorities(policies);
    this.layout = layoutOf(policies);
    this.allocator = createAllocator(policies, this, cpus);
    this.slotCache = createSlotCache(policies, this, cpus);
    this.discardLosesClusters = policies.defects.includes('discard-of-full-cluster');
    this.onlyPmd = policies.largeFolios === 'pmd';
    this.runsBypassCache = policies.freeing === 'runs-direct';
    this.foliosBypassCache = policies.freeing !== 'singles';
  }

  // ---- devices -------------------------------------------------------------------------------------------------

  /** swapon(2). Returns the swap type: the lowest that is free. @throws KernelError EPERM: no type left; EINVAL: no usable slot */
  swapon(args: SwaponArgs): number {
    if (args.kind === 'xswap') throw new KernelError('EINVAL', 'an xswap device has no backing store and is made with create');
    const bad = args.badSlots?.length ?? 0;
    if (!Number.isInteger(args.slots) || args.slots > OFFSET_MASK + 1 || args.slots - 1 - bad < 1) {
      throw new KernelError('EINVAL', `a swap device has 2 to ${OFFSET_MASK + 1} pages, at least one of them usable`);
    }
    const type = this.lowestFreeType();
    const clusters = Math.ceil(args.slots / CLUSTER_SLOTS);
    const device = new SwapDevice(type, args, swaponPriority(args.priority, this.priorities), clusters, clusters, this.layout);
    this.enable(device);
    return type;
  }

  /**
   * A write to /sys/kernel/mm/xswap/create. The caller checks that zswap is there. `ramPages`: pages that the kernel manages.
   * Returns the swap type. @throws KernelError EPERM: no type left; EINVAL: priority
   */
  createXswap(args: { readonly priority?: number }, ramPages: number): number {
    if (!this.policies.xswap) throw new KernelError('ENOENT', `${this.policies.id} has no xswap`);
    const size = xswapSize(ramPages);
    const type = this.lowestFreeType();
    const priority = xswapPriority(args.priority, this.priorities);
    const device = new SwapDevice(
      type,
      {
        kind: 'xswap', name: `xswap${type}`, slots: size.reserved * CLUSTER_SLOTS, rotational: false, pageDiscard: false, node: -1,
      },
      priority,
      Math.min(CHUNK_CLUSTERS, size.ceiling),
      size.ceiling,
      this.layout,
    );
    this.enable(device);
    return type;
  }

  /**
   * Begins swapoff: nothing is allocated on the device any more and CPUs forget it. The memory layer then brings the pages
   * back through free(), and ends with finishSwapoff or cancelSwapoff. @throws KernelError EINVAL: no such device
   */
  beginSwapoff(type: number): void {
    const device = this.writableDevice(type);
    this.removeFromAvailable(device);
    device.writable = false;
    const at = this.active.indexOf(device);
    const behind = this.active.slice(at + 1);
    this.priorities.gone(device, behind);
    for (const other of behind) this.selection.reprioritized?.(other);
    this.active.splice(at, 1);
    this.total -= device.pages;
    this.nrFree -= device.pages;
    this.allocator.flush(type, 0);
    this.going++;
    this.slotCache?.disable();
  }

  /** Ends swapoff; the type is free again. @throws KernelError EBUSY while slots are in use */
  finishSwapoff(type: number): void {
    const device = this.device(type);
    if (device.writable) throw new KernelError('EINVAL', 'swapoff has not begun');
    if (device.inUse > 0) throw new KernelError('EBUSY', `${device.inUse} pages are still on ${device.name}`);
    this.table[type] = undefined;
    this.selection.drop?.(device);
    this.swapoffEnded();
  }

  /** swapoff was interrupted or ran out of memory: the device goes on (reinsert_swap_info). */
  cancelSwapoff(type: number): void {
    const device = this.device(type);
    if (device.writable) throw new KernelError('EINVAL', 'swapoff has not begun');
    device.writable = true;
    this.enterActive(device);
    this.swapoffEnded();
  }

  /** All devices by type, the order of /proc/swaps. Views are live. */
  devices(): readonly SwapDeviceView[] {
    return this.table.filter((device): device is SwapDevice => device !== undefined);
  }

  /** Types in the order in which /proc/swaps lists them. */
  get procSwapsOrder(): readonly number[] {
    return this.devices().map((device) => device.type);
  }

  /** Live view of a device. @throws KernelError EINVAL: no such type */
  view(type: number): SwapDeviceView {
    return this.device(type);
  }

  /** Devices that allocation walks for a CPU now, in order: the next slow-path request tries the first. */
  availableOrder(cpu: number): readonly number[] {
    return this.selection.listFor(cpu).map((device) => device.type);
  }

  // ---- slots ---------------------------------------------------------------------------------------------------

  /** 2^order slots in a row, aligned to their number; order 0…9. Returns the first, or NO_ENTRY. */
  alloc(cpu: number, order: number): Entry {
    if (order === 0 && this.slotCache !== undefined) {
      const cached = this.slotCache.take(cpu);
      if (cached !== NO_ENTRY) return cached;
    }
    if (this.onlyPmd && order > 0 && order < ORDERS - 1) return NO_ENTRY;
    return this.allocator.alloc(cpu, order);
  }

  /**
   * Frees `count` consecutive slots, all of them in use. `cpu` matters to kernels with a slot cache: single slots collect
   * there; several freed together go back at once unless they cross a cluster.
   */
  free(entry: Entry, count: number, cpu = 0): void {
    if (this.slotCache !== undefined) {
      const inCluster = (offsetOf(entry) & (CLUSTER_SLOTS - 1)) + count <= CLUSTER_SLOTS;
      if (count === 1 || !inCluster || !this.runsBypassCache) {
        for (let i = 0; i < count; i++) this.slotCache.free(cpu, entry + i);
        return;
      }
    }
    this.freeNow(entry, count);
  }

  /** Frees the slots of a folio that leaves the swap cache: a whole cluster passes no slot cache, by policy any large folio. */
  freeFolio(entry: Entry, count: number, cpu = 0): void {
    if (this.slotCache === undefined || (count > 1 && (this.foliosBypassCache || count === CLUSTER_SLOTS))) this.freeNow(entry, count);
    else for (let i = 0; i < count; i++) this.slotCache.free(cpu, entry + i);
  }

  /**
   * Frees the slots of a folio that an allocation has dropped from the swap cache (reclaimCacheOnly): past the slot cache, so that they can be
   * taken at once, except before the mTHP series.
   */
  freeReclaimed(entry: Entry, count: number, cpu = 0): void {
    if (this.reclaimsDirectly) this.freeNow(entry, count);
    else this.freeFolio(entry, count, cpu);
  }

  /** TTRS_DIRECT, patch 6 of the mTHP series. */
  get reclaimsDirectly(): boolean {
    return this.foliosBypassCache;
  }

  private freeNow(entry: Entry, count: number): void {
    const device = this.table[typeOf(entry)];
    if (device === undefined) throw new Error(`free of entry ${entry}: no swap device of type ${typeOf(entry)}`);
    const offset = offsetOf(entry);
    if ((offset & (CLUSTER_SLOTS - 1)) + count <= CLUSTER_SLOTS) this.freeInCluster(device, offset, count);
    else this.freeAcross(device, offset, count);
  }

  /** Slots that lie in the CPUs' slot caches: in use by the counts, and held by nobody. */
  get cachedSlots(): number {
    return this.slotCache?.held ?? 0;
  }

  /** Is the slot in use? Header and bad slots count as used. */
  isUsed(entry: Entry): boolean {
    const device = this.table[typeOf(entry)];
    return device !== undefined && offsetOf(entry) < device.store.count * CLUSTER_SLOTS && device.store.isUsed(offsetOf(entry));
  }

  /** Next slot in use of a device at or after `from`, header and bad slots left out; -1: none (find_next_to_unuse). */
  nextUsed(type: number, from: number): number {
    const device = this.device(type);
    const end = Math.min(device.maxSlots, device.store.count * CLUSTER_SLOTS);
    for (let offset = from < 1 ? 1 : from; offset < end; offset++) {
      const rest = device.store.map[offset >>> 5] >>> (offset & 31);
      if (rest === 0) {
        offset |= 31;
        continue;
      }
      offset += 31 - Math.clz32(rest & -rest);
      if (offset < end && !device.badSlots.includes(offset)) return offset;
    }
    return -1;
  }

  // ---- accounting ----------------------------------------------------------------------------------------------

  /** SwapTotal in pages: devices on which swap can go, and for those in swapoff what is still in use. */
  get totalPages(): number {
    return this.total + this.pagesInSwapoff();
  }

  /** SwapFree in pages, by the same rule (si_swapinfo). */
  get freePages(): number {
    return this.nrFree + this.pagesInSwapoff();
  }

  /** Free slots as the kernel's own decisions see them (get_nr_swap_pages); 0 when negative during a swapoff. */
  get nrSwapPages(): number {
    return this.nrFree > 0 ? this.nrFree : 0;
  }

  /** Is more than half of swap in use, over all devices (vm_swap_full)? */
  isSwapFull(): boolean {
    return this.nrFree * 2 < this.total;
  }

  private pagesInSwapoff(): number {
    let pages = 0;
    for (const device of this.table) if (device !== undefined && !device.writable) pages += device.inUse;
    return pages;
  }

  // ---- xswap ---------------------------------------------------------------------------------------------------

  /** /sys/kernel/mm/xswap/type<N>/limit: usable pages. @throws KernelError ENOENT: no xswap device of this type */
  xswapLimit(type: number): number {
    return this.xswapDevice(type).pages;
  }

  /**
   * Sets the limit in pages and returns what it became: whole clusters, at least those that the pages in use need, at most
   * the address space. Takes effect at once. @throws KernelError ENOENT: no xswap device; EBUSY: it is being switched off
   */
  setXswapLimit(type: number, pages: number): number {
    const device = this.xswapDevice(type);
    if (!device.writable) throw new KernelError('EBUSY', `${device.name} is being switched off`);
    if (!(pages >= 0)) throw new KernelError('EINVAL', 'a limit is a number of pages');
    const ceiling = clustersOfLimit(pages, device.inUse, device.maxSlots / CLUSTER_SLOTS);
    const before = device.pages;
    this.allocator.flush(type, ceiling * CLUSTER_SLOTS);
    setCeiling(device, ceiling);
    device.pages = ceiling * CLUSTER_SLOTS - 1;
    this.total += device.pages - before;
    this.nrFree += device.pages - before;
    if (device.inUse >= device.pages) this.removeFromAvailable(device);
    else this.addToAvailable(device);
    return device.pages;
  }

  /** The put-off shrink of an xswap device; 0 if there is no such device any more. Returns the clusters unmapped. */
  runXswapShrink(type: number): number {
    const device = this.table[type];
    if (device === undefined || !device.isXswap) return 0;
    device.shrinkPending = false;
    const unmapped = shrink(device);
    if (unmapped > 0) this.allocator.flush(type, device.store.count * CLUSTER_SLOTS);
    return unmapped;
  }

  // ---- put-off work --------------------------------------------------------------------------------------------

  /** Work that has been put off and not yet run, by type. */
  pendingWork(): readonly { readonly kind: SwapWork; readonly type: number }[] {
    const pending: { kind: SwapWork; type: number }[] = [];
    for (const device of this.table) {
      if (device === undefined) continue;
      if (device.discardPending) pending.push({ kind: 'discard', type: device.type });
      if (device.reclaimPending) pending.push({ kind: 'reclaim', type: device.type });
      if (device.shrinkPending) pending.push({ kind: 'shrink', type: device.type });
    }
    return pending;
  }

  /** What a kernel worker does for one device. Harmless when there is nothing to do, or no such device. */
  runWork(kind: SwapWork, type: number): void {
    const device = this.table[type];
    if (device === undefined) return;
    if (kind === 'shrink') {
      this.runXswapShrink(type);
    } else if (kind === 'discard') {
      this.runDiscards(device, device.store.count);
    } else {
      device.reclaimPending = false;
      let clusters = Math.floor(device.inUse / CLUSTER_SLOTS);
      do {
        this.reclaimFullCluster(device);
      } while (--clusters > 0);
    }
  }

  // ---- views ---------------------------------------------------------------------------------------------------

  /** Clusters from … to-1 of a device, cut to those that exist. */
  clusters(type: number, from: number, to: number): ClusterView[] {
    const { store } = this.device(type);
    const views: ClusterView[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, store.count); index++) {
      const state = store.records[recordOf(index) + STATE];
      views.push({ index, count: store.records[recordOf(index) + COUNT], order: state & 0xff, list: state >>> 8 });
    }
    return views;
  }

  /** Sentences about what is broken; empty when everything is sound. */
  checkInvariants(): string[] {
    return checkSwap(this);
  }

  /** Bytes of typed arrays that the swap layer holds. */
  get bytes(): number {
    let bytes = this.allocator.pointers.byteLength + (this.slotCache?.bytes ?? 0);
    for (const device of this.table) if (device !== undefined) bytes += device.bytes;
    return bytes;
  }

  // ---- what the allocator asks (AllocatorContext) ---------------------------------------------------------------

  availableFor(cpu: number): SwapDevice[] {
    return this.selection.listFor(cpu);
  }

  requeue(cpu: number, index: number): void {
    this.selection.requeue(cpu, index);
  }

  charge(device: SwapDevice, slots: number): void {
    this.nrFree -= slots;
    device.inUse += slots;
    if (device.inUse === device.pages) {
      device.highestSlot = 0;
      device.lowestSlot = device.maxSlots;
      this.removeFromAvailable(device);
      if (this.isSwapFull()) this.schedule('reclaim', device);
    }
  }

  cacheCountsAsFree(): boolean {
    return this.policies.scanReclaim && this.cacheMayGo();
  }

  cacheMayGo(): boolean {
    return this.nrFree * 2 < this.total && (this.host.cacheOnlySlots === undefined || this.host.cacheOnlySlots() > 0);
  }

  isCacheOnly(device: SwapDevice, offset: number): boolean {
    return this.host.isCacheOnly(device.type, offset);
  }

  reclaimCacheOnly(device: SwapDevice, offset: number): boolean {
    return this.host.reclaimCacheOnly(device.type, offset);
  }

  /** Walks the cluster at the head of the full list (swap_reclaim_full_clusters). A slot that is freed takes the cluster to nonfull. */
  reclaimFullCluster(device: SwapDevice): void {
    if (!this.policies.fullClusterReclaim) return;
    const store = device.store;
    const record = store.records[HEAD_FULL + NEXT];
    if (record === HEAD_FULL) return;
    store.take(record);
    const start = indexOf(record) * CLUSTER_SLOTS;
    const end = Math.min(start + CLUSTER_SLOTS, device.maxSlots);
    for (let offset = start; offset < end; offset++) {
      if (store.isUsed(offset) && this.host.isCacheOnly(device.type, offset)) this.host.reclaimCacheOnly(device.type, offset);
    }
    if (store.records[record + STATE] >>> 8 === LIST.none) relocate(device, record);
  }

  discardForAllocation(device: SwapDevice): boolean {
    return this.runDiscards(device, this.policies.allocationDiscard === 'one' ? 1 : device.store.count);
  }

  discardAnywhere(): boolean {
    return this.active.some((device) => device.pageDiscard && this.discardForAllocation(device));
  }

  /** Discards what waits; the clusters become free in the order in which they were freed (swap_do_scheduled_discard). */
  private runDiscards(device: SwapDevice, most: number): boolean {
    const { store } = device;
    let done = 0;
    for (let record = store.first(HEAD_DISCARD); record >= 0 && done < most; record = store.first(HEAD_DISCARD)) {
      if (this.discardLosesClusters) loseOnDiscard(store, record);
      else store.toFree(record);
      done++;
    }
    if (store.first(HEAD_DISCARD) < 0) device.discardPending = false;
    return done > 0;
  }

  freeSlots(): number {
    return this.nrFree;
  }

  // ---- what the slot cache asks (SlotCacheHost) -----------------------------------------------------------------

  takeSlots(cpu: number, goal: number, out: Uint32Array, at: number): number {
    return this.allocator.takeSlots?.(cpu, goal, 0, out, at) ?? 0;
  }

  giveBack(entry: Entry): void {
    this.freeNow(entry, 1);
  }

  get sortsFrees(): boolean {
    return this.typesSeen > 1;
  }

  growXswap(device: SwapDevice): boolean {
    return grow(device);
  }

  // ---- inside --------------------------------------------------------------------------------------------------

  private freeAcross(device: SwapDevice, first: number, count: number): void {
    let offset = first;
    let left = count;
    while (left > 0) {
      const inCluster = CLUSTER_SLOTS - (offset & (CLUSTER_SLOTS - 1));
      const slots = left < inCluster ? left : inCluster;
      this.freeInCluster(device, offset, slots);
      offset += slots;
      left -= slots;
    }
  }

  private freeInCluster(device: SwapDevice, offset: number, slots: number): void {
    const store = device.store;
    const records = store.records;
    const record = recordOfSlot(offset);
    store.clearRange(offset, slots);
    const count = records[record + COUNT] - slots;
    records[record + COUNT] = count;
    device.inUse -= slots;
    this.nrFree += slots;
    if (device.offList && device.writable && device.inUse < device.pages) this.addToAvailable(device);
    if (!device.hasUsedLists) {
      this.freedWithoutLists(device, record, offset, slots);
      return;
    }
    const list = records[record + STATE] >>> 8;
    if (count === 0) this.clusterEmptied(device, record, list);
    else if (list !== LIST.nonfull && list !== LIST.parked) {
      store.move(record, headNonfull(records[record + STATE] & 0xff), LIST.nonfull);
    }
  }

  /** Kernels whose partly used clusters stand on no list. */
  private freedWithoutLists(device: SwapDevice, record: number, offset: number, slots: number): void {
    if (offset < device.lowestSlot) device.lowestSlot = offset;
    if (offset + slots - 1 > device.highestSlot) device.highestSlot = offset + slots - 1;
    if (!device.hasClusters) return;
    const { store } = device;
    const state = store.records[record + STATE];
    if (store.records[record + COUNT] === 0) this.clusterEmptied(device, record, state >>> 8);
    else if (device.hasNonfullLists && state >>> 8 !== LIST.nonfull) store.move(record, headNonfull(state & 0xff), LIST.nonfull);
  }

  private clusterEmptied(device: SwapDevice, record: number, list: number): void {
    if (device.isXswap) this.schedule('shrink', device);
    if (list === LIST.parked) return;
    if (device.pageDiscard && device.writable) {
      device.store.move(record, HEAD_DISCARD, LIST.discard);
      this.schedule('discard', device);
    } else {
      device.store.toFree(record);
    }
  }

  private schedule(kind: SwapWork, device: SwapDevice): void {
    if (kind === 'shrink') {
      if (device.shrinkPending) return;
      device.shrinkPending = true;
    } else if (kind === 'discard') {
      if (device.discardPending) return;
      device.discardPending = true;
    } else {
      if (device.reclaimPending) return;
      device.reclaimPending = true;
    }
    this.host.scheduleWork?.(kind, device.type);
  }

  private lowestFreeType(): number {
    let type = 0;
    while (this.table[type] !== undefined) type++;
    if (type >= this.policies.maxSwapfiles) throw new KernelError('EPERM', `there are ${type} swap devices already`);
    return type;
  }

  private enable(device: SwapDevice): void {
    this.table[device.type] = device;
    if (device.type >= this.typesSeen) this.typesSeen = device.type + 1;
    this.allocator.reset?.(device);
    this.enterActive(device);
    this.slotCache?.enable(this.going === 0);
  }

  private swapoffEnded(): void {
    this.going--;
    this.slotCache?.enable(this.going === 0 && this.active.length > 0);
  }

  /** _enable_swap_info: counts the device, puts it on the active list and, unless full, on the available list. */
  private enterActive(device: SwapDevice): void {
    let at = this.active.length;
    while (at > 0 && this.active[at - 1].priority < device.priority) at--;
    this.active.splice(at, 0, device);
    this.total += device.pages;
    this.nrFree += device.pages;
    if (device.inUse < device.pages) this.addToAvailable(device);
  }

  private addToAvailable(device: SwapDevice): void {
    if (!device.offList) return;
    device.offList = false;
    this.selection.add(device);
  }

  private removeFromAvailable(device: SwapDevice): void {
    if (device.offList) return;
    device.offList = true;
    this.selection.remove(device);
  }

  private device(type: number): SwapDevice {
    const device = this.table[type];
    if (device === undefined) throw new KernelError('EINVAL', `no swap device of type ${type}`);
    return device;
  }

  private writableDevice(type: number): SwapDevice {
    const device = this.device(type);
    if (!device.writable) throw new KernelError('EINVAL', `${device.name} is being switched off already`);
    return device;
  }

  private xswapDevice(type: number): SwapDevice {
    const device = this.table[type];
    if (device === undefined || !device.isXswap) throw new KernelError('ENOENT', `no xswap device of type ${type}`);
    return device;
  }
}
