import { describe, expect, it } from 'vitest';
import { MAX_STEP, speedOfStep, speedText, stepOfSpeed } from './speed';

describe('speed scale', () => {
  it('rises from a thousandth to a thousandfold, then as fast as possible', () => {
    expect(speedOfStep(0)).toBe(0.001);
    expect(speedOfStep(12)).toBe(1);
    expect(speedOfStep(MAX_STEP - 1)).toBe(1000);
    expect(speedOfStep(MAX_STEP)).toBe(Infinity);
    for (let step = 1; step < MAX_STEP; step += 1) {
      const ratio = speedOfStep(step) / speedOfStep(step - 1);
      expect(ratio).toBeGreaterThan(1.7);
      expect(ratio).toBeLessThan(1.9);
    }
  });
  it('finds each speed’s own notch again, and the nearest for others', () => {
    for (let step = 0; step <= MAX_STEP; step += 1) expect(stepOfSpeed(speedOfStep(step))).toBe(step);
    expect(stepOfSpeed(1.1)).toBe(12);
    expect(stepOfSpeed(1e9)).toBe(MAX_STEP - 1);
    expect(speedOfStep(-5)).toBe(0.001);
    expect(speedText(0.018)).toBe('×0.018');
    expect(speedText(Infinity)).toBe('max');
  });
});
