/** Two swap layers that are asked the same, watched: where do they part, and which decision was the first that differed? */
import { isDeepStrictEqual } from 'node:util';
import type { KernelSpec } from '../../../experiment/spec';
import type { Decision } from '../../../kernel/swap/decisions';
import { explain, type Explanation } from '../../../kernel/swap/explain';
import { ObservedSwapSystem } from '../../../kernel/swap/observed-swap-system';
import { policiesOf } from '../../../kernel/swap/registry';
import { NO_ENTRY, entryOf, type Entry, type SwaponArgs } from '../../../kernel/swap/types';

/** One row of decisions of each; undefined: that machine has decided no more. */
export interface DecisionPair {
  /** Requests and frees before. */
  readonly step: number;
  readonly a: Decision | undefined;
  readonly b: Decision | undefined;
}

/** A request that the machines answered differently, with the first decision of it that differed. */
export interface AnswerPair extends DecisionPair {
  readonly cpu: number;
  readonly order: number;
  readonly entryA: Entry;
  readonly entryB: Entry;
}

export interface Machine {
  readonly cpus?: number;
  readonly nodes?: number;
  readonly devices: readonly SwaponArgs[];
}

export const zram = (i: number, more: Partial<SwaponArgs> = {}): SwaponArgs => ({
  kind: 'zram', name: `/dev/zram${i}`, slots: 16384, rotational: false, pageDiscard: false, node: -1, priority: 5, ...more,
});

/** One of the two: folios that a caller marks are held by the swap cache alone. */
class Side {
  readonly swap: ObservedSwapSystem;
  /** By slot: the first of its folio, and how many. */
  private readonly cached = new Map<Entry, readonly [first: Entry, count: number]>();

  constructor(kernel: KernelSpec, { cpus = 2, nodes = 1, devices }: Machine) {
    this.swap = new ObservedSwapSystem(policiesOf(kernel), cpus, nodes, {
      isCacheOnly: (type, offset) => this.cached.has(entryOf(type, offset)),
      reclaimCacheOnly: (type, offset) => {
        const folio = this.cached.get(entryOf(type, offset));
        if (folio === undefined) return false;
        for (let i = 0; i < folio[1]; i++) this.cached.delete(folio[0] + i);
        this.swap.freeReclaimed(folio[0], folio[1]);
        return true;
      },
      cacheOnlySlots: () => this.cached.size,
    });
    for (const args of devices) this.swap.swapon(args);
  }

  hold(entry: Entry, count: number): void {
    for (let i = 0; i < count; i++) this.cached.set(entry + i, [entry, count]);
  }
}

export class Lockstep {
  /** The first decision that differed, even with the same answer. */
  decision: DecisionPair | undefined;
  /** The first answer that differed; then the run is over: requests and frees are ignored. */
  answer: AnswerPair | undefined;
  /** Requests and frees so far. */
  step = 0;
  readonly a: ObservedSwapSystem;
  readonly b: ObservedSwapSystem;
  private readonly sides: readonly [Side, Side];

  constructor(kernelA: KernelSpec, kernelB: KernelSpec, machine: Machine) {
    this.sides = [new Side(kernelA, machine), new Side(kernelB, machine)];
    this.a = this.sides[0].swap;
    this.b = this.sides[1].swap;
  }

  alloc(cpu: number, order: number): Entry {
    if (this.answer !== undefined) return NO_ENTRY;
    const entries = [NO_ENTRY, NO_ENTRY];
    const pair = this.both((swap, side) => {
      entries[side] = swap.alloc(cpu, order);
    });
    const [entryA, entryB] = entries;
    if (entryA === entryB) return entryA;
    this.answer = { ...(pair ?? { step: this.step, a: undefined, b: undefined }), cpu, order, entryA, entryB };
    return NO_ENTRY;
  }

  /** Takes as many as there are, at most `times`. */
  allocMany(cpu: number, order: number, times: number): Entry[] {
    const entries: Entry[] = [];
    for (let i = 0; i < times; i++) {
      const entry = this.alloc(cpu, order);
      if (entry === NO_ENTRY) break;
      entries.push(entry);
    }
    return entries;
  }

  free(entry: Entry, count: number, cpu = 0): void {
    this.both((swap) => {
      swap.free(entry, count, cpu);
    });
  }

  freeFolio(entry: Entry, count: number, cpu = 0): void {
    this.both((swap) => {
      swap.freeFolio(entry, count, cpu);
    });
  }

  /** The page tables let go of a folio: only the swap cache holds its slots. */
  hold(entry: Entry, count: number): void {
    for (const side of this.sides) side.hold(entry, count);
  }

  /** Workers do what was put off. */
  work(): void {
    for (const { swap } of this.sides) for (const { kind, type } of swap.pendingWork()) swap.runWork(kind, type);
  }

  private both(act: (swap: ObservedSwapSystem, side: number) => void): DecisionPair | undefined {
    if (this.answer !== undefined) return undefined;
    const [a, b] = this.sides.map(({ swap }, side) => rowsOf(explain(swap, () => {
      act(swap, side);
    })));
    const at = a.findIndex((row, i) => !isDeepStrictEqual(row, b[i]));
    const length = a.length === b.length ? -1 : Math.min(a.length, b.length);
    const first = at < 0 ? length : at;
    const pair = first < 0 ? undefined : { step: this.step, a: a[first], b: b[first] };
    this.decision ??= pair;
    this.step++;
    return pair;
  }
}

const rowsOf = ({ decided }: Explanation): readonly Decision[] => decided.flat();

/** Random requests and frees, the same at each call. */
export function churn(
  pair: Lockstep, options: { orders?: readonly number[]; steps?: number; level?: number; cpus?: number; folios?: boolean } = {},
): void {
  const { orders = [0, 0, 4], steps = 12_000, level = 200, cpus = 2, folios = false } = options;
  const live: { entry: Entry; count: number }[] = [];
  let random = 99;
  const next = (n: number): number => {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return (random >>> 0) % n;
  };
  for (let step = 0; step < steps && pair.answer === undefined; step++) {
    if (live.length > level && next(100) < 45) {
      const at = next(live.length);
      const run = live[at];
      live[at] = live[live.length - 1] ?? run;
      live.pop();
      if (run === undefined) continue;
      if (folios) pair.freeFolio(run.entry, run.count);
      else pair.free(run.entry, run.count);
      continue;
    }
    const order = orders[next(orders.length)] ?? 0;
    const entry = pair.alloc(next(cpus), order);
    if (entry !== NO_ENTRY) live.push({ entry, count: 1 << order });
  }
}
