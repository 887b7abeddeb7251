/**
 * The list of available devices and its policies. A list is ordered by priority, highest first; equals stand in the
 * order in which they came. A visited device moves behind its equals, which is all the rotation there is.
 * Source: plist_add and plist_requeue in lib/plist.c; swap_alloc_slow, add_to_avail_list and del_from_avail_list in
 * mm/swapfile.c.
 */
import type { SwapDevice } from './device';

/** How a request finds its device. */
export interface DeviceSelection {
  /** Device comes on, or is no longer full: to the tail of its equals. */
  add(device: SwapDevice): void;
  remove(device: SwapDevice): void;
  /** Swapoff is over, for selections that keep devices that cannot serve. */
  drop?(device: SwapDevice): void;
  /** The priority of a device may have changed, for selections that keep devices by it; the order of devices has not. */
  reprioritized?(device: SwapDevice): void;
  /** All lists, for the invariant checker. */
  readonly lists: readonly (readonly SwapDevice[])[];
  /** The list that a request of this CPU walks. The walker must not keep it across changes. */
  listFor(cpu: number): SwapDevice[];
  /** Moves the device at `index` of a CPU's list behind its equals. */
  requeue(cpu: number, index: number): void;
  /** Sentences about what is broken in its own order; empty when sound. `table`: devices by type. */
  check(table: readonly (SwapDevice | undefined)[]): string[];
}

/** One list a node; a device with a default priority comes first on the list of its own node (6.18 and before). */
export class NodeLists implements DeviceSelection {
  readonly lists: SwapDevice[][];
  private readonly nodeOfCpu: Int32Array;

  constructor(cpus: number, nodes: number) {
    this.lists = Array.from({ length: nodes }, () => []);
    this.nodeOfCpu = new Int32Array(cpus);
    for (let cpu = 0; cpu < cpus; cpu++) this.nodeOfCpu[cpu] = Math.floor((cpu * nodes) / cpus);
  }

  add(device: SwapDevice): void {
    for (let node = 0; node < this.lists.length; node++) insertBehindEquals(this.lists[node], device, (d) => rankOn(d, node));
  }

  remove(device: SwapDevice): void {
    for (const list of this.lists) removeFrom(list, device);
  }

  listFor(cpu: number): SwapDevice[] {
    return this.lists[this.nodeOfCpu[cpu]];
  }

  requeue(cpu: number, index: number): void {
    const node = this.nodeOfCpu[cpu];
    moveBehindEquals(this.lists[node], index, (d) => rankOn(d, node));
  }

  check(): string[] {
    return this.lists.flatMap((list, node) => checkOrder(list, (d) => rankOn(d, node), `the list of node ${node}`));
  }
}

/** One list for the whole machine (7.x). */
export class OneList implements DeviceSelection {
  readonly lists: SwapDevice[][] = [[]];

  add(device: SwapDevice): void {
    insertBehindEquals(this.lists[0], device, rank);
  }

  remove(device: SwapDevice): void {
    removeFrom(this.lists[0], device);
  }

  listFor(): SwapDevice[] {
    return this.lists[0];
  }

  requeue(_cpu: number, index: number): void {
    moveBehindEquals(this.lists[0], index, rank);
  }

  check(): string[] {
    return checkOrder(this.lists[0], rank, 'the list');
  }
}

type Rank = (device: SwapDevice) => number;

const rank: Rank = (device) => -device.priority;
const rankOn = (device: SwapDevice, node: number): number => (device.priority < 0 && device.node === node ? 1 : -device.priority);

function insertBehindEquals(list: SwapDevice[], device: SwapDevice, rankOf: Rank): void {
  const mine = rankOf(device);
  let at = list.length;
  while (at > 0 && rankOf(list[at - 1]) > mine) at--;
  list.splice(at, 0, device);
}

function checkOrder(list: readonly SwapDevice[], rankOf: Rank, name: string): string[] {
  return list.flatMap((device, i) => {
    const before = list[i - 1];
    return before !== undefined && rankOf(before) > rankOf(device) ? [`${device.name} stands behind ${before.name} on ${name}, and ranks above it`] : [];
  });
}

function removeFrom(list: SwapDevice[], device: SwapDevice): void {
  const at = list.indexOf(device);
  if (at >= 0) list.splice(at, 1);
}

function moveBehindEquals(list: SwapDevice[], index: number, rankOf: Rank): void {
  if (index === list.length - 1) return;
  const device = list[index];
  const mine = rankOf(device);
  let at = index;
  while (at + 1 < list.length && rankOf(list[at + 1]) <= mine) {
    list[at] = list[at + 1];
    at++;
  }
  list[at] = device;
}
