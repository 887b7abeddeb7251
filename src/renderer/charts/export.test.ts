import { describe, expect, it } from 'vitest';
import { toCsv } from './export';

describe('toCsv', () => {
  it('says where it comes from and gives every bucket at full precision', () => {
    const csv = toCsv({
      start: 0, bucketNs: 1e7,
      columns: [{ metric: 'meminfo.SwapFree_kB', min: Float64Array.of(1, NaN), max: Float64Array.of(0.1 + 0.2, NaN), last: Float64Array.of(3, NaN) }],
    }, { experiment: 'cap, "raised"', kernel: 'xswap', arm: 'base', seed: 7, version: '0.1.0' });
    expect(csv.split('\n')).toEqual([
      '# Swaplab 0.1.0 · cap, "raised" · kernel xswap · arm base · seed 7',
      '# buckets of 0.01 s of simulated time; time_s is the start of a bucket',
      'time_s,meminfo.SwapFree_kB.min,meminfo.SwapFree_kB.max,meminfo.SwapFree_kB.last',
      '0,1,0.30000000000000004,3',
      '0.01,,,',
      '',
    ]);
  });
});
