/**
 * Replays a kernel trace on the swap layer and compares slot by slot.
 *
 * What the trace's own lines do not say is derived from them:
 * - A and N ask for one folio on the CPU of the last C line. X asks for the folio, which must find nothing, then for as many
 *   small pages as A lines follow; U for n small pages. Both compare as sets.
 * - F lines after an O line are the pages that swapoff brought back; the device is gone with the next other line.
 * - Slots of one F line that one A, X or U line took were dropped together. Slots that several lines took, one page each, came
 *   back through a swap-in of a large folio: singly, which matters to kernels with a slot cache.
 * - Such kernels sort batches of freed slots once more than one swap type has existed. A trace of one device does not say
 *   whether there were more before it: the replay takes it that there were, as in all recordings so far, and tries without when that differs.
 * - Put-off work (discards) runs after the line that asked for it: the kernel's worker is quicker than the next request.
 */
import { explain, type Explanation } from './explain';
import { ObservedSwapSystem } from './observed-swap-system';
import { SwapSystem } from './swap-system';
import { EVENT, type Trace, type TraceDevice } from './trace';
import { startsOf, type TraceStart } from './trace-start';
import { NO_ENTRY, entryOf, offsetOf, typeOf, type Entry, type SwapHost } from './types';
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
  /** Those that matched. After a difference the replay goes on with the model's own slots. */
  readonly matched: number;
  readonly firstMismatch: ReplayMismatch | null;
}

/** Replays the whole trace and reports the first difference. */
export function replayTrace(trace: Trace, policies: SwapPolicies): ReplayResult {
  return replayBest(trace, policies).result;
}

/** What one request or free of a trace did; a set (X, U) has several lines, numbered from 1. */
export interface ExplainedLines {
  readonly first: number;
  readonly last: number;
  readonly explanation: Explanation;
}

type Wants = (first: number, last: number) => boolean;

/** As replayTrace, and explains the requests and frees that are wanted. */
export function explainTrace(trace: Trace, policies: SwapPolicies, wants: Wants): { result: ReplayResult; explained: readonly ExplainedLines[] } {
  const { result, replay } = replayBest(trace, policies, wants);
  return { result, explained: replay.explained };
}

/** A replay by the assumptions about what was before the trace under which it matches best. */
function replayBest(trace: Trace, policies: SwapPolicies, wants?: Wants): { result: ReplayResult; replay: Replay } {
  const earlier = policies.slotCache === 'none' || trace.devices.length > 1 ? [true] : [true, false];
  let best: { result: ReplayResult; replay: Replay } | undefined;
  for (const start of startsOf(trace)) {
    for (const earlierTypes of earlier) {
      const replay = new Replay(trace, policies, start, earlierTypes, wants);
      const result = replay.run();
      if (best === undefined || result.matched > best.result.matched) best = { result, replay };
      if (result.firstMismatch === null) return best;
    }
  }
  if (best === undefined) throw new Error('a trace has at least one start');
  return best;
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
  /** By type; undefined: a device whose writes are synchronous. */
  private readonly state: (Uint8Array | undefined)[] = [];
  private readonly left: (Uint16Array | undefined)[] = [];

  /** A device came on as this type. */
  begin(type: number, device: TraceDevice): void {
    const slots = slotsOf(device);
    this.state[type] = isSynchronous(device) ? undefined : new Uint8Array(slots);
    this.left[type] = isSynchronous(device) ? undefined : new Uint16Array(slots);
  }

  add(entry: Entry, order: number): void {
    const state = this.state[typeOf(entry)];
    const left = this.left[typeOf(entry)];
    if (state === undefined || left === undefined) return;
    const offset = offsetOf(entry);
    state.fill(order, offset, offset + (1 << order));
    left[offset] = 1 << order;
  }

  /** Is the device of this type one whose writes are synchronous? */
  isSynchronous(type: number): boolean {
    return this.state[type] === undefined;
  }

  isDropped(entry: Entry): boolean {
    return this.state[typeOf(entry)]?.[offsetOf(entry)] === DROPPED;
  }

  /** The process drops a slot: outside cached folios it is free at once. */
  drop(swap: SwapSystem, entry: Entry, cpu: number): void {
    const type = typeOf(entry);
    const offset = offsetOf(entry);
    const state = this.state[type];
    const left = this.left[type];
    const order = state?.[offset] ?? 0;
    if (state === undefined || left === undefined || order === 0) {
      swap.free(entry, 1, cpu);
      return;
    }
    state[offset] = DROPPED;
    const first = offset - (offset % (1 << order));
    if (--left[first] > 0) return;
    state.fill(0, first, first + (1 << order));
    swap.freeFolio(entryOf(type, first), 1 << order, cpu);
  }
}

