import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { churn } from './churn';
import { deviceSize, slotSize } from './device-size';
import { readRecordings, replayAll } from './trace-replay';

/** What native-twin.c printed for the same arguments: the slots that it took, added up. */
const NATIVE = [
  { slots: 65536, operations: 200000, fillPercent: 50, orders: [0, 2, 4], used: 32778, failed: 0, sum: 1757524729 },
  { slots: 65536, operations: 200000, fillPercent: 90, orders: [0, 2, 4], used: 58969, failed: 0, sum: 2965149795 },
  { slots: 65536, operations: 200000, fillPercent: 99, orders: [0, 2, 4], used: 64883, failed: 1821, sum: 3322507591 },
  { slots: 65536, operations: 200000, fillPercent: 90, orders: [0], used: 58982, failed: 0, sum: 2978741412 },
  { slots: 65536, operations: 200000, fillPercent: 90, orders: [0, 4, 9], used: 59307, failed: 0, sum: 2391862552 },
  { slots: 131072, operations: 100000, fillPercent: 95, orders: [0, 1, 3, 5, 7], used: 124542, failed: 46, sum: 3114913699 },
];

describe('the bench', () => {
  it.each(NATIVE)('takes the slots that the native twin takes: orders $orders at $fillPercent %', ({ used, failed, sum, ...options }) => {
    expect(churn(options)).toMatchObject({ used, failed, sum });
  });

  it('has its yardstick beside it', () => {
    expect(existsSync(join(import.meta.dirname, 'native-twin.c'))).toBe(true);
  });

  it('a 256 GiB device takes at most 160 MB', () => {
    const [bytes] = deviceSize();
    expect(bytes?.ours).toBeGreaterThan(8e6);
    expect(bytes?.ours).toBeLessThanOrEqual(160e6);
  });

  it('takes at most 0.17 bytes a slot, whatever the size of the device', () => {
    for (const { id, ours } of slotSize()) {
      expect(ours, id).toBeGreaterThan(1 / 8);
      expect(ours, id).toBeLessThanOrEqual(0.17);
    }
  });

  it('replays recordings whole, so that its time is that of work done', () => {
    const recordings = readRecordings(join(import.meta.dirname, '../test-data/kernel-traces/linux-6.18-more'), 'linux-6.18');
    const { events, matched, ns } = replayAll(recordings);
    expect(events).toBeGreaterThan(30_000);
    expect(matched).toBe(events);
    expect(ns).toBeGreaterThan(0);
  });
});
