import { describe, expect, it } from 'vitest';
import type { DeviceRow } from '../../contract/engine-api';
import { meminfoText, swaponText } from './swaps-text';

const row = (values: Partial<DeviceRow>): DeviceRow => (
  { type: 0, name: 'xswap0', kind: 'xswap', priority: -1, sizePages: 2_035_199, usedPages: 0, limitPages: -1, mappedClusters: 0, ...values }
);

describe('what the programs print', () => {
  it('is the table of the xswap v3 cover letter after create, to the letter', () => {
    expect(swaponText([row({})])).toBe('NAME    TYPE  SIZE USED PRIO\nxswap0  xswap 7.8G   0B   -1\n');
  });
  it('calls every block device a partition, and prints nothing when no swap is on', () => {
    expect(swaponText([row({ name: '/dev/zram0', kind: 'zram', sizePages: 8191, priority: 100 })]).split('\n')[1])
      .toBe('/dev/zram0 partition  32M   0B  100');
    expect(swaponText([])).toBe('');
  });
  it('pads meminfo as the kernel does', () => {
    expect(meminfoText({ 'meminfo.SwapTotal_kB': 8_140_796, 'meminfo.SwapFree_kB': 354_012 }))
      .toBe('SwapTotal:       8140796 kB\nSwapFree:         354012 kB');
  });
});
