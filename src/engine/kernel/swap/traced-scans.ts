/** What the traced allocators have in common: notes about devices, pointers, lists and scanned clusters. */
import { COUNT, HEAD_FREE, NEXT, STATE, headFrag, headNonfull, indexOf, recordOfSlot } from './clusters';
import { FROM, type DecisionTrace } from './decisions';
import type { SwapDevice } from './device';
import { isUsable } from './scan-reclaim';
import { CLUSTER_SLOTS, LIST } from './types';

export function noteDevice(trace: DecisionTrace, device: SwapDevice, order: number): void {
  const { type, priority, inUse, pages } = device;
  trace.note({ did: 'device', type, priority, order, inUse, pages });
  if (order === 0) return;
  if (!device.takesLargeFolios) trace.note({ did: 'no large folios', type, why: 'file' });
  else if (!device.hasClusters) trace.note({ did: 'no large folios', type, why: 'no clusters' });
}

/** Notes why a remembered cluster is not even scanned. `cpu` -1: all CPUs share it. */
export function notePointer(trace: DecisionTrace, offset: number, order: number, cpu: number, device: SwapDevice | undefined, type: number): void {
  if (offset === 0 || device === undefined) {
    trace.note({ did: 'no pointer', cpu, order, type });
    return;
  }
  const record = recordOfSlot(offset);
  if (device.writable && isUsable(device.store, record, order)) return;
  const state = device.store.records[record + STATE];
  trace.note({
    did: 'pointer unusable', type: device.type, cluster: indexOf(record), cpu, order, off: !device.writable, list: state >>> 8, holds: state & 0xff,
  });
}

/** Notes an empty list, or names the list while its clusters are scanned. */
export function scanOf(trace: DecisionTrace, device: SwapDevice, head: number, scan: () => number): number {
  if (device.store.records[head + NEXT] === head) {
    if (!trace.quiet) trace.note({ did: 'list empty', type: device.type, list: head });
    return 0;
  }
  const { from } = trace;
  trace.from = head;
  const found = scan();
  trace.from = from;
  return found;
}

/** Notes what a scanned cluster gave. */
export function resultOf(trace: DecisionTrace, device: SwapDevice, record: number, start: number, order: number, scan: () => number): number {
  const { records } = device.store;
  const free = CLUSTER_SLOTS - records[record + COUNT];
  const limit = device.inUse + (1 << order) > device.pages;
  const { from } = trace;
  const found = scan();
  const cluster = indexOf(record);
  const to = device.store.records[record + STATE];
  if (found === 0) trace.note({ did: 'no run', type: device.type, cluster, from, order, start, free, limit, to });
  else noteTaken(trace, device, cluster, order, found, to);
  return found;
}

export function noteTaken(trace: DecisionTrace, device: SwapDevice, cluster: number, order: number, offset: number, to: number): void {
  trace.note({ did: 'took', type: device.type, cluster, from: trace.from, order, offset, runs: 1, last: offset, to });
  if (device.inUse === device.pages) trace.note({ did: 'full', type: device.type });
}

/** Head of the list that a cluster's state names. */
export function headOf(state: number): number {
  const list = state >>> 8;
  if (list === LIST.nonfull) return headNonfull(state & 0xff);
  if (list === LIST.frag) return headFrag(state & 0xff);
  return list === LIST.free ? HEAD_FREE : FROM.own;
}
