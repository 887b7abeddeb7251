import { naturalOrder, type ClusterOrder } from './cluster-order';
import { Clusters, recordOf, COUNT, STATE, headNonfull } from './clusters';
import { CLUSTER_SLOTS, LIST, ORDERS, type SwapDeviceView, type SwaponArgs } from './types';

/** How a kernel sets up the clusters of a device. */
export interface DeviceLayout {
  /** Clusters on lists: 'all'; 'nonfull': free ones and those with a freed slot; 'free': only the free ones; rotational devices may have none. */
  readonly lists: 'all' | 'nonfull' | 'free';
  /** Rotational devices are searched without clusters (up to 6.13). */
  readonly rotationalWithoutClusters: boolean;
  readonly order: ClusterOrder;
  /** Devices whose free clusters are taken before partly used ones; page discard always asks for that. */
  readonly freeFirst: 'discard' | 'nonsync' | 'all';
}

/** 6.18 and later. */
export const LAYOUT_ALL_LISTS: DeviceLayout = { lists: 'all', rotationalWithoutClusters: false, order: naturalOrder, freeFirst: 'discard' };

/** One swap device (struct swap_info_struct). */
export class SwapDevice implements SwapDeviceView {
  readonly type: number;
  readonly kind: SwaponArgs['kind'];
  readonly name: string;
  /** Changes when a device with a default priority above it goes (6.18). */
  priority: number;
  readonly maxSlots: number;
  pages: number;
  inUse = 0;
  /** SWP_WRITEOK */
  writable = true;
  readonly rotational: boolean;
  readonly pageDiscard: boolean;
  /** A free cluster is tried before partly used ones. */
  readonly freeFirst: boolean;
  /** SWP_BLKDEV: large folios are taken. A swap file takes none. */
  readonly takesLargeFolios: boolean;
  readonly isXswap: boolean;
  /** zram, and other devices whose I/O is done when the call returns (SWP_SYNCHRONOUS_IO). */
  readonly isSynchronous: boolean;
  /** Are slots found by clusters? Not on rotational devices up to 6.13. */
  readonly hasClusters: boolean;
  /** Do all clusters stand on lists, those that are partly used or full as well? */
  readonly hasUsedLists: boolean;
  /** Does a cluster come on the nonfull list when a slot of it is freed? */
  readonly hasNonfullLists: boolean;
  /** Lowest and highest slot that may be free, as kernels up to 6.13 keep them; highest 0: the device is full. */
  lowestSlot = 1;
  highestSlot: number;
  readonly node: number;
  readonly store: Clusters;
  /** Rotational devices: the next offset of each order, instead of one a CPU; 0: none. */
  readonly globalNext = new Uint32Array(ORDERS);
  /** Not on the list of available devices: full, or swapoff is under way (SWAP_USAGE_OFFLIST_BIT). */
  offList = true;
  ceiling: number;
  readonly badSlots: readonly number[];
  /** Work asked for and not yet run, see SwapHost.scheduleWork. */
  discardPending = false;
  reclaimPending = false;
  shrinkPending = false;

  /** `mapped`: clusters that exist at first; `ceiling`: clusters that count as usable. */
  constructor(type: number, args: SwaponArgs, priority: number, mapped: number, ceiling: number, layout = LAYOUT_ALL_LISTS) {
    this.type = type;
    this.kind = args.kind;
    this.name = args.name;
    this.priority = priority;
    this.maxSlots = args.slots;
    this.rotational = args.rotational;
    this.pageDiscard = args.pageDiscard;
    this.takesLargeFolios = args.kind !== 'file';
    this.isXswap = args.kind === 'xswap';
    this.isSynchronous = args.kind === 'zram' || this.isXswap;
    this.freeFirst = args.pageDiscard || layout.freeFirst === 'all' || (layout.freeFirst === 'nonsync' && !this.isSynchronous);
    this.hasClusters = !(args.rotational && layout.rotationalWithoutClusters);
    this.hasUsedLists = this.hasClusters && layout.lists === 'all';
    this.hasNonfullLists = this.hasClusters && layout.lists !== 'free';
    this.highestSlot = args.slots - 1;
    this.node = args.node;
    this.badSlots = args.badSlots ?? [];
    this.ceiling = ceiling;
    this.store = new Clusters(mapped);
    this.pages = (this.isXswap ? ceiling * CLUSTER_SLOTS : args.slots) - 1 - this.badSlots.length;
    this.markUnusable(0, 1);
    for (const slot of this.badSlots) this.markUnusable(slot, 1);
    const end = mapped * CLUSTER_SLOTS;
    if (end > args.slots) this.markUnusable(args.slots, end - args.slots);
    if (this.hasClusters) {
      layout.order(mapped, (index) => {
        this.listNewCluster(index);
      });
    }
  }

  get clusters(): number {
    return this.store.count;
  }

  get freeClusters(): number {
    return this.store.free;
  }

  /** Bytes that the engine spends on this device. */
  get bytes(): number {
    return this.store.bytes;
  }

  /** A new cluster goes to the free list, or with slots that cannot be used to nonfull[0] (setup_clusters). */
  listNewCluster(index: number): void {
    const record = recordOf(index);
    const count = this.store.records[record + COUNT];
    this.store.records[record + STATE] = 0;
    if (count === 0) this.store.toFree(record);
    else if (this.hasUsedLists) this.store.move(record, headNonfull(0), LIST.nonfull);
  }

  private markUnusable(offset: number, slots: number): void {
    this.store.setRange(offset, slots);
    this.store.records[recordOf(offset >>> 9) + COUNT] += slots;
  }
}
