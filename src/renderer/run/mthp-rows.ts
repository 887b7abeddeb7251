/** Large folios swapped out by size, as the tests of the kernel lists print it: out whole, split first, and the share of the latter. */
import type { SeriesFrame } from '../../contract/engine-api';
import { valueAt } from '../charts/reduce';
import { thpSizes } from './chart-defs';

export interface MthpRow {
  readonly size: string;
  readonly swpout: number;
  readonly fallback: number;
  /** Of all that were to go out; NaN: none. */
  readonly percent: number;
}

const row = (size: string, swpout: number, fallback: number): MthpRow => (
  { size, swpout, fallback, percent: swpout + fallback > 0 ? (100 * fallback) / (swpout + fallback) : NaN }
);

export const mthpMetrics = (size: string): [string, string] => [`thp.${size}.swpout`, `thp.${size}.swpout_fallback`];

/** Since the start of the run. */
export function mthpRows(counters: Readonly<Record<string, number>>): MthpRow[] {
  return thpSizes(counters).map((size) => {
    const [out, fallback] = mthpMetrics(size);
    return row(size, counters[out] ?? 0, counters[fallback] ?? 0);
  });
}

/** What was added between two moments of recorded time (ns), as exact as a recorder's bucket is long. */
export function mthpRowsBetween(frame: SeriesFrame, sizes: readonly string[], from: number, to: number, now: number): MthpRow[] {
  const added = (metric: string): number => {
    const line = { metric, name: '', colour: 1, scale: 1 };
    const before = from <= frame.start ? 0 : valueAt(frame, line, from, now);
    const after = valueAt(frame, line, to, now);
    return (Number.isNaN(after) ? 0 : after) - (Number.isNaN(before) ? 0 : before);
  };
  return sizes.map((size) => {
    const [out, fallback] = mthpMetrics(size);
    return row(size, added(out), added(fallback));
  });
}

export const percentText = (percent: number): string => (Number.isNaN(percent) ? '–' : `${percent.toFixed(2)}%`);
