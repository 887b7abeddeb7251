/** The clusters of swap devices as a window sees them: now, and as recorded. Looking changes nothing. */
import type { Memory } from '../kernel/memory/memory';
import { SLOT } from '../kernel/memory/slots';
import { ClusterHistory, pictureOf, type DevicePicture } from '../kernel/swap/cluster-history';
import { reduceCells, sumCells } from '../kernel/swap/cluster-map';
import { CLUSTER_SLOTS, entryOf } from '../kernel/swap/types';
import { SLOT_STATE, type ClusterMap, type ClusterQuery } from '../machine';

const STATE_OF_KIND: Readonly<Record<number, number>> = {
  [SLOT.none]: SLOT_STATE.taken,
  [SLOT.cacheOnly]: SLOT_STATE.writing,
  [SLOT.zswap]: SLOT_STATE.zswap,
  [SLOT.zero]: SLOT_STATE.zero,
  [SLOT.device]: SLOT_STATE.written,
};

export class ClusterViews {
  /** See ClusterHistory; Infinity: nothing is recorded. */
  nextSample = Infinity;
  private history: ClusterHistory | undefined;

  constructor(private readonly memory: Memory, private readonly firstDistanceNs: number) {}

  record(now: number): void {
    if (this.history !== undefined) return;
    this.history = new ClusterHistory(this.memory.swap, this.memory.config.machine.cpus, this.firstDistanceNs);
    this.history.nextSample = Math.ceil(now / this.firstDistanceNs) * this.firstDistanceNs;
    this.nextSample = this.history.nextSample;
  }

  sample(next: number): void {
    if (this.history === undefined) return;
    this.history.sample(next);
    this.nextSample = this.history.nextSample;
  }

  map(query: ClusterQuery, now: number): ClusterMap | undefined {
    const { type, at, slotsOf } = query;
    if (at !== undefined && at < now) {
      const found = this.history?.find(type, at);
      return found && this.reduced(found.device, query, found.at, true);
    }
    const picture = pictureOf(this.memory.swap, type, this.memory.config.machine.cpus);
    if (picture === undefined) return undefined;
    const map = this.reduced(picture, query, now, false);
    if (slotsOf === undefined || slotsOf < 0 || slotsOf >= picture.cells.length) return map;
    return { ...map, slotsOf, slots: this.slots(type, slotsOf) };
  }

  private reduced(picture: DevicePicture, query: ClusterQuery, at: number, recorded: boolean): ClusterMap {
    const { type, name, cells, current } = picture;
    const total = cells.length;
    const from = Math.min(Math.max(0, Math.floor(query.from)), Math.max(0, total - 1));
    const to = Math.max(from, Math.min(total, Math.floor(query.to)));
    return {
      type, name, at, recorded, distanceNs: this.history?.distanceNs ?? 0, total, from, to, current,
      ...reduceCells(cells, current, from, to, query.cells),
      ...sumCells(cells),
    };
  }

  private slots(type: number, cluster: number): Uint8Array {
    const { memory } = this;
    const { swap } = memory;
    const states = new Uint8Array(CLUSTER_SLOTS);
    const first = cluster * CLUSTER_SLOTS;
    const device = swap.table[type];
    const table = memory.mm.slots[type];
    for (let i = 0; i < CLUSTER_SLOTS; i++) {
      const offset = first + i;
      if (offset === 0 || device === undefined || offset >= device.maxSlots || device.badSlots.includes(offset)) states[i] = SLOT_STATE.unusable;
      else if (!swap.isUsed(entryOf(type, offset))) states[i] = SLOT_STATE.free;
      else if (memory.isCacheOnly(type, offset)) states[i] = SLOT_STATE.cacheOnly;
      else states[i] = STATE_OF_KIND[(table?.info(offset) ?? 0) & 7] ?? SLOT_STATE.taken;
    }
    return states;
  }
}
