/**
 * Device selection by queues, one a priority (RFC v2 of "per-priority allocation queues"): a ring of devices that stays as it is
 * while devices fill up and empty, and in each ring a reader a CPU that goes on to the next device after a quota of slots.
 *
 * - A full device, or one that swapoff has disabled, stays in its ring as a tagged entry that readers skip.
 * - A walk has a cursor of its own, set from the reader when it begins, so that it visits each peer once even when another
 *   task turns the reader meanwhile.
 * - A large folio tries every peer of its priority before it gives up; a lower priority is for when all peers are full.
 * - swapon publishes a device in one step, by a new ring; swapoff tags it at once and takes it out when it is empty.
 *
 * Assumed: the quota (the series names none; 512 slots, one cluster); the readers of a ring begin spread over it; a reader
 * whose device cannot serve moves to the one that could with a new quota, unless the request was a large folio that found
 * the device fragmented.
 *
 * Source: cover letter of "[RFC PATCH v2 00/13] mm/swap: introduce per-priority allocation queues", Lian Wang.
 */
import type { SwapDevice } from './device';
import type { DeviceSelection } from './device-list';

export interface QueueOptions {
  /** Slots after which a reader goes on to the next device. */
  readonly quota: number;
  /** Open question 1: a ring of one returns its device without a reader. */
  readonly fastPathOfOne: boolean;
  /** Open question 2: rings know how many of their devices can serve, so that a full ring is passed over without a look at its entries. */
  readonly availabilityState: boolean;
}

export interface RingEntry {
  readonly device: SwapDevice;
  masked: boolean;
}

export interface Ring {
  readonly priority: number;
  readonly entries: readonly RingEntry[];
  available: number;
  /** By CPU: entry at which the reader stands. */
  readonly at: Uint32Array;
  /** By CPU: slots left of the reader's quota. */
  readonly left: Int32Array;
}

/** One walk over the queues for one request; the numbers are its own. */
export interface QueueWalk {
  ring: number;
  start: number;
  step: number;
  /** A device of this priority was tried and had nothing. */
  tried: boolean;
}

export class PriorityQueues implements DeviceSelection {
  /** What readers cost: entries looked at and found masked, and reads of a CPU's reader under its lock. */
  readonly costs = { maskedEntries: 0, readerReads: 0 };
  protected rings: Ring[] = [];
  private readonly cpus: number;
  protected readonly options: QueueOptions;

  constructor(cpus: number, options: QueueOptions) {
    this.cpus = cpus;
    this.options = options;
  }

  /** Comes on, or can serve again: a new entry, or an old one without its tag. */
  add(device: SwapDevice): void {
    for (const ring of this.rings) {
      const entry = ring.entries.find((candidate) => candidate.device === device);
      if (entry === undefined) continue;
      if (entry.masked) ring.available++;
      entry.masked = false;
      return;
    }
    this.publish(device);
  }

  /** Full, or being switched off: tagged. */
  remove(device: SwapDevice): void {
    for (const ring of this.rings) {
      const entry = ring.entries.find((candidate) => candidate.device === device);
      if (entry === undefined || entry.masked) continue;
      entry.masked = true;
      ring.available--;
    }
  }

  /** Swapoff is over: the entry goes. */
  drop(device: SwapDevice): void {
    this.rings = this.rings
      .map((ring) => (ring.entries.some((entry) => entry.device === device)
        ? this.ringOf(ring.priority, ring.entries.filter((entry) => entry.device !== device), ring)
        : ring))
      .filter((ring) => ring.entries.length > 0);
  }

  /** To the queue of its new priority, masked or not as before. */
  reprioritized(device: SwapDevice): void {
    const ring = this.rings.find((candidate) => candidate.entries.some((entry) => entry.device === device));
    if (ring === undefined || ring.priority === device.priority) return;
    const masked = ring.entries.some((entry) => entry.device === device && entry.masked);
    this.drop(device);
    this.publish(device);
    if (masked) this.remove(device);
  }

  get lists(): readonly (readonly SwapDevice[])[] {
    return [this.rings.flatMap((ring) => ring.entries.filter((entry) => !entry.masked).map((entry) => entry.device))];
  }

  /** In the order in which a walk that begins now would visit them. */
  listFor(cpu: number): SwapDevice[] {
    const list: SwapDevice[] = [];
    for (const ring of this.rings) {
      for (let step = 0; step < ring.entries.length; step++) {
        const entry = ring.entries[(ring.at[cpu] + step) % ring.entries.length];
        if (!entry.masked) list.push(entry.device);
      }
    }
    return list;
  }

  /** For allocators that rotate at each visit: the reader goes on behind this device. */
  requeue(cpu: number, index: number): void {
    const device = this.listFor(cpu)[index];
    for (const ring of this.rings) {
      const at = ring.entries.findIndex((entry) => entry.device === device);
      if (at >= 0) this.turnTo(ring, cpu, (at + 1) % ring.entries.length);
    }
  }