const DROPPED = 10;
/** A device that is there before the trace and gone when it begins. */
const BETWEEN = { kind: 'zram', name: '', slots: 2, priority: 0, rotational: false, pageDiscard: false, node: -1 } as const;
/** Pages of a set that the report of a difference names. */
const SHOWN_OF_SET = 4;
/** The recording machines had two CPUs, whether a trace names both or not: slot caches are switched by free slots a CPU. */
const RECORDING_CPUS = 2;
const slotsOf = (device: TraceDevice): number => device.sizeKiB / 4 + 1;
const isSynchronous = (device: TraceDevice): boolean => /^\/dev\/(zram|ram|pmem)\d/.test(device.name);

const isEvent = (code: number): boolean =>
  code === EVENT.alloc || code === EVENT.split || code === EVENT.unordered || code === EVENT.none;

class Replay {
  private readonly trace: Trace;
  private readonly swap: SwapSystem;
  /** The same, when lines are to be explained. */
  private readonly observed: ObservedSwapSystem | undefined;
  private cpu = 0;
  private readonly cached = new CachedFolios();
  private matched = 0;
  private firstMismatch: ReplayMismatch | null = null;
  /** Type of device `i` of the trace's table; -1 while off. A device that comes on again gets the lowest type that is free. */
  private readonly typeOfDevice: number[] = [];
  /** The device that has or last had a type. */
  private readonly deviceOfType: TraceDevice[] = [];
  /** Device that is being switched off, by the O line at `goingSince`; -1: none. */
  private going = -1;
  private goingSince = 0;
  private workPending = false;
  /** By type and slot: the A, X or U line that took it. For kernels with a slot cache alone. */
  private readonly origins: Int32Array[] | undefined;

  readonly explained: ExplainedLines[] = [];
  private readonly wants: Wants;

  constructor(trace: Trace, policies: SwapPolicies, start: TraceStart, earlierTypes: boolean, wants?: Wants) {
    this.wants = wants ?? (() => false);
    this.trace = trace;
    const host: SwapHost = {
      isCacheOnly: () => false,
      reclaimCacheOnly: () => false,
      cacheOnlySlots: () => 0,
      scheduleWork: () => {
        this.workPending = true;
      },
    };
    const cpus = Math.max(trace.cpus, RECORDING_CPUS);
    this.observed = wants === undefined ? undefined : new ObservedSwapSystem(policies, cpus, 1, host);
    this.swap = this.observed ?? new SwapSystem(policies, cpus, 1, host);
    if (policies.slotCache !== 'none') this.origins = [];
    if (earlierTypes) this.swap.typesSeen = 2;
    this.switchAllOn(start);
  }

  /**
   * All devices come on, with others on the types between. Where they came in another order than that of the types, each one
   * goes and comes again: it keeps its type, because that is then the only one that is free.
   */
  private switchAllOn({ types, order }: TraceStart): void {
    const { swap, trace } = this;
    const between: number[] = [];
    for (const [row, type] of types.entries()) {
      while (between.length + row < type) between.push(swap.swapon(BETWEEN));
      this.switchOn(row, trace.devices[row].priority);
    }
    const priority = (row: number): number => trace.devices[row].priority;
    const isTurned = (row: number, before: number): boolean => row < before && (priority(before) < 0 || priority(row) === priority(before));
    if (order.some((row, i) => i > 0 && isTurned(row, order[i - 1]))) {
      for (const row of order) {
        swap.beginSwapoff(this.typeOfDevice[row]);
        swap.finishSwapoff(this.typeOfDevice[row]);
        this.switchOn(row, trace.devices[row].priority);
      }
    }
    for (const type of between) {
      swap.beginSwapoff(type);
      swap.finishSwapoff(type);
    }
  }

