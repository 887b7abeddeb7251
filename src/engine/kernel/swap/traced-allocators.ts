/**
 * The slot allocators with a trace of what they try. A traced allocator is a copy that shares the pointers of the plain one; the
 * plain ones know nothing of it, so that looking costs nothing while nobody looks.
 */
import { BatchedAllocator } from './allocator-batched';
import { DeviceClusterAllocator } from './allocator-device-cluster';
import { PercpuClusterAllocator, type SlotAllocator } from './allocator-percpu-cluster';
import { COUNT, HEAD_FREE, NEXT, STATE, headFrag, headNonfull, indexOf, recordOfSlot } from './clusters';
import { DECISION, type DecisionTrace } from './decisions';
import type { SwapDevice } from './device';
import { isUsable } from './scan-reclaim';
import { ClusterListSlots } from './slots-cluster-lists';
import type { DeviceSlots } from './slots-of-device';
import { CLUSTER_SLOTS, LIST, OFFSET_BITS, OFFSET_MASK, ORDERS, type Entry } from './types';

/** A copy of `plain` that tells `trace`. */
export function traced(plain: SlotAllocator, trace: DecisionTrace): SlotAllocator {
  if (plain instanceof DeviceClusterAllocator) return copyAs(TracedDeviceClusters.prototype, plain, trace);
  if (plain instanceof PercpuClusterAllocator) return copyAs(TracedPercpuClusters.prototype, plain, trace);
  if (plain instanceof BatchedAllocator) return Object.assign(copyOf(BatchedAllocator.prototype, plain), { slots: tracedSlots(plain.slots, trace) });
  return plain;
}

/** What the traced copy has replaced meanwhile goes back to the plain one. */
export function endTrace(plain: SlotAllocator, copy: SlotAllocator): void {
  if (plain instanceof PercpuClusterAllocator) plain.pointers = copy.pointers;
  if (plain instanceof BatchedAllocator && copy instanceof BatchedAllocator && copy.slots instanceof TracedClusterLists) {
    (plain.slots as ClusterListSlots).pointers = copy.slots.pointers;
  }
}

function tracedSlots(plain: DeviceSlots, trace: DecisionTrace): DeviceSlots {
  if (plain instanceof ClusterListSlots) return copyAs(TracedClusterLists.prototype, plain, trace);
  return {
    take: (device, cpu, goal, order, out, at) => {
      trace.note(DECISION.device, device.type, -1, -1, order, device.priority);
      trace.note(DECISION.search, device.type, -1, -1, order, cpu);
      const got = plain.take(device, cpu, goal, order, out, at);
      if (got > 0) trace.note(DECISION.took, device.type, out[at] >>> 9, -1, order, out[at]);
      return got;
    },
    reset: (device) => plain.reset(device),
    forget: (type) => plain.forget(type),
    observe: (say) => plain.observe(say),
    get pointers() {
      return plain.pointers;
    },
  };
}

const copyOf = <T extends object>(prototype: T, plain: object): T => Object.assign(Object.create(prototype) as T, plain);
const copyAs = <T extends { trace: DecisionTrace }>(prototype: T, plain: object, trace: DecisionTrace): T =>
  Object.assign(copyOf(prototype, plain), { trace });

/** Notes an empty list, or names the list while its clusters are scanned. */
function scanOf(trace: DecisionTrace, device: SwapDevice, head: number, order: number, scan: () => number): number {
  if (device.store.records[head + NEXT] === head) {
    trace.note(DECISION.listEmpty, device.type, -1, head, order, 0);
    return 0;
  }
  trace.list = head;
  const found = scan();
  trace.list = -1;
  return found;
}

/** Notes what a scanned cluster gave. */
function resultOf(trace: DecisionTrace, device: SwapDevice, record: number, order: number, scan: () => number): number {
  const free = CLUSTER_SLOTS - device.store.records[record + COUNT];
  const { list } = trace;
  const found = scan();
  trace.note(found === 0 ? DECISION.noRun : DECISION.took, device.type, indexOf(record), list, order, found === 0 ? free : found);
  return found;
}

