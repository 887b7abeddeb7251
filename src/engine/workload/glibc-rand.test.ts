import { describe, expect, it } from 'vitest';
import { GlibcRand } from './glibc-rand';

describe('the C library\'s rand()', () => {
  it('begins as an unseeded program sees it', () => {
    const random = new GlibcRand();
    expect([random.next(), random.next(), random.next(), random.next()]).toEqual([1804289383, 846930886, 1681692777, 1714636915]);
  });

  it('takes a seed of 0 for 1, as srand does', () => {
    expect(new GlibcRand(0).next()).toBe(new GlibcRand(1).next());
    expect(new GlibcRand(2).next()).not.toBe(new GlibcRand(1).next());
  });
});
