import { expect, it } from 'vitest';
import type { CompareResult } from '../../contract/compare';
import type { SeriesFrame } from '../../contract/engine-api';
import { metricRows, metricsCsv } from './metric-rows';
import { overlay } from './overlay';

const frame = (bucketNs: number, values: readonly number[]): SeriesFrame => {
  const column = Float64Array.from(values);
  return { start: 0, bucketNs, columns: [{ metric: 'used', min: column, max: column, last: column }] };
};
const ran = { operations: 1, elapsed: 1, requests: 10, series: frame(1, []) };
const result: CompareResult = {
  title: 'two, side by side', seed: 7, partings: [],
  arms: [
    { ...ran, name: 'A', kernel: 'linux-6.18', digest: 'aa', metrics: { same: 3, half: 4, text: 'x' } },
    { ...ran, name: 'B', kernel: 'linux-7.3', digest: 'bb', metrics: { same: 3, half: 2, text: 'y', new: 1 } },
  ],
};

it('puts runs of different bucket lengths on one axis and loses no extreme', () => {
  const both = overlay([{ name: 'A', series: frame(10, [1, 9, 2, 3]) }, { name: 'B', series: frame(20, [5]) }], ['used', 'not recorded']);
  expect(both.bucketNs).toBe(20);
  expect(both.columns.map(({ metric, min, max, last }) => [metric, [...min], [...max], [...last]])).toEqual([
    ['A: used', [1, 2], [9, 3], [9, 3]],
    ['B: used', [5, NaN], [5, NaN], [5, NaN]],
  ]);
});

it('sorts by difference, hides what is alike, and finds by words', () => {
  const rows = metricRows(result, { search: '', alike: false, sort: 'difference' });
  expect(rows.map((row) => [row.metric, row.distance])).toEqual([['text', 1], ['half', 0.5], ['new', 1e-12]]);
  expect(rows[1]?.differences).toEqual([0, -2]);
  expect(metricRows(result, { search: 'SAM', alike: true, sort: 'name' }).map((row) => row.metric)).toEqual(['same']);
});

it('writes the table with where it comes from', () => {
  expect(metricsCsv(result, metricRows(result, { search: 'half', alike: false, sort: 'name' }), '1.0.0').split('\n')).toEqual([
    '# Swaplab 1.0.0 · two, side by side · seed 7', '# A: digest aa', '# B: digest bb',
    'metric,A (linux-6.18),B (linux-7.3),B minus A', 'half,4,2,-2', '',
  ]);
});
