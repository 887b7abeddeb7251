import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeriesFrame } from '../../contract/engine-api';
import type { ChartSeries } from './contract';
import { reduceColumns, valueAt } from './reduce';

const line: ChartSeries = { metric: 'a', name: 'a', colour: 1, scale: 1 };
type Bucket = readonly [min: number, max: number, last: number];
const frameOf = (values: readonly Bucket[], bucketNs = 1e9): SeriesFrame => ({
  start: 0, bucketNs,
  columns: [{
    metric: 'a', min: Float64Array.from(values, (v) => v[0]), max: Float64Array.from(values, (v) => v[1]),
    last: Float64Array.from(values, (v) => v[2]),
  }],
});

const amount = fc.double({ min: 0, max: 1e9, noNaN: true });

describe('reduceColumns', () => {
  it('keeps every spike however few pixels there are', () => {
    fc.assert(fc.property(
      fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 300 }),
      fc.integer({ min: 1, max: 100 }),
      (pairs, pixels) => {
        const buckets = pairs.map(([a, b]) => [Math.min(a, b), Math.max(a, b), b] as const);
        const frame = frameOf(buckets);
        const end = buckets.length * 1e9;
        const { time, values } = reduceColumns(frame, [line], 0, end, end, pixels);
        const drawn = values[0]!;
        expect(Math.max(...drawn)).toBe(Math.max(...buckets.map((b) => b[1])));
        expect(Math.min(...drawn)).toBe(Math.min(...buckets.map((b) => b[0])));
        expect(time.length).toBe(drawn.length);
        expect(drawn.length).toBeLessThanOrEqual(2 * pixels + 2);
        for (let i = 1; i < time.length; i += 1) expect(time[i]!).toBeGreaterThanOrEqual(time[i - 1]!);
      },
    ));
  });

  it('ends a group at the extreme that is nearer to its last value', () => {
    const frame = frameOf([[0, 10, 9], [2, 8, 2]]);
    expect([...reduceColumns(frame, [line], 0, 2e9, 2e9, 10).values[0]!]).toEqual([0, 10, 8, 2]);
  });

  it('takes only the buckets of the window, with one more on each side', () => {
    const frame = frameOf(Array.from({ length: 100 }, (_, i) => [i, i, i] as const));
    expect([...reduceColumns(frame, [line], 50e9, 53e9, 100e9, 100).values[0]!]).toEqual([49, 49, 50, 50, 51, 51, 52, 52, 53, 53]);
  });

  it('draws nothing where nothing was recorded, and for a metric that is not there', () => {
    const frame = frameOf([[NaN, NaN, NaN], [1, 1, 1]]);
    const { values } = reduceColumns(frame, [line, { ...line, metric: 'b' }], 0, 2e9, 2e9, 10);
    expect([...values[0]!]).toEqual([NaN, NaN, 1, 1]);
    expect([...values[1]!].every(Number.isNaN)).toBe(true);
  });

  it('bounds the bucket that is not over yet by the present', () => {
    const { time } = reduceColumns(frameOf([[1, 1, 1], [2, 2, 2]]), [line], 0, 1.5e9, 1.5e9, 10);
    expect(time[time.length - 1]).toBe(1.5);
  });

  it('shows a counter as change a simulated second, and says nothing of a bucket that has only begun', () => {
    const frame = frameOf([[0, 100, 100], [100, 300, 300], [300, 310, 310]], 5e8);
    const rate = { ...line, rate: true };
    expect([...reduceColumns(frame, [rate], 0, 1.1e9, 1.1e9, 10).values[0]!]).toEqual([200, 200, 400, 400, NaN, NaN]);
    expect([...reduceColumns(frame, [rate], 0, 1.5e9, 1.5e9, 10).values[0]!]).toEqual([200, 200, 400, 400, 20, 20]);
  });
});

describe('valueAt', () => {
  it('is the last value at or before the moment', () => {
    const frame = frameOf([[1, 5, 4], [NaN, NaN, NaN], [6, 7, 6]]);
    expect(valueAt(frame, line, 0.5e9, 3e9)).toBe(4);
    expect(valueAt(frame, line, 1.5e9, 3e9)).toBe(4);
    expect(valueAt(frame, { ...line, scale: 2 }, 99e9, 3e9)).toBe(12);
    expect(valueAt(frame, { ...line, metric: 'b' }, 0, 3e9)).toBeNaN();
  });

  it('is the rate of the last whole bucket where the newest has only begun', () => {
    const frame = frameOf([[0, 100, 100], [100, 300, 300], [300, 301, 301]]);
    expect(valueAt(frame, { ...line, rate: true }, 2.1e9, 2.1e9)).toBe(200);
  });
});
