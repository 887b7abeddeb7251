/** How devices find slots up to 6.13, with a trace of what is tried; see traced-parts.ts. */
import { COUNT, HEAD_FREE, NEXT, STATE, headNonfull, indexOf, recordOfSlot } from './clusters';
import { FROM, type DecisionTrace } from './decisions';
import type { SwapDevice } from './device';
import { ClusterListSlots } from './slots-cluster-lists';
import { ScanSlots } from './slots-scan';
import { headOf, noteDevice, notePointer, noteTaken, resultOf } from './traced-scans';
import { CLUSTER_SLOTS, ORDERS } from './types';

const isEmpty = (device: SwapDevice, head: number): boolean => device.store.records[head + NEXT] === head;

const ownOf = (device: SwapDevice): number => (device.rotational ? FROM.shared : FROM.own);

/** Are the 512 slots from `offset` on free? */
function isFree(device: SwapDevice, offset: number): boolean {
  for (let i = offset; i < offset + CLUSTER_SLOTS; i++) if (i >= device.maxSlots || device.store.isUsed(i)) return false;
  return true;
}

export class TracedClusterLists extends ClusterListSlots {
  declare trace: DecisionTrace;
  /** Who asks, and whether clusters of larger orders are scanned. */
  declare private asking: { cpu: number; stealing: boolean };

  override take(device: SwapDevice, cpu: number, goal: number, order: number, out: Uint32Array, at: number): number {
    // A device without clusters tells it itself.
    if (device.hasClusters || order > 0) noteDevice(this.trace, device, order);
    this.asking = { cpu, stealing: false };
    return super.take(device, cpu, goal, order, out, at);
  }

  protected override allocOne(device: SwapDevice, order: number): number {
    if (this.next === 0) this.trace.note({ did: 'no pointer', cpu: device.rotational ? -1 : this.asking.cpu, order, type: device.type });
    return super.allocOne(device, order);
  }

  protected override first(device: SwapDevice, head: number): number {
    if (isEmpty(device, head)) this.trace.note({ did: 'list empty', type: device.type, list: head });
    this.trace.from = head;
    return super.first(device, head);
  }

  protected override steal(device: SwapDevice): number {
    this.trace.note({ did: 'steal', type: device.type });
    this.asking.stealing = true;
    const found = super.steal(device);
    this.asking.stealing = false;
    return found;
  }

  protected override scanCluster(device: SwapDevice, record: number, offset: number, order: number): number {
    // A list's cluster is scanned from its start, the pointer's never: it stands behind a slot that was taken.
    if ((offset & (CLUSTER_SLOTS - 1)) !== 0) this.trace.from = ownOf(device);
    else if (this.asking.stealing) this.trace.from = headOf(device.store.records[record + STATE]);
    return resultOf(this.trace, device, record, offset, order, () => super.scanCluster(device, record, offset, order));
  }
}

export class TracedScan extends ScanSlots {
  declare trace: DecisionTrace;
  /** A batch looks at the lists again before each slot: that they are empty is told once. */
  declare private toldEmpty: boolean;

  override take(device: SwapDevice, cpu: number, goal: number, order: number, out: Uint32Array, at: number): number {
    this.toldEmpty = false;
    noteDevice(this.trace, device, order);
    const got = super.take(device, cpu, goal, order, out, at);
    if (got > 0 && got < goal && this.ration <= 0) this.trace.note({ did: 'ration spent', type: device.type, got });
    return got;
  }

  protected override takeWholeCluster(device: SwapDevice, out: Uint32Array, at: number): number {
    if (isEmpty(device, HEAD_FREE)) this.trace.note({ did: 'list empty', type: device.type, list: HEAD_FREE });
    this.trace.from = HEAD_FREE;
    return super.takeWholeCluster(device, out, at);
  }

  protected override nextInCluster(device: SwapDevice, cpu: number, order: number): boolean {
    this.trace.from = ownOf(device);
    const slot = (device.type * this.cpus + cpu) * ORDERS + order;
    if (this.pointers[slot] === 0 && !this.toldEmpty) notePointer(this.trace, 0, order, device.rotational ? -1 : cpu, device, device.type);
    return super.nextInCluster(device, cpu, order);
  }

  protected override beginCluster(device: SwapDevice, order: number): number {
    const { trace } = this;
    const nonfull = headNonfull(order);
    trace.from = HEAD_FREE;
    if (isEmpty(device, HEAD_FREE)) {
      if (!this.toldEmpty) {
        trace.note({ did: 'list empty', type: device.type, list: HEAD_FREE });
        if (this.policies.nonfullLists && isEmpty(device, nonfull)) trace.note({ did: 'list empty', type: device.type, list: nonfull });
      }
      trace.from = nonfull;
    }
    const begun = super.beginCluster(device, order);
    this.toldEmpty = begun < 0;
    return begun;
  }

  protected override runInCluster(device: SwapDevice, from: number, last: number, order: number): number {
    const found = super.runInCluster(device, from, last, order);
    if (found !== 0) return found;
    const record = recordOfSlot(from);
    const { records } = device.store;
    const free = CLUSTER_SLOTS - records[record + COUNT];
    const to = records[record + STATE];
    const cluster = indexOf(record);
    this.trace.note({ did: 'no run', type: device.type, cluster, from: this.trace.from, order, start: from, free, limit: false, to });
    return 0;
  }

  protected override conflicts(device: SwapDevice, offset: number, cpu: number): boolean {
    const conflict = super.conflicts(device, offset, cpu);
    if (conflict) this.trace.note({ did: 'conflict', type: device.type, cluster: offset >>> 9, cpu });
    return conflict;
  }

  protected override scanOn(device: SwapDevice, after: number, base: number): number {
    const { lowestSlot: low, highestSlot: high } = device;
    const found = super.scanOn(device, after, base);
    const wrapped = found <= after;
    const ahead = Math.max(0, high - after);
    const passed = !wrapped ? found - after - 1 : ahead + Math.max(0, (found === 0 ? base : found) - low);
    this.trace.note({ did: 'scanned', type: device.type, start: after + 1, passed, wrapped, low, found });
    this.trace.from = FROM.scan;
    return found;
  }

  protected override scanAhead(device: SwapDevice, from: number, base: number): number {
    const found = super.scanAhead(device, from, base);
    // `from` is the slot just taken: the one behind it is no news.
    if (found !== from + 1) this.trace.note({ did: 'scanned ahead', type: device.type, start: from + 1, found: Math.max(0, found) });
    this.trace.from = FROM.scan;
    return found;
  }

  protected override startOfStretch(device: SwapDevice, baseAt: number): number {
    const left = this.stretch[device.type];
    const few = device.pages - device.inUse < CLUSTER_SLOTS;
    const offset = super.startOfStretch(device, baseAt);
    this.trace.from = FROM.next;
    if (left > 0) this.trace.note({ did: 'stretch', type: device.type, offset, left });
    else this.trace.note({ did: 'new stretch', type: device.type, offset, why: few ? 'few free' : isFree(device, offset) ? 'found' : 'none' });
    return offset;
  }

  protected override use(device: SwapDevice, offset: number, order: number): void {
    super.use(device, offset, order);
    noteTaken(this.trace, device, device.hasClusters ? offset >>> 9 : -1, order, offset, device.store.records[recordOfSlot(offset) + STATE]);
  }

  protected override setBase(device: SwapDevice, baseAt: number, next: number): void {
    super.setBase(device, baseAt, next);
    const offset = this.bases[baseAt];
    if (offset !== next) this.trace.note({ did: 'next scan', type: device.type, cpu: device.rotational ? -1 : baseAt % this.cpus, offset });
  }
}
