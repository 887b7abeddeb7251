/**
 * Replays a kernel trace on the swap layer and compares slot by slot.
 *
 * What the trace's own lines do not say is derived from them:
 * - A and N ask for one folio on the CPU of the last C line. X asks for the folio, which must find nothing, then for as many
 *   small pages as A lines follow; U for n small pages. Both compare as sets.
 * - F lines after an O line are the pages that swapoff brought back; the device is gone with the last of them.
 * - Put-off work (discards) runs after the line that asked for it: the kernel's worker is quicker than the next request.
 */
import { SwapSystem } from './swap-system';
import { EVENT, type Trace, type TraceDevice } from './trace';
import { NO_ENTRY, entryOf, offsetOf, typeOf, type Entry } from './types';
import type { SwapPolicies } from './registry';

export interface ReplayMismatch {
  /** Line of the trace, from 1. */
  readonly line: number;
  /** What the kernel did, as a line of the trace. */
  readonly expected: string;
  /** What the model did. */
  readonly got: string;
}

export interface ReplayResult {
  /** A, X, U and N lines. */
  readonly events: number;
  /** Those that matched; the replay ends at the first that does not. */
  readonly matched: number;
  readonly firstMismatch: ReplayMismatch | null;
}

/** Replays the whole trace, or up to the first difference. */
export function replayTrace(trace: Trace, policies: SwapPolicies): ReplayResult {
  return new Replay(trace, policies).run();
}

/**
 * Large folios on a disk, which stay in the swap cache after they were written: their slots come back together, when
 * the last of them is dropped. On zram a folio leaves the cache at once, because the write is synchronous.
 *
 * | array | index | meaning                                                                              |
 * |-------|-------|--------------------------------------------------------------------------------------|
 * | state | slot  | 0: no large folio in the cache; 1…9: its order; 10: dropped, others of the folio are not |
 * | left  | slot  | at a folio's first slot: slots not yet dropped                                        |
 */
class CachedFolios {
  private readonly state: (Uint8Array | undefined)[];
  private readonly left: (Uint16Array | undefined)[];

  constructor(trace: Trace) {
    const slots = trace.devices.map((device) => (isSynchronous(device) ? 0 : device.sizeKiB / 4 + 1));
    this.state = slots.map((count) => (count === 0 ? undefined : new Uint8Array(count)));
    this.left = slots.map((count) => (count === 0 ? undefined : new Uint16Array(count)));
  }

  add(entry: Entry, order: number): void {
    const state = this.state[typeOf(entry)];
    const left = this.left[typeOf(entry)];
    if (state === undefined || left === undefined) return;
    const offset = offsetOf(entry);
    state.fill(order, offset, offset + (1 << order));
    left[offset] = 1 << order;
  }

  isDropped(entry: Entry): boolean {
    return this.state[typeOf(entry)]?.[offsetOf(entry)] === DROPPED;
  }

  /** The process drops slots: those outside cached folios are free at once. */
  drop(swap: SwapSystem, entry: Entry, count: number): void {
    const type = typeOf(entry);
    const state = this.state[type];
    const left = this.left[type];
    if (state === undefined || left === undefined) {
      swap.free(entry, count);
      return;
    }
    for (let offset = offsetOf(entry); offset < offsetOf(entry) + count; offset++) {
      const order = state[offset];
      if (order === 0) {
        swap.free(entryOf(type, offset), 1);
        continue;
      }
      state[offset] = DROPPED;
      const first = offset - (offset % (1 << order));
      if (--left[first] > 0) continue;
      state.fill(0, first, first + (1 << order));
      swap.free(entryOf(type, first), 1 << order);
    }
  }
}

const DROPPED = 10;
const isSynchronous = (device: TraceDevice): boolean => /^\/dev\/(zram|ram|pmem)\d/.test(device.name);

class Replay {
  private readonly trace: Trace;
  private readonly swap: SwapSystem;
  private cpu = 0;
  private readonly cached: CachedFolios;
  private matched = 0;
  /** Type of device `i` of the trace's table; -1 while off. */
  private readonly typeOfDevice: number[] = [];
  private going = -1;
  private workPending = false;

  constructor(trace: Trace, policies: SwapPolicies) {
    this.trace = trace;
    this.swap = new SwapSystem(policies, trace.cpus, 1, {
      isCacheOnly: () => false,
      reclaimCacheOnly: () => false,
      cacheOnlySlots: () => 0,
      scheduleWork: () => {
        this.workPending = true;
      },
    });
    this.cached = new CachedFolios(trace);
    trace.devices.forEach((_, index) => this.switchOn(index, trace.devices[index].priority));
  }

  run(): ReplayResult {
    const { trace } = this;
    let events = 0;
    for (let i = 0; i < trace.count; i++) {
      const code = trace.code[i];
      if (code === EVENT.alloc || code === EVENT.split || code === EVENT.unordered || code === EVENT.none) events++;
    }
    let at = 0;
    let mismatch: ReplayMismatch | null = null;
    while (at < trace.count && mismatch === null) {
      const code = trace.code[at];
      if (code === EVENT.alloc) {
        const got = this.swap.alloc(this.cpu, trace.a[at]);
        if (this.isAt(got, at)) {
          this.matched++;
          if (trace.a[at] > 0) this.cached.add(got, trace.a[at]);
          at++;
        } else mismatch = this.differs(at, this.written(trace.a[at], got));
      } else if (code === EVENT.split || code === EVENT.unordered) {
        const end = this.endOfSet(at);
        mismatch = this.set(at, end);
        at = end;
      } else {
        mismatch = this.other(at);
        at++;
      }
    }
    return { events, matched: this.matched, firstMismatch: mismatch };
  }

