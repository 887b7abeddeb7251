/**
 * A hash chain over all requests for slots, so that two runs can be told apart without keeping what they did: after every
 * CHUNK requests the state of the chain is kept. Two runs did the same up to the last kept state that is equal in both.
 */
import type { Entry } from './types';

/** Requests between two kept states. */
export const CHUNK = 1024;

export class AllocationChain {
  /** Requests so far. */
  count = 0;
  private low = 0x811c9dc5;
  private high = 0x9e3779b9;
  private readonly kept: number[] = [];

  /** One request and its answer (NO_ENTRY: nothing found). */
  add(cpu: number, order: number, entry: Entry): void {
    const word = entry ^ Math.imul(cpu * 16 + order + 1, 0x9e3779b1);
    this.low = Math.imul(this.low ^ word, 0x01000193);
    this.low ^= this.low >>> 15;
    this.high = Math.imul(this.high ^ word ^ this.low, 0x85ebca6b);
    this.high ^= this.high >>> 13;
    if (++this.count % CHUNK === 0) this.kept.push(this.low >>> 0, this.high >>> 0);
  }

  /** All kept states, two words each, and the present one. */
  states(): AllocationStates {
    return { count: this.count, kept: Uint32Array.from(this.kept), last: [this.low >>> 0, this.high >>> 0] };
  }
}

export interface AllocationStates {
  /** Requests in all. */
  readonly count: number;
  /** Two words after each CHUNK requests. */
  readonly kept: Uint32Array;
  readonly last: readonly [number, number];
}

/** The number of the request before which two runs are known to be alike and within CHUNK of which they part; -1: they never part. */
export function partsWithin(a: AllocationStates, b: AllocationStates): number {
  const common = Math.min(a.kept.length, b.kept.length);
  for (let i = 0; i < common; i += 2) {
    if (a.kept[i] !== b.kept[i] || a.kept[i + 1] !== b.kept[i + 1]) return (i / 2) * CHUNK;
  }
  if (a.count === b.count && a.last[0] === b.last[0] && a.last[1] === b.last[1]) return -1;
  return (common / 2) * CHUNK;
}
