import { describe, expect, it } from 'vitest';
import type { DeviceRow } from '../../contract/engine-api';
import { DevicesSeen } from './devices-seen';

const frame = (now: number, devices: readonly (readonly [name: string, sizePages: number])[], runId = 1) => ({
  runId, now, devices: devices.map(([name, sizePages]) => ({ name, sizePages }) as DeviceRow),
});

describe('DevicesSeen', () => {
  it('remembers what is off by now, at its largest, in the order of appearance', () => {
    const seen = new DevicesSeen();
    seen.take(frame(1, [['xswap0', 100]]));
    seen.take(frame(2, [['zram0', 50], ['xswap0', 200]]));
    expect(seen.take(frame(3, [])).map((d) => [d.name, d.sizePages])).toEqual([['xswap0', 200], ['zram0', 50]]);
    const before = seen.take(frame(4, [['xswap0', 60]]));
    expect(seen.take(frame(5, [['xswap0', 60]]))).toBe(before);
  });
  it('forgets with a restart and with another run', () => {
    const seen = new DevicesSeen();
    seen.take(frame(9, [['a', 1]]));
    expect(seen.take(frame(0, []))).toEqual([]);
    seen.take(frame(9, [['a', 1]]));
    expect(seen.take(frame(10, [['b', 1]], 2)).map((d) => d.name)).toEqual(['b']);
  });
});
