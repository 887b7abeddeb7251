import { describe, expect, it } from 'vitest';
import { power } from './exact-math';

describe('power()', () => {
  it('is base^exponent', () => {
    for (const base of [1, 1.5, 2, 3, 10, 24576, 1234567.5, 2 ** 32]) {
      for (const exponent of [-2, -0.99, -0.5, 0, 0.25, 1, 2]) {
        expect(Math.abs(power(base, exponent) / base ** exponent - 1), `${base}^${exponent}`).toBeLessThan(1e-13);
      }
    }
  });

  it('comes to these bits, whatever the runtime', () => {
    expect(power(3, -0.99)).toBe(0.33701556397928456);
  });
});