  run(): ReplayResult {
    const { trace } = this;
    let events = 0;
    for (let i = 0; i < trace.count; i++) if (isEvent(trace.code[i])) events++;
    let at = 0;
    while (at < trace.count) {
      const code = trace.code[at];
      if (this.going >= 0 && code !== EVENT.free) this.endSwapoff();
      const end = code === EVENT.split || code === EVENT.unordered ? this.endOfSet(at) : at + 1;
      const [first, last] = [trace.line[at], trace.line[end - 1]];
      if (this.observed !== undefined && (isEvent(code) || code === EVENT.free) && this.wants(first, last)) {
        const from = at;
        const explanation = explain(this.observed, () => {
          this.step(from, end);
        });
        this.explained.push({ first, last, explanation });
      } else {
        this.step(at, end);
      }
      at = end;
    }
    if (this.going >= 0) this.endSwapoff();
    return { events, matched: this.matched, firstMismatch: this.firstMismatch };
  }

  private step(at: number, end: number): void {
    const code = this.trace.code[at];
    if (code === EVENT.split || code === EVENT.unordered) this.set(at, end);
    else this.single(at);
  }

  private single(at: number): void {
    const { trace, swap } = this;
    switch (trace.code[at]) {
      case EVENT.alloc: {
        const got = swap.alloc(this.cpu, trace.a[at]);
        if (this.isAt(got, at)) this.matched++;
        else this.differs(at, this.written(trace.a[at], got));
        if (trace.a[at] > 0 && got !== NO_ENTRY) this.cached.add(got, trace.a[at]);
        this.noteOrigin(at, at);
        return;
      }
      case EVENT.free:
        this.free(at);
        return;
      case EVENT.none:
        this.none(at);
        return;
      case EVENT.cpu:
        this.cpu = trace.a[at];
        return;
      case EVENT.swapoff:
        if (trace.b[at] === 0) this.beginSwapoff(at);
        return;
      default:
        if (trace.c[at] !== 0) return;
        if (this.typeOfDevice[trace.a[at]] >= 0) this.differs(at, 'the device is on');
        else this.switchOn(trace.a[at], trace.b[at]);
    }
  }

  private none(at: number): void {
    const order = this.trace.a[at];
    for (const asked of order > 0 ? [order, 0] : [0]) {
      const got = this.swap.alloc(this.cpu, asked);
      if (got === NO_ENTRY) continue;
      this.differs(at, this.written(asked, got));
      this.swap.free(got, 1 << asked);
      return;
    }
    this.matched++;
  }

  private free(at: number): void {
    const { trace, swap } = this;
    const [type, first, count] = [trace.a[at], trace.b[at], trace.c[at]];
    const device: TraceDevice | undefined = this.deviceOfType[type];
    const slots = device === undefined ? 0 : slotsOf(device);
    if (device === undefined || first < 1 || first + count > slots) {
      this.differs(at, `swap type ${type} has ${slots} slots`);
      return;
    }
    const together = this.cached.isSynchronous(type) && this.areOfOneEvent(type, first, count);
    let run = 0;
    for (let offset = first; offset < first + count; offset++) {
      const entry = entryOf(type, offset);
      if (!swap.isUsed(entry) || this.cached.isDropped(entry)) this.differs(at, `slot ${offset} is free`);
      else if (together) run++;
      else this.cached.drop(swap, entry, this.cpu);
      if (run > 0 && (offset + 1 === first + count || !swap.isUsed(entry + 1))) {
        swap.free(entry - run + 1, run, this.cpu);
        run = 0;
      }
    }
    this.runWorkers();
  }