  private other(at: number): ReplayMismatch | null {
    const { trace, swap } = this;
    switch (trace.code[at]) {
      case EVENT.free: return this.free(at);
      case EVENT.none: {
        const order = trace.a[at];
        let got = swap.alloc(this.cpu, order);
        if (got !== NO_ENTRY) return this.differs(at, this.written(order, got));
        if (order > 0 && (got = swap.alloc(this.cpu, 0)) !== NO_ENTRY) return this.differs(at, this.written(0, got));
        this.matched++;
        return null;
      }
      case EVENT.cpu:
        this.cpu = trace.a[at];
        return null;
      case EVENT.swapoff:
        if (trace.b[at] !== 0) return null;
        if (this.typeOfDevice[trace.a[at]] < 0) return this.differs(at, 'the device is off');
        swap.beginSwapoff(this.typeOfDevice[trace.a[at]]);
        this.going = trace.a[at];
        return null;
      default:
        if (trace.c[at] !== 0) return null;
        if (this.typeOfDevice[trace.a[at]] >= 0) return this.differs(at, 'the device is on');
        this.switchOn(trace.a[at], trace.b[at]);
        return null;
    }
  }

  private free(at: number): ReplayMismatch | null {
    const { trace, swap } = this;
    const slots = trace.a[at] < trace.devices.length ? trace.devices[trace.a[at]].sizeKiB / 4 + 1 : 0;
    if (trace.b[at] < 1 || trace.b[at] + trace.c[at] > slots) return this.differs(at, `swap type ${trace.a[at]} has ${slots} slots`);
    const entry = entryOf(trace.a[at], trace.b[at]);
    for (let i = 0; i < trace.c[at]; i++) {
      if (!swap.isUsed(entry + i) || this.cached.isDropped(entry + i)) return this.differs(at, `slot ${trace.b[at] + i} is free`);
    }
    this.cached.drop(swap, entry, trace.c[at]);
    this.runWorkers();
    if (this.going >= 0) {
      const type = this.typeOfDevice[this.going];
      if (swap.view(type).inUse === 0) {
        swap.finishSwapoff(type);
        this.typeOfDevice[this.going] = -1;
        this.going = -1;
      }
    }
    return null;
  }

  private runWorkers(): void {
    if (!this.workPending) return;
    this.workPending = false;
    for (const work of this.swap.pendingWork()) this.swap.runWork(work.kind, work.type);
  }

  private endOfSet(at: number): number {
    const { trace } = this;
    const most = trace.code[at] === EVENT.split ? 1 << trace.a[at] : trace.a[at];
    let end = at + 1;
    while (end < trace.count && end - at <= most && trace.code[end] === EVENT.alloc && trace.a[end] === 0) end++;
    return end;
  }

  private set(at: number, end: number): ReplayMismatch | null {
    const { trace, swap } = this;
    if (trace.code[at] === EVENT.split) {
      const got = swap.alloc(this.cpu, trace.a[at]);
      if (got !== NO_ENTRY) return this.differs(at, this.written(trace.a[at], got));
    }
    this.matched++;
    const got = new Set<Entry>();
    for (let i = at + 1; i < end; i++) got.add(swap.alloc(this.cpu, 0));
    const missing: number[] = [];
    for (let i = at + 1; i < end; i++) {
      const entry = entryOf(trace.b[i], trace.c[i]);
      if (this.isAt(entry, i) && got.delete(entry)) this.matched++;
      else missing.push(i);
    }
    if (missing.length === 0) return null;
    return this.differs(missing[0], `a set with ${[...got].map((entry) => this.written(0, entry)).join(', ')} in its place`);
  }

  /** Is this entry the slot of an A line? The line may name slots that no device has. */
  private isAt(entry: Entry, at: number): boolean {
    return entry !== NO_ENTRY && typeOf(entry) === this.trace.b[at] && offsetOf(entry) === this.trace.c[at];
  }

  private switchOn(index: number, priority: number): void {
    const device = this.trace.devices[index];
    this.typeOfDevice[index] = this.swap.swapon({
      kind: device.isFile ? 'file' : device.name.startsWith('/dev/zram') ? 'zram' : 'partition',
      name: device.name,
      slots: device.sizeKiB / 4 + 1,
      priority: priority < 0 ? undefined : priority,
      rotational: device.rotational,
      pageDiscard: device.pageDiscard,
      node: -1,
    });
  }

  private differs(at: number, got: string): ReplayMismatch {
    return { line: this.trace.line[at], expected: this.eventText(at), got };
  }

  private written(order: number, entry: Entry): string {
    return entry === NO_ENTRY ? `N ${order}` : `A ${order} ${typeOf(entry)} ${offsetOf(entry)}`;
  }

  private eventText(at: number): string {
    const { code, a, b, c, devices } = this.trace;
    switch (code[at]) {
      case EVENT.alloc: return `A ${a[at]} ${b[at]} ${c[at]}`;
      case EVENT.free: return `F ${a[at]} ${b[at]} ${c[at]}`;
      case EVENT.split: return `X ${a[at]}`;
      case EVENT.unordered: return `U ${a[at]}`;
      case EVENT.none: return `N ${a[at]}`;
      case EVENT.cpu: return `C ${a[at]}`;
      case EVENT.swapoff: return `O ${devices[a[at]].name} ${b[at]}`;
      default: return `S ${devices[a[at]].name} ${b[at]} ${c[at]}`;
    }
  }
}
