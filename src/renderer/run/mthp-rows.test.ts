import { expect, it } from 'vitest';
import type { SeriesFrame } from '../../contract/engine-api';
import { mthpRows, mthpRowsBetween, percentText } from './mthp-rows';

it('gives the percentages that the series prints', () => {
  // The first rounds of mode -a before and -a -s after the series "mTHP swap allocator base on swap cluster order".
  const [row] = mthpRows({ 'thp.64kB.swpout': 32, 'thp.64kB.swpout_fallback': 192, 'thp.16kB.swpout': 0 });
  expect(row).toMatchObject({ size: '64kB', swpout: 32, fallback: 192 });
  expect(percentText(row?.percent ?? 0)).toBe('85.71%');
  expect(percentText(mthpRows({ 'thp.64kB.swpout': 223, 'thp.64kB.swpout_fallback': 3 })[0]?.percent ?? 0)).toBe('1.33%');
  expect(mthpRows({ 'thp.64kB.swpout': 0 })).toEqual([]);
  expect(percentText(NaN)).toBe('–');
});

it('counts what a stretch of time added', () => {
  const column = (metric: string, values: number[]) => {
    const last = Float64Array.from(values);
    return { metric, min: last, max: last, last };
  };
  const columns = [column('thp.64kB.swpout', [2, 10, 30]), column('thp.64kB.swpout_fallback', [0, 5, 5])];
  const frame: SeriesFrame = { start: 0, bucketNs: 10, columns };
  expect(mthpRowsBetween(frame, ['64kB'], 0, 25, 30)).toMatchObject([{ swpout: 30, fallback: 5 }]);
  expect(mthpRowsBetween(frame, ['64kB'], 15, 25, 30)).toMatchObject([{ swpout: 20, fallback: 0 }]);
});
