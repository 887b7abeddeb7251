/**
 * The decisions behind a request or a free, collected while somebody looks on. `type` is a swap type; a cluster's number is its first
 * slot / 512; a list of a device is named by its head record (clusters.ts), a cluster's state by the STATE word of its record.
 */
import type { DeviceSelection } from './device-list';
import type { SlotAllocator } from './allocator-percpu-cluster';
import type { SlotCache } from './slot-cache';
import type { SwapDevice } from './device';

/** Where a scanned cluster came from: the head of a list, or one of these. */
export const FROM = {
  /** The cluster that the CPU remembers. */
  own: -1,
  /** The cluster that all CPUs remember: rotational devices. */
  shared: -2,
  /** No cluster: found slot by slot. */
  scan: -3,
  /** No cluster: the next slot of a device without clusters. */
  next: -4,
} as const;

interface OnDevice {
  readonly type: number;
}

interface OnCluster extends OnDevice {
  readonly cluster: number;
}

/** One decision. `did` says which; the fields are what was seen at that moment. */
export type Decision =
  // The slot caches (up to 6.13). free: free slots over all devices
  | { readonly did: 'cache switched'; readonly on: boolean; readonly free: number; readonly limit: number }
  | { readonly did: 'refill'; readonly cpu: number; readonly goal: number; got: number }
  | { readonly did: 'cached'; readonly cpu: number; readonly type: number; readonly offset: number; readonly left: number }
  | { readonly did: 'waits'; readonly cpu: number; slots: number; waiting: number }
  /** type, offset: the slot that goes first */
  | { readonly did: 'given back'; readonly count: number; readonly sorted: boolean; type: number; offset: number }
  // What a CPU remembers; cpu -1: all CPUs together. list: LIST number, holds: order of the cluster
  | { readonly did: 'no pointer'; readonly cpu: number; readonly order: number; readonly type: number }
  | (OnCluster & {
    readonly did: 'pointer unusable'; readonly cpu: number; readonly order: number;
    readonly off: boolean; readonly list: number; readonly holds: number;
  })
  /** The remembered cluster was freed meanwhile and is not the head of the free list. */
  | (OnCluster & { readonly did: 'conflict'; readonly cpu: number })
  // Devices. behind: how many equals it now stands behind
  | (OnDevice & { readonly did: 'requeued'; readonly behind: number })
  | (OnDevice & { readonly did: 'device'; readonly priority: number; readonly order: number; readonly inUse: number; readonly pages: number })
  | (OnDevice & { readonly did: 'no large folios'; readonly why: 'file' | 'no clusters' })
  | (OnDevice & { readonly did: 'full' })
  | (OnDevice & { readonly did: 'has room' })
  // Priority queues. left: slots left of the reader's quota
  | (OnDevice & { readonly did: 'reader'; readonly cpu: number; readonly priority: number; readonly left: number })
  | { readonly did: 'ring of one'; readonly type: number; readonly priority: number }
  | (OnDevice & { readonly did: 'masked' })
  | { readonly did: 'ring full'; readonly priority: number }
  | { readonly did: 'ring tried'; readonly priority: number; readonly peers: number }
  | (OnDevice & { readonly did: 'reader moved'; readonly cpu: number; readonly why: 'served' | 'quota' | 'visited'; readonly quota: number })
  | (OnDevice & { readonly did: 'reader stays'; readonly cpu: number })
  // Clusters and lists. from: head record or FROM; to: state afterwards
  | (OnDevice & { readonly did: 'list empty'; readonly list: number })
  /** free: slots; limit: the device can take no more pages at all */
  | (OnCluster & {
    readonly did: 'no run'; readonly from: number; readonly order: number; readonly start: number;
    readonly free: number; readonly limit: boolean; readonly to: number;
  })
  /** runs: of a batch, those taken in a row in this cluster; last: the first slot of the last of them */
  | (OnCluster & {
    readonly did: 'took'; readonly from: number; readonly order: number; readonly offset: number; runs: number; last: number; to: number;
  })
  | (OnDevice & { readonly did: 'steal' })
  | (OnCluster & { readonly did: 'moved'; readonly was: number; readonly is: number; readonly count: number })
  | (OnCluster & { readonly did: 'stays'; readonly is: number; count: number })
  /** On a device without clusters. */
  | (OnDevice & { readonly did: 'freed'; readonly offset: number; readonly count: number })
  // Scans without lists. found 0: none; wrapped: it went on from `low`, the lowest slot that may be free
  | (OnDevice & {
    readonly did: 'scanned'; readonly start: number; readonly passed: number; readonly wrapped: boolean; readonly low: number; readonly found: number;
  })
  | (OnDevice & { readonly did: 'scanned ahead'; readonly start: number; readonly found: number })
  | (OnDevice & { readonly did: 'ration spent'; readonly got: number })
  | (OnDevice & { readonly did: 'stretch'; readonly offset: number; readonly left: number })
  | (OnDevice & { readonly did: 'new stretch'; readonly offset: number; readonly why: 'found' | 'none' | 'few free' })
  | (OnDevice & { readonly did: 'next scan'; readonly cpu: number; readonly offset: number })
  // Making room
  | (OnCluster & { readonly did: 'reclaimed full'; readonly slots: number })
  | (OnDevice & { readonly did: 'dropped cached'; readonly offset: number; readonly slots: number })
  | (OnDevice & { readonly did: 'discarded'; readonly clusters: number; readonly left: boolean })
  | (OnDevice & { readonly did: 'grown'; readonly from: number; readonly to: number; readonly ceiling: number })
  // The end of a request that found nothing. unasked: devices with room that were not asked
  | { readonly did: 'order refused'; readonly order: number }
  | {
    readonly did: 'nothing'; readonly order: number; readonly asked: number; readonly unasked: number;
    readonly why: 'first device' | 'lower priority' | 'searched';
  };

export type DecisionOf<Did extends Decision['did']> = Extract<Decision, { did: Did }>;

/** What the trace looks at and replaces by traced copies. */
export interface TracedSwap {
  readonly table: readonly (SwapDevice | undefined)[];
  allocator: SlotAllocator;
  selection: DeviceSelection;
  slotCache: SlotCache | undefined;
}

export class DecisionTrace {
  rows: Decision[] = [];
  /** Where the cluster comes from that is scanned next. */
  from: number = FROM.own;
  /** Empty lists are passed over in silence: a search through all orders would tell twenty of them. */
  quiet = false;

  constructor(readonly table: TracedSwap['table']) {}

  note(decision: Decision): void {
    const last = this.rows[this.rows.length - 1];
    if (decision.did === 'took' && last?.did === 'took' && last.type === decision.type && last.cluster === decision.cluster) {
      last.runs++;
      last.last = decision.offset;
      last.to = decision.to;
    } else if (decision.did === 'stays' && last?.did === 'stays' && last.type === decision.type && last.cluster === decision.cluster) {
      last.count = decision.count;
    } else if (decision.did === 'waits' && last?.did === 'waits' && last.cpu === decision.cpu) {
      last.slots += decision.slots;
      last.waiting = decision.waiting;
    } else this.rows.push(decision);
  }

  /** Begins anew. */
  clear(): void {
    this.rows = [];
    this.from = FROM.own;
    this.quiet = false;
  }
}
