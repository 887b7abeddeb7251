/** The slot caches with a trace of what goes through them; see traced-parts.ts. */
import { COUNT, STATE, indexOf, recordOfSlot } from './clusters';
import type { DecisionOf, DecisionTrace } from './decisions';
import type { SwapDevice } from './device';
import { ACTIVATE_PER_CPU, DEACTIVATE_PER_CPU, SLOT_CACHE_SIZE, SlotCache } from './slot-cache';
import { NO_ENTRY, offsetOf, typeOf, type Entry } from './types';

export class TracedSlotCache extends SlotCache {
  declare trace: DecisionTrace;

  override take(cpu: number): Entry {
    const entry = super.take(cpu);
    if (entry !== NO_ENTRY) this.trace.note({ did: 'cached', cpu, type: typeOf(entry), offset: offsetOf(entry), left: this.nr[cpu] });
    return entry;
  }

  override free(cpu: number, entry: Entry): void {
    const flushed = this.nBack[cpu];
    super.free(cpu, entry);
    if (this.nBack[cpu] !== flushed) this.trace.note({ did: 'waits', cpu, slots: 1, waiting: this.nBack[cpu] });
  }

  protected override refill(cpu: number): void {
    const row: DecisionOf<'refill'> = { did: 'refill', cpu, goal: SLOT_CACHE_SIZE, got: 0 };
    this.trace.note(row);
    super.refill(cpu);
    row.got = this.nr[cpu];
  }

  protected override checkActive(): boolean {
    const before = this.active;
    const active = super.checkActive();
    if (active && !before) this.trace.note({ did: 'cache switched', on: true, free: this.host.nrSwapPages, limit: this.cpus * ACTIVATE_PER_CPU });
    return active;
  }

  protected override drain(): void {
    if (!this.active) this.trace.note({ did: 'cache switched', on: false, free: this.host.nrSwapPages, limit: this.cpus * DEACTIVATE_PER_CPU });
    super.drain();
  }

  protected override giveBack(entries: Uint32Array, count: number): void {
    if (count === 0) return;
    const row: DecisionOf<'given back'> = { did: 'given back', count, sorted: count > 1 && this.host.sortsFrees, type: -1, offset: -1 };
    this.trace.note(row);
    const before = new Map<SwapDevice, Map<number, number>>();
    for (const entry of entries.subarray(0, count)) {
      const device = this.trace.table[typeOf(entry)];
      if (device === undefined) continue;
      const states = before.get(device) ?? new Map<number, number>();
      const record = recordOfSlot(offsetOf(entry));
      before.set(device, states.set(record, device.store.records[record + STATE]));
    }
    super.giveBack(entries, count);
    row.type = typeOf(entries[0]);
    row.offset = offsetOf(entries[0]);
    for (const [device, states] of before) {
      for (const [record, was] of states) noteList(this.trace, device, record, was, false);
    }
  }
}

/** Notes where a cluster went after slots of it were freed; with `stays` also that it stayed. */
export function noteList(trace: DecisionTrace, device: SwapDevice, record: number, was: number, stays: boolean): void {
  const is = device.store.records[record + STATE];
  const count = device.store.records[record + COUNT];
  const cluster = indexOf(record);
  if (was >>> 8 !== is >>> 8) trace.note({ did: 'moved', type: device.type, cluster, was, is, count });
  else if (stays) trace.note({ did: 'stays', type: device.type, cluster, is, count });
}
