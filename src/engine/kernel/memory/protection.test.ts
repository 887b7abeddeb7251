import { describe, expect, it } from 'vitest';
import type { MachineSpec } from '../../experiment/spec';
import type { Memcg } from './memcg';
import type { Memory } from './memory';
import { effectiveProtection } from './protection';
import { machineOf, POLICIES_6_18, touchAll } from './testing/guest';

const machine: MachineSpec = { ram_pages: 8192, cpus: 1, nodes: 1, swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 16384 }] };

function tree(paths: readonly string[]): Memory {
  const memory = machineOf(machine, POLICIES_6_18, 'linux-6.18');
  memory.swapon('/dev/zram0');
  for (const path of paths) memory.createMemcg(path);
  return memory;
}

const fill = (memory: Memory, path: string, pages: number): void => {
  expect(touchAll(memory, memory.spawn({ name: 'p', sizePages: pages, fill: 'pattern', memcg: memory.memcg(path), cpu: 0 }))).toBe(true);
};

describe('effective protection', () => {
  const memory = tree(['/a', '/a/b', '/a/c']);
  const use = (path: string, currentPages: number, low: number): Memcg => {
    const memcg = memory.memcg(path);
    memcg.currentPages = currentPages;
    memory.setMemoryLow(memcg, low);
    return memcg;
  };
  const low = (memcg: Memcg): number => effectiveProtection(memory.root, memcg, 'lowPages');

  it('is split by what the children claim and use when they claim more than the parent has', () => {
    use('/a', 1000, 500);
    const b = use('/a/b', 750, 750);
    const c = use('/a/c', 250, 250);
    expect([low(b), low(c)]).toEqual([375, 125]);
  });

  it('is nothing where the parent has none, except for reclaim on behalf of that parent', () => {
    const a = use('/a', 1000, 0);
    const b = use('/a/b', 750, 750);
    expect(low(b)).toBe(0);
    expect(effectiveProtection(a, b, 'lowPages')).toBe(750);
    expect(effectiveProtection(b, b, 'lowPages')).toBe(0);
  });

  it('hands down what no child claims, by what they use beyond their claims', () => {
    use('/a', 1000, 600);
    const b = use('/a/b', 600, 200);
    const c = use('/a/c', 400, 0);
    // 400 unclaimed over 800 beyond the claims.
    expect([low(b), low(c)]).toEqual([200 + 200, 200]);
  });
});

describe('reclaim', () => {
  it('does not spare a cgroup whose parent is not protected when the machine runs short', () => {
    for (const parent of [0, 3000]) {
      const memory = tree(['/a', '/a/quiet', '/busy']);
      memory.setMemoryLow(memory.memcg('/a'), parent);
      memory.setMemoryLow(memory.memcg('/a/quiet'), 3000);
      fill(memory, '/a/quiet', 2000);
      fill(memory, '/busy', 9000);
      const swapped = memory.memcg('/a').swapCurrentPages;
      if (parent > 0) expect(swapped).toBe(0);
      else expect(swapped).toBeGreaterThan(500);
      expect(memory.checkInvariants()).toEqual([]);
    }
  });

  it('takes less from a cgroup the more of it is protected', () => {
    const swappedOf = (low: number): number => {
      const memory = tree(['/a', '/a/b', '/a/c']);
      memory.setMemoryMax(memory.memcg('/a'), 3000);
      memory.setMemoryLow(memory.memcg('/a/b'), low);
      fill(memory, '/a/b', 2000);
      fill(memory, '/a/c', 3000);
      expect(memory.checkInvariants()).toEqual([]);
      return memory.memcg('/a/b').swapCurrentPages;
    };
    const [none, half, most] = [swappedOf(0), swappedOf(1000), swappedOf(1800)];
    expect(none).toBeGreaterThan(half);
    expect(half).toBeGreaterThan(most);
    // What is protected stays, give or take a batch.
    expect(2000 - half).toBeGreaterThanOrEqual(1000 - 64);
    expect(2000 - most).toBeGreaterThanOrEqual(1800 - 64);
  });
});
