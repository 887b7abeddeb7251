import { describe, expect, it } from 'vitest';
import { compressedBytes } from './compression';
import { ZsPool } from './zsmalloc';

describe('the zsmalloc model', () => {
  // Golden: 1000 pages of equal compressed length written to a zram device of a real Linux 6.18.44; mem_used_total of mm_stat.
  it.each([
    [573, 152], [552, 140], [541, 140], [300, 80], [281, 77], [173, 48], [154, 44], [110, 32], [90, 28], [61, 20], [42, 16], [53, 16],
    [4096, 1000],
  ])('holds 1000 objects of %i bytes in %i pages', (bytes, pages) => {
    const pool = new ZsPool();
    for (let i = 0; i < 1000; i++) pool.alloc(bytes);
    expect(pool.pages).toBe(pages);
  });

  it('comes near the pool of the 7.3 guest in state 4', () => {
    // Golden: guest-7.3/4-zswap-pattern: 14967 pages stored, pool_total_size 8978432.
    const pool = new ZsPool();
    for (let i = 0; i < 14967; i++) pool.alloc(compressedBytes('lzo', 'hog'));
    expect(Math.abs(pool.pages - 8978432 / 4096)).toBeLessThanOrEqual(16);
  });

  it('gives a zspage back only when its last object goes', () => {
    const pool = new ZsPool();
    const objects = Array.from({ length: 55 }, () => pool.alloc(573));
    expect(pool.pages).toBe(8);
    for (const object of objects.slice(1)) expect(pool.free(object)).toBe(0);
    expect(pool.free(objects[0])).toBe(8);
    expect([pool.pages, pool.zspages, pool.objects]).toEqual([0, 0, 0]);
  });

  it('fills the fullest zspage that has room', () => {
    const pool = new ZsPool();
    const first = Array.from({ length: 55 }, () => pool.alloc(573));
    const second = Array.from({ length: 55 }, () => pool.alloc(573));
    for (const object of first.slice(0, 40)) pool.free(object);
    pool.free(second[0]);
    expect(pool.alloc(573)).toBe(second[0]);
  });
});
