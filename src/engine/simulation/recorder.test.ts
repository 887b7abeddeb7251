import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Recorder } from './recorder';

const MS = 1e6;

/** Drives a recorder as a machine does: due samples before each operation, then the operation. */
const play = (recorder: Recorder, operations: readonly { at: number; value: number }[], cell: { value: number }): void => {
  for (const { at, value } of operations) {
    if (at >= recorder.nextSample) recorder.sample(at);
    cell.value = value;
    recorder.note(at);
  }
};

describe('Recorder', () => {
  it('keeps minimum, maximum and last of each bucket', () => {
    const cell = { value: 5 };
    const recorder = new Recorder(1, 8);
    recorder.bind([{ name: 'x', read: () => cell.value }], 0);
    play(recorder, [{ at: 0.1 * MS, value: 9 }, { at: 0.2 * MS, value: 7 }, { at: 2.5 * MS, value: 1 }, { at: 3.1 * MS, value: 2 }], cell);
    const { bucketNs, columns } = recorder.series(['x'], 100);
    expect(bucketNs).toBe(MS);
    expect([...columns[0].min]).toEqual([5, 7, 1, 1]);
    expect([...columns[0].max]).toEqual([9, 7, 7, 2]);
    expect([...columns[0].last]).toEqual([7, 7, 1, 2]);
    expect(recorder.extremes('x')).toEqual({ min: 1, max: 9 });
  });

  it('sees changes between samples at the next sample, in the bucket they happened in', () => {
    const cell = { value: 0 };
    const recorder = new Recorder(1, 8);
    recorder.bind([{ name: 'x', read: () => cell.value }], 0);
    cell.value = 3;
    recorder.sample(5.3 * MS);
    cell.value = 4;
    recorder.sample(6 * MS);
    const { columns } = recorder.series(['x'], 100);
    expect([...columns[0].max]).toEqual([3, 3, 3, 3, 3, 4, 4]);
    expect([...columns[0].min]).toEqual([0, 3, 3, 3, 3, 3, 4]);
  });

  it('stays within its buckets however far time goes, and loses no extreme', () => {
    const runs = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 40 * MS }), value: fc.integer({ min: -50, max: 50 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(runs, (steps) => {
        const cell = { value: 0 };
        const recorder = new Recorder(1, 6);
        recorder.bind([{ name: 'x', read: () => cell.value }], 0);
        let at = 0;
        const operations = steps.map(({ gap, value }) => ({ at: (at += gap), value }));
        play(recorder, operations, cell);
        const { bucketNs, columns } = recorder.series(['x'], 1000);
        const column = columns[0];
        expect(column.min.length).toBeLessThanOrEqual(6);
        // The same by hand: a bucket holds the value it began with and every one set within.
        let before = 0;
        for (let bucket = 0; bucket < column.min.length; bucket++) {
          const inside = operations.filter((operation) => Math.floor(operation.at / bucketNs) === bucket).map((operation) => operation.value);
          expect(column.min[bucket]).toBe(Math.min(before, ...inside));
          expect(column.max[bucket]).toBe(Math.max(before, ...inside));
          before = inside.at(-1) ?? before;
          expect(column.last[bucket]).toBe(before);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('takes columns that come and go, and merges to the points asked for', () => {
    const recorder = new Recorder(1, 64);
    recorder.bind([{ name: 'a', read: () => 1 }], 0);
    recorder.bind([{ name: 'a', read: () => 1 }, { name: 'b', read: () => 2 }], 3 * MS);
    recorder.bind([{ name: 'a', read: () => 1 }], 6 * MS);
    recorder.note(8 * MS);
    const full = recorder.series(['a', 'b', 'c'], 64);
    expect([...full.columns[1].last]).toEqual([NaN, NaN, NaN, 2, 2, 2, NaN, NaN, NaN]);
    expect([...full.columns[2].last].every(Number.isNaN)).toBe(true);
    const small = recorder.series(['a', 'b'], 3);
    expect(small.bucketNs).toBe(4 * MS);
    expect([...small.columns[0].last]).toEqual([1, 1, 1]);
    expect([...small.columns[1].max]).toEqual([2, 2, NaN]);
  });
});
