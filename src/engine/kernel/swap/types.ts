/**
 * What the swap layer offers to the memory layer, to /proc and /sys, and to the trace replay.
 * kernel/swap knows no folio, no memcg and no zswap: it hands out slots and asks back through SwapHost.
 */
import type { SwapDeviceKind } from '../../experiment/spec';

/**
 * A swap entry in one unsigned 32-bit number: type in bits 27…31, offset in bits 0…26.
 * So a device has at most 2^27 slots (512 GiB); type is 0…31, of which the kernel gives out at most 23 or so (MAX_SWAPFILES).
 */
export type Entry = number;
export const OFFSET_BITS = 27;
export const OFFSET_MASK = 0x07ffffff;
export const entryOf = (type: number, offset: number): Entry => ((type << OFFSET_BITS) | offset) >>> 0;
export const typeOf = (entry: Entry): number => entry >>> OFFSET_BITS;
export const offsetOf = (entry: Entry): number => entry & OFFSET_MASK;
/** alloc() found nothing. 0 is no entry: slot 0 of type 0 is the header. */
export const NO_ENTRY = 0;

export const CLUSTER_SLOTS = 512;
export const ORDERS = 10;

/** What the swap layer asks of the layer above. All synchronous. */
export interface SwapHost {
  /** Is this used slot held by the swap cache alone (no page table refers to it)? */
  isCacheOnly(type: number, offset: number): boolean;
  /** Drop the cached folio behind a cache-only slot, which frees its slots through SwapSystem.freeReclaimed; false if it cannot. */
  reclaimCacheOnly(type: number, offset: number): boolean;
  /** How many slots are held by the swap cache alone, over all devices. Absent: not known, so every used slot is asked about. */
  cacheOnlySlots?(): number;
  /** The layer has put off work: call SwapSystem.runWork(kind, type) some time later (a kernel worker). Asked once until it has run. */
  scheduleWork?(kind: SwapWork, type: number): void;
}

/** discard: pending discards; reclaim: cached slots of full clusters; shrink: unmap the free tail of an xswap device. */
export type SwapWork = 'discard' | 'reclaim' | 'shrink';

/** The arguments of swapon (or of xswap's create). */
export interface SwaponArgs {
  readonly kind: SwapDeviceKind;
  /** Shown by /proc/swaps: /dev/zram0, /swapfile, xswap0. */
  readonly name: string;
  /** Slots including the header slot 0. */
  readonly slots: number;
  /** Absent: the kernel's default rule. */
  readonly priority?: number;
  readonly rotational: boolean;
  /** SWP_PAGE_DISCARD: freed clusters are discarded before reuse. */
  readonly pageDiscard: boolean;
  /** Offsets of bad slots, ascending. */
  readonly badSlots?: readonly number[];
  /** Home node of the device, for node-based selection; -1: none. */
  readonly node: number;
}

/** Read-only view of one device (swap_info_struct). */
export interface SwapDeviceView {
  readonly type: number;
  readonly kind: SwapDeviceKind;
  readonly name: string;
  readonly priority: number;
  /** Slots of the address range, header included (si->max). For xswap: the reserved range, twice RAM. */
  readonly maxSlots: number;
  /** Usable pages (si->pages): slots without header and bad ones; for xswap it follows the limit. */
  readonly pages: number;
  /** Slots in use (si->inuse_pages). */
  readonly inUse: number;
  /** False while swapoff is under way. */
  readonly writable: boolean;
  readonly rotational: boolean;
  /** Clusters that exist now: all, or for xswap those mapped. */
  readonly clusters: number;
  /** Clusters that may be mapped (si->nr_clusters): all, or for xswap those below the limit. */
  readonly ceiling: number;
  readonly node: number;
  /** Clusters on the free list, so wholly free; 0 where the kernel keeps no clusters (rotational up to 6.13). */
  readonly freeClusters: number;
}

/** The lists a cluster may be on (ci->flags). parked: off every list because it lies above the lowered ceiling of an xswap device. */
export const LIST = { none: 0, free: 1, nonfull: 2, frag: 3, full: 4, discard: 5, parked: 6 } as const;

/** A cluster as the cluster map and the invariant checker see it. */
export interface ClusterView {
  readonly index: number;
  readonly count: number;
  readonly order: number;
  readonly list: number;
}