  /** Were these slots taken by one A, X or U line? */
  private areOfOneEvent(type: number, first: number, count: number): boolean {
    if (this.origins === undefined) return true;
    const origins = this.origins[type];
    for (let offset = first + 1; offset < first + count; offset++) if (origins[offset] !== origins[first]) return false;
    return true;
  }

  private noteOrigin(origin: number, at: number): void {
    if (this.origins === undefined) return;
    const { a, b, c } = this.trace;
    if (b[at] < this.origins.length) this.origins[b[at]].fill(origin, c[at], c[at] + (1 << a[at]));
  }

  private beginSwapoff(at: number): void {
    const device = this.trace.a[at];
    const type = this.typeOfDevice[device];
    if (type < 0) {
      this.differs(at, 'the device is off');
      return;
    }
    this.swap.beginSwapoff(type);
    this.going = device;
    this.goingSince = at;
  }

  /** The device goes; pages that the trace has not freed are a difference. */
  private endSwapoff(): void {
    const { swap } = this;
    const type = this.typeOfDevice[this.going];
    const left = swap.view(type).inUse;
    if (left > 0) this.differs(this.goingSince, `${left} pages are left on the device`);
    for (let slot = swap.nextUsed(type, 1); slot >= 0; slot = swap.nextUsed(type, slot + 1)) swap.free(entryOf(type, slot), 1);
    swap.finishSwapoff(type);
    this.typeOfDevice[this.going] = -1;
    this.going = -1;
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

  private set(at: number, end: number): void {
    const { trace, swap } = this;
    const order = trace.code[at] === EVENT.split ? trace.a[at] : 0;
    const whole = order > 0 ? swap.alloc(this.cpu, order) : NO_ENTRY;
    if (whole === NO_ENTRY) {
      this.matched++;
    } else {
      this.differs(at, this.written(order, whole));
      swap.free(whole, 1 << order);
    }
    const got = new Set<Entry>();
    for (let i = at + 1; i < end; i++) got.add(swap.alloc(this.cpu, 0));
    const missing: number[] = [];
    for (let i = at + 1; i < end; i++) {
      const entry = entryOf(trace.b[i], trace.c[i]);
      this.noteOrigin(at, i);
      if (this.isAt(entry, i) && got.delete(entry)) this.matched++;
      else missing.push(i);
    }
    if (missing.length > 0) this.differs(missing[0], `a set with ${this.someOf(got)} in its place`);
  }

  /** The first few pages of a set, and how many they are. */
  private someOf(entries: ReadonlySet<Entry>): string {
    const shown = [...entries].slice(0, SHOWN_OF_SET).map((entry) => this.written(0, entry)).join(', ');
    return entries.size > SHOWN_OF_SET ? `${shown}, … (${entries.size} pages)` : shown;
  }

  /** Is this entry the slot of an A line? The line may name slots that no device has. */
  private isAt(entry: Entry, at: number): boolean {
    return entry !== NO_ENTRY && typeOf(entry) === this.trace.b[at] && offsetOf(entry) === this.trace.c[at];
  }

  private switchOn(index: number, priority: number): void {
    const device = this.trace.devices[index];
    const type = this.swap.swapon({
      kind: device.isFile ? 'file' : device.name.startsWith('/dev/zram') ? 'zram' : 'partition',
      name: device.name,
      slots: slotsOf(device),
      priority: priority < 0 ? undefined : priority,
      rotational: device.rotational,
      pageDiscard: device.pageDiscard,
      node: -1,
    });
    this.typeOfDevice[index] = type;
    this.deviceOfType[type] = device;
    this.cached.begin(type, device);
    if (this.origins !== undefined) this.origins[type] = new Int32Array(slotsOf(device));
  }

  private differs(at: number, got: string): void {
    this.firstMismatch ??= { line: this.trace.line[at], expected: this.eventText(at), got };
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
