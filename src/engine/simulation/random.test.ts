import { describe, expect, it } from 'vitest';
import { Random } from './random';

describe('Random', () => {
  it('gives the sequence of the C reference for state 1, 2, 3, 4', () => {
    const random = new Random(1, 2, 3, 4);
    const got = Array.from({ length: 8 }, () => random.next());
    expect(got).toEqual([11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849]);
  });

  it('gives the same stream for the same seed and name, another one for another name or seed', () => {
    const first = (seed: number, name: string): number[] => {
      const random = Random.stream(seed, name);
      return Array.from({ length: 4 }, () => random.next());
    };
    expect(first(7, 'fill')).toEqual(first(7, 'fill'));
    const seen = new Set([first(7, 'fill'), first(7, 'fill2'), first(8, 'fill'), first(7 + 0x100000000, 'fill')].map(String));
    expect(seen.size).toBe(4);
  });

  it('below() stays in range and reaches every value; fraction() stays in [0, 1)', () => {
    const random = Random.stream(1, 'x');
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 6000; i++) counts[random.below(6)]++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
    for (let i = 0; i < 1000; i++) {
      const fraction = random.fraction();
      expect(fraction >= 0 && fraction < 1).toBe(true);
    }
  });
});
