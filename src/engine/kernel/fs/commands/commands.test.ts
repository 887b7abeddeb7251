import { describe, expect, it } from 'vitest';
import { free } from './free';
import type { FreeUnit } from './free';
import { swaponRow, swaponShow, swaponSummary } from './swapon';
import { formatProcSwaps } from '../proc-swaps';
import { golden } from '../testing/golden';
import { zramctl } from './zramctl';
import type { ZramctlDevice } from './zramctl';

describe('swapon', () => {
  const swaps = golden('tools/swaps-in.txt');

  it('prints what util-linux prints, over several hundred sizes', () => {
    expect(swaponShow(swaps)).toBe(golden('tools/swaps-show.txt'));
    expect(swaponShow(swaps, { raw: true, noHeadings: true })).toBe(golden('tools/swaps-show-raw-noheadings.txt'));
    expect(swaponShow(swaps, { bytes: true })).toBe(golden('tools/swaps-show-bytes.txt'));
    expect(swaponSummary(swaps)).toBe(golden('tools/swaps-s.txt'));
  });

  it('prints what a real machine with three zram devices printed', () => {
    const real = golden('host-6.18/proc-swaps.txt');
    expect(swaponShow(real)).toBe(golden('host-6.18/swapon-show.txt'));
    expect(swaponShow(real, { bytes: true, raw: true })).toBe(golden('host-6.18/swapon-show-bytes-raw.txt'));
    expect(swaponSummary(real)).toBe(golden('host-6.18/swapon-s.txt'));
  });

  it('prints the line of the xswap series', () => {
    const text = formatProcSwaps([{ name: 'xswap0', type: 'xswap', sizeKB: 8140796, usedKB: 0, priority: -1 }]);
    expect(swaponShow(text)).toBe('NAME    TYPE  SIZE USED PRIO\nxswap0  xswap 7.8G   0B   -1\n');
    expect(swaponRow(text, 'xswap0')).toBe('xswap0  xswap 7.8G   0B   -1');
    expect(swaponRow(text, 'xswap1')).toBeUndefined();
  });

  it('prints nothing when no swap is on', () => {
    expect(swaponShow(formatProcSwaps([]))).toBe('');
    expect(swaponSummary(formatProcSwaps([]))).toBe('');
  });

  it('shows names with blanks and letters beyond ASCII as the real one does', () => {
    const text = formatProcSwaps([
      { name: '/a b/s\\w', type: 'file', sizeKB: 17179869180, usedKB: 12345678, priority: 100 },
      { name: '/äö', type: 'file', sizeKB: 10, usedKB: 1, priority: 5 },
    ]);
    expect(text.split('\n')[1]).toBe(`/a\\040b/s\\134w${' '.repeat(26)}file\t\t17179869180\t12345678\t100`);
    expect(swaponShow(text)).toBe('NAME     TYPE SIZE  USED PRIO\n/a b/s\\w file  16T 11.8G  100\n/äö      file  10K    1K    5\n');
    expect(swaponShow(text, { raw: true, noHeadings: true })).toBe('/a\\x20b/s\\x5cw file 16T 11.8G 100\n/\\xc3\\xa4\\xc3\\xb6 file 10K 1K 5\n');
    expect(swaponSummary(text).split('\n')[1]).toBe(`/a b/s\\w${' '.repeat(32)}file\t\t17179869180\t12345678\t100`);
  });
});

describe('free', () => {
  it('prints what procps prints, from one page to tebibytes', () => {
    const blocks = golden('tools/free.txt').split(/^# /m).slice(1);
    expect(blocks.length).toBe(60);
    for (const block of blocks) {
      const [head = '', ...lines] = block.split('\n');
      const meminfo = head.split(' ').map((pair) => `${pair.replace('=', ': ')} kB\n`).join('');
      const printed = (['k', 'm', 'h', 'g', 'b'] as FreeUnit[]).map((unit) => free(meminfo, unit)).join('');
      expect(printed).toBe(lines.join('\n'));
    }
  });
});

describe('zramctl', () => {
  const device = (index: number): ZramctlDevice => ({
    name: `zram${index}`, disksizeBytes: 67108864, algorithm: 'lzo-rle', mmStat: golden(`host-6.18/zram${index}-mm_stat.txt`), swap: true,
  });
  const devices = [device(0), device(1), device(2), { ...device(0), name: 'zram3', disksizeBytes: 0 }];

  it('prints what a real machine with three devices printed, in its order', () => {
    expect(zramctl(devices)).toBe(golden('host-6.18/zramctl.txt'));
    expect(zramctl(devices, { outputAll: true })).toBe(golden('host-6.18/zramctl-output-all.txt'));
    expect(zramctl(devices, { outputAll: true, bytes: true, raw: true })).toBe(golden('host-6.18/zramctl-bytes-raw.txt'));
  });
});
