/**
 * The allocator, the device selection and the slot caches with a trace of what they decide. A traced part is a copy that shares the
 * arrays of the plain one; the plain ones know nothing of it, so that looking costs nothing while nobody looks.
 */
import { BatchedAllocator } from './allocator-batched';
import { DeviceClusterAllocator } from './allocator-device-cluster';
import { PercpuClusterAllocator, type SlotAllocator } from './allocator-percpu-cluster';
import type { DecisionTrace, TracedSwap } from './decisions';
import { NodeLists, OneList, type DeviceSelection } from './device-list';
import { PriorityQueues } from './priority-queues';
import { ClusterListSlots } from './slots-cluster-lists';
import type { DeviceSlots } from './slots-of-device';
import { ScanSlots } from './slots-scan';
import { TracedDeviceClusters, TracedPercpuClusters } from './traced-allocators';
import { TracedNodeLists, TracedOneList, TracedQueues } from './traced-selection';
import { TracedSlotCache } from './traced-slot-cache';
import { TracedClusterLists, TracedScan } from './traced-slots';

/** A part and its traced copy; `inside`: parts of the part, which are pairs of their own. */
interface Pair {
  readonly plain: object;
  readonly copy: object;
  readonly inside: readonly string[];
}

/** Puts traced copies in the place of the parts. Returns what puts the plain ones back, with all that has changed meanwhile. */
export function traceParts(swap: TracedSwap, trace: DecisionTrace): () => void {
  const { allocator, selection, slotCache } = swap;
  const pairs: Pair[] = [];
  const pair = <T extends object>(prototype: T & { trace: DecisionTrace }, plain: T, inside: Partial<T> = {}): T => {
    const copy = Object.assign(copyOf(prototype, plain), { trace }, inside);
    pairs.push({ plain, copy, inside: Object.keys(inside) });
    return copy;
  };
  swap.allocator = tracedAllocator(allocator, pair, pairs);
  swap.selection = tracedSelection(selection, pair);
  if (slotCache !== undefined) swap.slotCache = pair(TracedSlotCache.prototype, slotCache);
  return () => {
    for (const { plain, copy, inside } of pairs) takeBack(plain, copy, inside);
    Object.assign(swap, { allocator, selection, slotCache });
  };
}

type MakePair = <T extends object>(prototype: T & { trace: DecisionTrace }, plain: T, inside?: Partial<T>) => T;

function tracedAllocator(plain: SlotAllocator, pair: MakePair, pairs: Pair[]): SlotAllocator {
  if (plain instanceof DeviceClusterAllocator) return pair<DeviceClusterAllocator>(TracedDeviceClusters.prototype, plain);
  if (plain instanceof PercpuClusterAllocator) return pair<PercpuClusterAllocator>(TracedPercpuClusters.prototype, plain);
  if (plain instanceof BatchedAllocator) {
    // It decides nothing itself that its devices and the selection do not tell.
    const copy = Object.assign(copyOf(BatchedAllocator.prototype, plain), { slots: tracedSlots(plain.slots, pair) });
    pairs.push({ plain, copy, inside: ['slots'] });
    return copy;
  }
  throw new Error('a slot allocator that cannot be watched');
}

function tracedSlots(plain: DeviceSlots, pair: MakePair): DeviceSlots {
  if (plain instanceof ClusterListSlots) {
    return pair<ClusterListSlots>(TracedClusterLists.prototype, plain, { rotational: tracedSlots(plain.rotational, pair) });
  }
  if (plain instanceof ScanSlots) return pair<ScanSlots>(TracedScan.prototype, plain);
  throw new Error('slots of a device that cannot be watched');
}

function tracedSelection(plain: DeviceSelection, pair: MakePair): DeviceSelection {
  if (plain instanceof NodeLists) return pair<NodeLists>(TracedNodeLists.prototype, plain);
  if (plain instanceof OneList) return pair<OneList>(TracedOneList.prototype, plain);
  if (plain instanceof PriorityQueues) return pair<PriorityQueues>(TracedQueues.prototype, plain);
  throw new Error('a device selection that cannot be watched');
}

const copyOf = <T extends object>(prototype: T, plain: object): T => Object.assign(Object.create(prototype) as T, plain);

/** Only what differs is written, so that the engine's compiled code keeps what it knows of the plain part. */
function takeBack(plain: object, copy: object, except: readonly string[]): void {
  for (const key of Object.keys(plain)) {
    const value: unknown = Reflect.get(copy, key);
    if (!except.includes(key) && Reflect.get(plain, key) !== value) Reflect.set(plain, key, value);
  }
}