  /** Sentences about what is broken; empty when sound. `table`: devices by type. */
  check(table: readonly (SwapDevice | undefined)[]): string[] {
    const broken: string[] = [];
    const seen = new Map<SwapDevice, number>();
    let above = Infinity;
    for (const ring of this.rings) {
      const which = `the queue of priority ${ring.priority}`;
      if (ring.priority >= above) broken.push(`${which} stands behind that of ${above}`);
      above = ring.priority;
      if (ring.entries.length === 0) broken.push(`${which} is empty`);
      const available = ring.entries.filter((entry) => !entry.masked).length;
      if (available !== ring.available) broken.push(`${which} counts ${ring.available} devices that can serve, it has ${available}`);
      for (const { device, masked } of ring.entries) {
        seen.set(device, (seen.get(device) ?? 0) + 1);
        if (table[device.type] !== device) broken.push(`${device.name} stands in ${which} and is gone`);
        if (device.priority !== ring.priority) broken.push(`${device.name} has priority ${device.priority} and stands in ${which}`);
        if (masked !== device.offList) broken.push(`${device.name} is ${masked ? '' : 'not '}masked in ${which}`);
      }
      for (let cpu = 0; cpu < this.cpus; cpu++) {
        const reader = `the reader of CPU ${cpu} in ${which}`;
        if (ring.at[cpu] >= ring.entries.length) broken.push(`${reader} stands at entry ${ring.at[cpu]} of ${ring.entries.length}`);
        if (ring.left[cpu] < 1 || ring.left[cpu] > this.options.quota) broken.push(`${reader} has ${ring.left[cpu]} slots left of ${this.options.quota}`);
      }
    }
    for (const device of table) {
      const times = device === undefined ? 1 : seen.get(device) ?? 0;
      // A device that has never had room (a limit of nothing) is in no queue yet.
      if (times !== 1 && !(times === 0 && device?.offList === true)) broken.push(`${device?.name ?? ''} stands in ${times} queues`);
    }
    return broken;
  }

  // ---- a walk ----------------------------------------------------------------------------------------------------

  begin(cpu: number): QueueWalk {
    const walk: QueueWalk = { ring: 0, start: 0, step: -1, tried: false };
    this.enter(walk, cpu);
    return walk;
  }

  /** The next device to try, or undefined. With `large` a ring of which a device was tried is the last. */
  next(walk: QueueWalk, cpu: number, large: boolean): SwapDevice | undefined {
    while (walk.ring < this.rings.length) {
      const { entries } = this.rings[walk.ring];
      while (++walk.step < entries.length) {
        const entry = entries[(walk.start + walk.step) % entries.length];
        if (!entry.masked) {
          walk.tried = true;
          return entry.device;
        }
        this.passOver(entry);
      }
      if (large && walk.tried) return undefined;
      walk.ring++;
      this.enter(walk, cpu);
    }
    return undefined;
  }

  /** The device at the walk's cursor gave `slots` slots: counts against the reader's quota. */
  served(walk: QueueWalk, cpu: number, slots: number, large: boolean): void {
    const ring = this.rings[walk.ring];
    const { length } = ring.entries;
    if (length === 1) return;
    const at = (walk.start + walk.step) % length;
    const stoodAt = ring.at[cpu];
    if (at !== stoodAt) {
      if (large && !ring.entries[stoodAt].masked) return;
      this.turnTo(ring, cpu, at);
    }
    ring.left[cpu] -= slots;
    if (ring.left[cpu] <= 0) this.turnTo(ring, cpu, (at + 1) % length);
  }

  /** An entry of a device that cannot serve. */
  protected passOver(_entry: RingEntry): void {
    this.costs.maskedEntries++;
  }

  protected enter(walk: QueueWalk, cpu: number): void {
    walk.step = -1;
    walk.tried = false;
    walk.start = 0;
    while (this.options.availabilityState && walk.ring < this.rings.length && this.rings[walk.ring].available === 0) walk.ring++;
    if (walk.ring >= this.rings.length) return;
    const ring = this.rings[walk.ring];
    if (ring.entries.length === 1 && this.options.fastPathOfOne) return;
    this.costs.readerReads++;
    walk.start = ring.at[cpu];
  }

  private turnTo(ring: Ring, cpu: number, at: number): void {
    ring.at[cpu] = at;
    ring.left[cpu] = this.options.quota;
  }

  private publish(device: SwapDevice): void {
    const entry: RingEntry = { device, masked: false };
    const found = this.rings.findIndex((ring) => ring.priority <= device.priority);
    const at = found < 0 ? this.rings.length : found;
    const same = this.rings[at]?.priority === device.priority ? this.rings[at] : undefined;
    const ring = same === undefined ? this.ringOf(device.priority, [entry]) : this.ringOf(same.priority, [...same.entries, entry], same);
    this.rings = [...this.rings.slice(0, at), ring, ...this.rings.slice(same === undefined ? at : at + 1)];
  }

  /** A ring with these entries; readers of the ring before it keep their place. */
  private ringOf(priority: number, entries: readonly RingEntry[], before?: Ring): Ring {
    const ring: Ring = {
      priority,
      entries,
      available: entries.filter((entry) => !entry.masked).length,
      at: Uint32Array.from({ length: this.cpus }, (_, cpu) => (entries.length > 0 ? cpu % entries.length : 0)),
      left: new Int32Array(this.cpus).fill(this.options.quota),
    };
    if (before !== undefined && entries.length > 0) {
      for (let cpu = 0; cpu < this.cpus; cpu++) {
        const kept = entries.indexOf(before.entries[before.at[cpu]]);
        const untouched = before.at[cpu] === cpu % before.entries.length && before.left[cpu] === this.options.quota;
        if (kept < 0 || untouched) continue;
        ring.at[cpu] = kept;
        ring.left[cpu] = before.left[cpu];
      }
    }
    return ring;
  }
}
