/** The lists of devices as they stand, cut to their fronts: work is bounded whatever the size of the device. */
import { HEADS, HEAD_DISCARD, HEAD_FREE, HEAD_FULL, NEXT, RECORD_WORDS, indexOf } from './clusters';
import type { SwapDevice } from './device';
import type { DeviceLists, ListFront } from './moment';
import { ORDERS } from './types';

/** Clusters told a list. */
export const FRONT_CLUSTERS = 10;
/** Numbers a list: up to FRONT_CLUSTERS clusters and one that says there are more, closed by -1. */
const STRIDE = FRONT_CLUSTERS + 2;

/** The name of the list with this head record: free, full, discard, nonfull[4], frag[0]. */
export function listName(head: number): string {
  if (head === HEAD_FREE) return 'free';
  if (head === HEAD_FULL) return 'full';
  if (head === HEAD_DISCARD) return 'discard';
  const order = head / RECORD_WORDS - 3;
  return order < ORDERS ? `nonfull[${order}]` : `frag[${order - ORDERS}]`;
}

/**
 * A snapshot that costs little while it may not be asked for.
 *
 * | array  | index                                | meaning                                   |
 * |--------|--------------------------------------|-------------------------------------------|
 * | fronts | (device × HEADS + list) × STRIDE + i | cluster numbers from the head on, then -1 |
 */
export class ListSnapshot {
  private fronts = new Int32Array(0);
  private names: { readonly type: number; readonly name: string; readonly inUse: number }[] = [];

  take(devices: readonly (SwapDevice | undefined)[]): void {
    this.names = [];
    let at = 0;
    if (this.fronts.length < devices.length * HEADS * STRIDE) this.fronts = new Int32Array(devices.length * HEADS * STRIDE);
    const { fronts } = this;
    for (const device of devices) {
      if (device === undefined) continue;
      this.names.push({ type: device.type, name: device.name, inUse: device.inUse });
      const { records } = device.store;
      for (let head = 0; head < HEADS * RECORD_WORDS; head += RECORD_WORDS) {
        let i = at;
        for (let record = records[head + NEXT]; record !== head && i <= at + FRONT_CLUSTERS; record = records[record + NEXT]) {
          fronts[i++] = indexOf(record);
        }
        fronts[i] = -1;
        at += STRIDE;
      }
    }
  }

  /** The devices with their lists that hold anything. */
  lists(): DeviceLists[] {
    return this.names.map((device, number) => {
      const lists: ListFront[] = [];
      for (let list = 0; list < HEADS; list++) {
        const from = (number * HEADS + list) * STRIDE;
        const end = this.fronts.indexOf(-1, from);
        if (end === from) continue;
        const clusters = [...this.fronts.subarray(from, Math.min(end, from + FRONT_CLUSTERS))];
        lists.push({ name: listName(list * RECORD_WORDS), clusters, more: end - from > FRONT_CLUSTERS });
      }
      return { ...device, lists };
    });
  }
}
