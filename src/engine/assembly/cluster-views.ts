/** The clusters of swap devices as a window sees them: now, and as recorded. Looking changes nothing. */
import type { Memory } from '../kernel/memory/memory';
import { SLOT } from '../kernel/memory/slots';
import { ClusterHistory } from '../kernel/swap/cluster-history';
import { ClusterMirrors } from '../kernel/swap/cluster-mirror';
import { CLUSTER_SLOTS, entryOf } from '../kernel/swap/types';
import { SLOT_STATE, type ClusterAnswer, type ClusterQuery, type SlotsOf } from '../machine';
import { ClusterRow } from './cluster-row';

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
  readonly mirrors: ClusterMirrors;
  /** The present and the past are watched in turns: each remembers its own last answer. */
  readonly present: ClusterRow;
  readonly past: ClusterRow;
  private history: ClusterHistory | undefined;

  constructor(private readonly memory: Memory, private readonly firstDistanceNs: number) {
    this.mirrors = new ClusterMirrors(memory.swap, memory.config.machine.cpus);
    let answers = 0;
    const nextId = (): number => ++answers;
    this.present = new ClusterRow(this.mirrors.pool, nextId);
    this.past = new ClusterRow(this.mirrors.pool, nextId);
  }

  record(now: number): void {
    if (this.history !== undefined) return;
    this.history = new ClusterHistory(this.mirrors, this.firstDistanceNs);
    this.history.nextSample = Math.ceil(now / this.firstDistanceNs) * this.firstDistanceNs;
    this.nextSample = this.history.nextSample;
  }

  sample(next: number): void {
    if (this.history === undefined) return;
    this.history.sample(next);
    this.nextSample = this.history.nextSample;
  }

  map(query: ClusterQuery, now: number): ClusterAnswer {
    const { at, device, slotsOf } = query;
    const recorded = at !== undefined && at < now;
    const found = recorded ? this.history?.find(at) : { at: now, devices: this.mirrors.now() };
    const pictures = (found?.devices ?? []).filter(({ name }) => device === undefined || name === device);
    return {
      at: found?.at ?? now, recorded, distanceNs: this.history?.distanceNs ?? 0, devices: this.devices(),
      ...(recorded ? this.past : this.present).answer(pictures, query),
      ...(recorded || slotsOf === undefined ? {} : this.slotsOf(slotsOf)),
    };
  }

  private devices(): ClusterAnswer['devices'] {
    const on = this.memory.swap.devices().map(({ name }) => name);
    return [...new Set([...on, ...this.history?.names() ?? []])].map((name) => ({ name, on: on.includes(name) }));
  }

  private slotsOf(slotsOf: SlotsOf): Pick<ClusterAnswer, 'slotsOf' | 'slots'> {
    const device = this.memory.swap.devices().find(({ name }) => name === slotsOf.device);
    if (device === undefined || slotsOf.cluster < 0 || slotsOf.cluster >= device.clusters) return {};
    return { slotsOf, slots: this.slots(device.type, slotsOf.cluster) };
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