/** Notes why a remembered cluster is not even scanned. */
function notePointer(trace: DecisionTrace, pointer: Entry, order: number, cpu: number, device: SwapDevice | undefined, type: number): void {
  const offset = pointer & OFFSET_MASK;
  if (offset === 0) trace.note(DECISION.noPointer, type, -1, -1, order, cpu);
  else if (device !== undefined && (!device.writable || !isUsable(device.store, recordOfSlot(offset), order))) {
    trace.note(DECISION.pointerUnusable, device.type, offset >>> 9, -1, order, cpu);
  }
}

/** Head of the list that a cluster's state names. */
function headOf(state: number): number {
  const list = state >>> 8;
  return list === LIST.nonfull ? headNonfull(state & 0xff) : list === LIST.frag ? headFrag(state & 0xff) : HEAD_FREE;
}

function noteDevice(trace: DecisionTrace, device: SwapDevice, order: number): void {
  trace.note(DECISION.device, device.type, -1, -1, order, device.priority);
  if (order > 0 && !device.takesLargeFolios) trace.note(DECISION.noLargeFolios, device.type, -1, -1, order, 0);
}

class TracedPercpuClusters extends PercpuClusterAllocator {
  declare trace: DecisionTrace;

  override alloc(cpu: number, order: number): Entry {
    const pointer = this.pointers[cpu * ORDERS + order];
    notePointer(this.trace, pointer, order, cpu, this.context.table[pointer >>> OFFSET_BITS], -1);
    return super.alloc(cpu, order);
  }

  protected override allocFrom(device: SwapDevice, order: number, slot: number): number {
    noteDevice(this.trace, device, order);
    return super.allocFrom(device, order, slot);
  }

  protected override scanList(device: SwapDevice, head: number, order: number, slot: number, all: boolean): number {
    return scanOf(this.trace, device, head, order, () => super.scanList(device, head, order, slot, all));
  }

  protected override scanCluster(device: SwapDevice, record: number, offset: number, order: number, slot: number): number {
    return resultOf(this.trace, device, record, order, () => super.scanCluster(device, record, offset, order, slot));
  }
}

class TracedDeviceClusters extends DeviceClusterAllocator {
  declare trace: DecisionTrace;

  protected override allocFrom(device: SwapDevice, order: number, slot: number): number {
    noteDevice(this.trace, device, order);
    const cpu = Math.floor(slot / ORDERS);
    notePointer(this.trace, this.pointers[this.pointerOf(device, slot)], order, cpu, device, device.type);
    return super.allocFrom(device, order, slot);
  }

  protected override scanList(device: SwapDevice, head: number, order: number, slot: number, all: boolean): number {
    return scanOf(this.trace, device, head, order, () => super.scanList(device, head, order, slot, all));
  }

  protected override scanCluster(device: SwapDevice, record: number, offset: number, order: number, slot: number): number {
    return resultOf(this.trace, device, record, order, () => super.scanCluster(device, record, offset, order, slot));
  }
}

class TracedClusterLists extends ClusterListSlots {
  declare trace: DecisionTrace;

  override take(device: SwapDevice, cpu: number, goal: number, order: number, out: Uint32Array, at: number): number {
    noteDevice(this.trace, device, order);
    if (!device.hasClusters) this.trace.note(DECISION.search, device.type, -1, -1, order, cpu);
    return super.take(device, cpu, goal, order, out, at);
  }

  protected override steal(device: SwapDevice): number {
    this.trace.note(DECISION.steal, device.type, -1, -1, 0, 0);
    return super.steal(device);
  }

  protected override scanCluster(device: SwapDevice, record: number, offset: number, order: number): number {
    // A list's cluster is scanned from its start, the pointer's never: it stands behind a slot that was taken.
    this.trace.list = (offset & (CLUSTER_SLOTS - 1)) !== 0 ? -1 : headOf(device.store.records[record + STATE]);
    return resultOf(this.trace, device, record, order, () => super.scanCluster(device, record, offset, order));
  }
}
