import { describe, expect, it } from 'vitest';
import { idle, machineOf, touchAll } from './testing/guest';
import type { Memory } from './memory';
import type { Process } from './process';

/** 1024 pages on a disk, none of them in memory any more. */
function swappedOut(kind: 'partition' | 'zram', pageCluster: number): { memory: Memory; process: Process } {
  const name = kind === 'zram' ? '/dev/zram0' : '/dev/vdc';
  const memory = machineOf({ ram_pages: 16384, cpus: 1, nodes: 1, page_cluster: pageCluster, swap: [{ kind, name, size_pages: 4096 }] });
  memory.swapon(name);
  const group = memory.createMemcg('/app');
  const process = memory.spawn({ name: 'p', sizePages: 1024, fill: 'random', memcg: group, cpu: 0 });
  touchAll(memory, process);
  memory.pageout(process, 0, 1024);
  idle(memory, 1e9);
  // What was written to the disk leaves memory with the next reclaim.
  if (kind === 'partition') memory.reclaim(group, 1024);
  expect(process.swapEntries).toBe(1024);
  expect(memory.meminfo().SwapCached).toBe(0);
  return { memory, process };
}

const count = (memory: Memory, name: string): number => memory.vmstat(name) as number;

describe('swap readahead', () => {
  it('opens up to 2^page_cluster pages when they are asked for one after the other', () => {
    const { memory, process } = swappedOut('partition', 3);
    touchAll(memory, process, 0, 1024, false);
    expect(count(memory, 'pswpin')).toBe(1024);
    // Windows of 1, 2, 4 and then 8 pages: one fault that reads for every window.
    expect(count(memory, 'pgmajfault')).toBeLessThan(1024 / 8 + 8);
    expect(count(memory, 'swap_ra')).toBe(1024 - count(memory, 'pgmajfault'));
    expect(count(memory, 'swap_ra_hit')).toBe(count(memory, 'swap_ra'));
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('stays at one page for faults far from each other', () => {
    const { memory, process } = swappedOut('partition', 3);
    for (let i = 0; i < 50; i++) touchAll(memory, process, (i * 37 * 7) % 1024, ((i * 37 * 7) % 1024) + 1, false);
    expect(count(memory, 'swap_ra')).toBe(0);
    expect(count(memory, 'pswpin')).toBe(50);
  });

  it('is off with page-cluster 0, and for zram', () => {
    for (const { memory, process } of [swappedOut('partition', 0), swappedOut('zram', 3)]) {
      touchAll(memory, process, 0, 1024, false);
      expect([count(memory, 'swap_ra'), count(memory, 'pgmajfault')]).toEqual([0, 1024]);
    }
  });

  it('leaves pages that nobody asked for clean in the swap cache, to be dropped without a write', () => {
    const { memory, process } = swappedOut('partition', 3);
    touchAll(memory, process, 0, 12, false);
    const ahead = count(memory, 'swap_ra') - count(memory, 'swap_ra_hit');
    expect(ahead).toBeGreaterThan(0);
    const written = count(memory, 'pswpout');
    memory.reclaim(memory.memcg('/app'), ahead);
    // Written are at most the 13 pages of stack and data, which no slot has.
    expect(count(memory, 'pswpout') - written).toBeLessThanOrEqual(13);
    expect(process.rssAnonPages + process.swapEntries).toBe(1037);
    expect(memory.checkInvariants()).toEqual([]);
  });
});
