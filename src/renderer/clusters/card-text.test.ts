import { describe, expect, it } from 'vitest';
import { deviceOptions, partText, stateText } from './card-text';
import { mapOf } from './testing/map-of';

describe('the card', () => {
  it('offers devices that are on, those that were, and all', () => {
    expect(deviceOptions(['/dev/zram0'], ['/dev/zram0'])).toEqual([{ value: '/dev/zram0', label: 'zram0' }]);
    expect(deviceOptions(['/dev/zram1'], ['/dev/zram0', '/dev/zram1']).map(({ label }) => label)).toEqual(['all devices', 'zram1', 'zram0 (off)']);
  });
  it('says what is seen, and why nothing is', () => {
    expect(partText({ ...mapOf(), perCell: 9, total: 524_288, to: 524_288 }, true)).toBe('524\u202f288 clusters of 512 slots, 9 a cell');
    expect(partText({ ...mapOf(), from: 1, to: 3 }, true)).toBe('clusters 1 to 2 of 4');
    const none = { ...mapOf([]), total: 0 };
    expect(stateText(none, '/dev/zram0', false, true)).toBe('zram0 is off now; what was recorded of it lies back in time.');
    expect(stateText(none, '/dev/zram0', true, true)).toBe('zram0 was not on then, or nothing was recorded yet.');
    expect(stateText(undefined, undefined, false, true)).toBe('No swap device is on.');
    expect(stateText({ ...mapOf(), recorded: true, at: 2e9, distanceNs: 4e7 }, '/dev/zram0', true, false)).toContain('(recorded every 40 ms)');
  });
});
