import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickStep, tickText, timeTick, timeTicks, valueAxis, valueText } from './scale';

describe('valueAxis', () => {
  it('ends above the value, with three to five lines', () => {
    fc.assert(fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), (value) => {
      const { top, step } = valueAxis(value);
      expect(top).toBeGreaterThan(value);
      expect(top).toBeLessThanOrEqual(value * 2.6);
      const lines = Math.round(top / step);
      expect(lines).toBeGreaterThanOrEqual(2);
      expect(lines).toBeLessThanOrEqual(5);
    }));
  });
  it('has fewer lines where there is no room', () => {
    expect(valueAxis(20, 2)).toEqual({ top: 30, step: 15 });
    expect(valueAxis(18, 2)).toEqual({ top: 20, step: 10 });
  });
  it('is 0…1 for nothing', () => { expect(valueAxis(0)).toEqual({ top: 1, step: 0.25 }); });
});

describe('ticks', () => {
  it('stand at round times', () => {
    expect(tickStep(60)).toBe(15);
    expect(tickStep(42)).toBe(10);
    expect(tickStep(0.01)).toBe(0.002);
    expect(tickStep(86_400)).toBe(28_800);
  });
  it('stay at round times when the range does not begin at one', () => {
    expect(timeTicks(13.3, 55)).toEqual([20, 30, 40, 50]);
    expect(timeTicks(0, 0.001)).toHaveLength(6);
    expect(timeTicks(5, 5)).toEqual([5]);
  });
  it('are short', () => {
    expect(timeTick(0, 10)).toBe('0 s');
    expect(timeTick(30, 10)).toBe('30 s');
    expect(timeTick(90, 60)).toBe('1:30');
    expect(timeTick(0.0002, 0.0001)).toBe('0.2 ms');
    expect(tickText(12_500)).toBe('12.5k');
    expect(tickText(2_473_705)).toBe('2.47M');
  });
});

describe('valueText', () => {
  it('gives what can be read at a glance', () => {
    expect(valueText(NaN)).toBe('–');
    expect(valueText(11.6446)).toBe('11.64');
    expect(valueText(0.0123)).toBe('0.012');
    expect(valueText(1143.4)).toBe('1143');
    expect(valueText(56_048)).toBe('56k');
  });
});
