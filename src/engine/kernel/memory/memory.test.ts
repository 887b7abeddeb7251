import { describe, expect, it } from 'vitest';
import { GUEST, hog, idle, machineOf, POLICIES_6_18, touchAll } from './testing/guest';
import type { MachineSpec } from '../../experiment/spec';
import { PAGES_MAX } from './types';

const small = (over: Partial<MachineSpec> = {}): MachineSpec => ({
  ram_pages: 16384, cpus: 2, nodes: 1, swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 8192 }], ...over,
});

describe('charging', () => {
  it('charges every ancestor and keeps a stock for the CPU', () => {
    const memory = machineOf(small());
    const parent = memory.createMemcg('/a');
    const child = memory.createMemcg('/a/b');
    const process = memory.spawn({ name: 'p', sizePages: 100, fill: 'random', memcg: child, cpu: 1 });
    touchAll(memory, process);
    // 100 pages, 13 of its own, 1 + 12 page tables, 2 of slab; what was taken in batches of 64 and not used is stock.
    expect(child.currentPages - child.stock[1]).toBe(128);
    expect(child.currentPages % 64).toBe(0);
    expect(parent.currentPages).toBe(child.currentPages);
    expect(memory.memcgStat(parent, 'anon')).toBe(113 * 4096);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('stops at the lowest limit above it', () => {
    const memory = machineOf(small());
    memory.swapon('/dev/zram0');
    const parent = memory.createMemcg('/a');
    const child = memory.createMemcg('/a/b');
    memory.setMemoryMax(parent, 256);
    const process = memory.spawn({ name: 'p', sizePages: 1000, fill: 'random', memcg: child, cpu: 0 });
    expect(touchAll(memory, process)).toBe(true);
    expect(parent.currentPages).toBeLessThanOrEqual(256);
    expect(parent.eventsLocal.max).toBeGreaterThan(0);
    expect(child.events.max).toBe(0);
    expect(process.rssAnonPages + process.swapEntries).toBe(1013);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('reclaims at once when memory.max is lowered, and kills when it cannot', () => {
    const memory = machineOf(small());
    memory.swapon('/dev/zram0');
    const app = memory.createMemcg('/app');
    const process = hog(memory, 8, 'hog-pattern');
    touchAll(memory, process);
    expect(app.currentPages).toBeGreaterThan(2048);
    memory.setMemoryMax(app, 512);
    expect(app.currentPages).toBeLessThanOrEqual(512);
    expect(process.state).toBe('running');
    memory.setSwapMax(app, 0);
    memory.setMemoryMax(app, 4);
    expect(process.state).toBe('killed');
    expect(app.events.oom_kill).toBe(1);
    expect(app.swapCurrentPages).toBe(0);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('says that there is nothing to kill', () => {
    const memory = machineOf(small());
    const app = memory.createMemcg('/app');
    const process = hog(memory, 1, 'random');
    touchAll(memory, process);
    memory.attach(process.pid, memory.memcg('/'));
    memory.setMemoryMax(app, 0);
    expect(memory.log.at(-1)?.text).toBe('Out of memory and no killable processes...');
    expect(process.state).toBe('running');
  });

  it('gives slots back when memory.swap.max is reached, and counts it', () => {
    const memory = machineOf(small());
    memory.swapon('/dev/zram0');
    const app = memory.createMemcg('/app');
    memory.setMemoryMax(app, 512);
    memory.setSwapMax(app, 100);
    expect(touchAll(memory, hog(memory, 4, 'random'))).toBe(false);
    expect(app.swapEvents.max).toBeGreaterThan(0);
    expect(app.swapEvents.fail).toBe(app.swapEvents.max);
    expect(app.swapPeakPages).toBe(100);
    expect(memory.swap.freePages).toBe(memory.swap.totalPages);
  });

  it('kills the whole cgroup with memory.oom.group', () => {
    const memory = machineOf(small());
    const app = memory.createMemcg('/app');
    memory.setMemoryMax(app, 512);
    memory.setOomGroup(app, true);
    const first = hog(memory, 1, 'random');
    touchAll(memory, first);
    expect(touchAll(memory, hog(memory, 4, 'random'))).toBe(false);
    expect(first.state).toBe('killed');
    expect([app.events.oom_kill, app.events.oom_group_kill]).toEqual([2, 1]);
  });

  it('hands the charge of a removed cgroup back to nobody, and its counters to the parent', () => {
    const memory = machineOf(small());
    const app = memory.createMemcg('/app');
    const process = hog(memory, 1, 'random');
    touchAll(memory, process);
    expect(() => memory.removeMemcg('/app')).toThrow('Device or resource busy');
    memory.exit(process.pid, false);
    memory.removeMemcg('/app');
    expect(memory.hasMemcg('/app')).toBe(false);
    expect(memory.root.currentPages).toBe(0);
    expect(memory.vmstat('pgfault')).toBe(256 + 13);
    expect(app.online).toBe(false);
    expect(memory.createMemcg('/app').id).toBe(app.id);
  });

  it('limits nothing by default', () => {
    const memory = machineOf(small());
    expect(memory.createMemcg('/app').maxPages).toBe(PAGES_MAX);
  });
});

describe('swap-in', () => {
  it('frees the slot of a synchronous device, and keeps it for a read from a disk', () => {
    const memory = machineOf(small({ swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 8192 }] }));
    memory.swapon('/dev/vdc');
    memory.createMemcg('/app');
    const process = hog(memory, 1, 'hog-pattern');
    touchAll(memory, process);
    memory.pageout(process, 0, 256);
    idle(memory, 1e9);
    const used = (): number => memory.swap.totalPages - memory.swap.freePages;
    expect(used()).toBe(256);
    // What was written is freed by the next scan only: until then it is in the swap cache.
    expect(memory.meminfo().SwapCached).toBe(1024);
    touchAll(memory, process, 0, 1, false);
    expect(used()).toBe(256);
    expect(memory.cacheOnlySlots()).toBe(1);
    expect(memory.checkInvariants()).toEqual([]);
    touchAll(memory, process, 0, 1, true);
    expect([used(), memory.cacheOnlySlots()]).toEqual([255, 0]);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('counts refaults, and what zswap gives back', () => {
    const memory = machineOf(small());
    memory.swapon('/dev/zram0');
    memory.setZswapEnabled(true);
    const app = memory.createMemcg('/app');
    const process = hog(memory, 1, 'hog-pattern');
    touchAll(memory, process);
    expect(memory.pageout(process, 0, 256)).toBe(256);
    expect([memory.zswap.storedPages, memory.memcgStat(app, 'zswpout'), memory.vmstat('pswpout')]).toEqual([256, 256, 0]);
    touchAll(memory, process, 0, 10);
    expect([memory.zswap.storedPages, memory.memcgStat(app, 'zswpin'), memory.memcgStat(app, 'pgmajfault')]).toEqual([246, 10, 10]);
    expect(memory.memcgStat(app, 'workingset_refault_anon')).toBe(10);
    expect(memory.swap.totalPages - memory.swap.freePages).toBe(246);
    expect(memory.checkInvariants()).toEqual([]);
  });
});

describe('zswap', () => {
  it('refuses above max_pool_percent until the pool is below the accept threshold', () => {
    const memory = machineOf(small({ swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 16384 }] }));
    memory.swapon('/dev/vdc');
    memory.setZswapEnabled(true);
    memory.setZswapMaxPoolPercent(1);
    memory.createMemcg('/app');
    const process = hog(memory, 16, 'hog-pattern');
    touchAll(memory, process);
    memory.pageout(process, 0, 4096);
    const limit = Math.floor(16384 / 100);
    expect(memory.zswap.poolLimitHit).toBeGreaterThan(0);
    expect(memory.zswap.poolPages).toBeLessThanOrEqual(limit + 8);
    expect(memory.vmstat('pswpout')).toBeGreaterThan(0);
    idle(memory, 10e9);
    // The shrinker has written the oldest back until the threshold was met.
    expect(memory.zswap.poolPages).toBeLessThanOrEqual(Math.floor(limit * 0.9));
    expect(memory.vmstat('zswpwb')).toBe(memory.zswap.writtenBackPages);
    expect(memory.zswap.writtenBackPages).toBeGreaterThan(0);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('obeys memory.zswap.max and memory.zswap.writeback', () => {
    const memory = machineOf(small());
    memory.swapon('/dev/zram0');
    memory.setZswapEnabled(true);
    const app = memory.createMemcg('/app');
    memory.setZswapMax(app, 0);
    memory.setZswapWriteback(app, false);
    const process = hog(memory, 1, 'hog-pattern');
    touchAll(memory, process);
    expect(memory.pageout(process, 0, 256)).toBe(0);
    expect([memory.zswap.storedPages, memory.vmstat('pswpout')]).toEqual([0, 0]);
    memory.setZswapMax(app, PAGES_MAX);
    touchAll(memory, process);
    expect(memory.pageout(process, 0, 256)).toBe(256);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('has nowhere to drain an xswap device to', () => {
    const memory = machineOf(small({ swap: [] }));
    memory.setZswapEnabled(true);
    memory.createXswap();
    memory.setZswapMaxPoolPercent(1);
    const app = memory.createMemcg('/app');
    const process = hog(memory, 16, 'random');
    touchAll(memory, process);
    const written = memory.pageout(process, 0, 4096);
    expect(written).toBe(163);
    idle(memory, 1e9);
    expect(memory.zswap.writtenBackPages).toBe(0);
    // What zswap refused is unmapped, in the swap cache, and keeps its slot; a touch maps it again without any read.
    expect([process.rssAnonPages, memory.meminfo().SwapCached / 4]).toEqual([13, 4096 - 163]);
    expect(memory.swap.totalPages - memory.swap.freePages).toBe(4096);
    const faults = memory.memcgStat(app, 'pgmajfault');
    touchAll(memory, process, 163, 263);
    expect([process.rssAnonPages, memory.memcgStat(app, 'pgmajfault') - faults]).toEqual([113, 0]);
    expect(app.events.oom_kill).toBe(0);
    expect(memory.checkInvariants()).toEqual([]);
  });
});

describe('swapoff', () => {
  it('brings every page back', () => {
    const memory = machineOf(GUEST);
    memory.swapon('/dev/zram0');
    memory.createMemcg('/app');
    const process = hog(memory, 8, 'hog-pattern');
    touchAll(memory, process);
    memory.pageout(process, 0, 2048);
    expect(memory.zrams[0].origDataBytes).toBe(2048 * 4096);
    memory.swapoff('/dev/zram0');
    expect([process.swapEntries, process.rssAnonPages, memory.zrams[0].memUsedTotalBytes]).toEqual([0, 2061, 0]);
    expect(memory.swap.totalPages).toBe(0);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('answers ENOMEM when the pages do not fit, and leaves the device on', () => {
    const memory = machineOf(small({ ram_pages: 4096, swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 16384 }] }));
    memory.swapon('/dev/vdc');
    memory.createMemcg('/app');
    const process = hog(memory, 32, 'random');
    expect(touchAll(memory, process)).toBe(true);
    expect(() => memory.swapoff('/dev/vdc')).toThrow('Cannot allocate memory');
    expect(memory.swap.view(0).writable).toBe(true);
    expect(process.state).toBe('running');
    expect(process.rssAnonPages + process.swapEntries).toBe(8192 + 13);
    expect(memory.checkInvariants()).toEqual([]);
  });
});

describe('large folios', () => {
  it('swap out whole, and fall back to single pages on a swap file', () => {
    for (const kind of ['partition', 'file'] as const) {
      const memory = machineOf(small({ swap: [{ kind, name: '/swap', size_pages: 8192 }] }), POLICIES_6_18, 'linux-6.18');
      memory.setThpMode(4, 'always');
      memory.swapon('/swap');
      memory.createMemcg('/app');
      const process = hog(memory, 4, 'random');
      touchAll(memory, process);
      expect(memory.thpStat(4, 'anon_fault_alloc')).toBe(64);
      memory.pageout(process, 0, 1024);
      idle(memory, 1e9);
      expect(memory.thpStat(4, 'swpout')).toBe(kind === 'file' ? 0 : 64);
      expect(memory.thpStat(4, 'swpout_fallback')).toBe(kind === 'file' ? 64 : 0);
      expect(memory.vmstat('pswpout')).toBe(1024);
      expect(memory.checkInvariants()).toEqual([]);
      memory.exit(process.pid, false);
      expect([memory.swap.freePages, memory.meminfo().SwapCached]).toEqual([8191, 0]);
    }
  });
});

describe('an xswap device', () => {
  it('holds its cap: the OOM killer of the cgroup ends the program when the device is full', () => {
    // The cover letter's step 2 at 1/64 of its size.
    const memory = machineOf(small({ ram_pages: 31796, swap: [] }));
    memory.setZswapEnabled(true);
    const type = memory.createXswap();
    const group = memory.createMemcg('/xswap_limit');
    memory.setMemoryMax(group, 8192);
    let atKill = -1;
    memory.listener = { onOomKill: () => (atKill = memory.swap.freePages) };
    const program = memory.spawn({ name: 'memhog', sizePages: 45056, fill: 'pattern', memcg: group, cpu: 0 });
    expect(touchAll(memory, program)).toBe(false);
    expect(program.state).toBe('killed');
    expect(atKill).toBe(0);
    expect(memory.swap.freePages).toBe(memory.swap.totalPages);
    expect(memory.zswap.poolPages).toBe(0);
    memory.destroyXswap(type);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('leaves no object behind', () => {
    const memory = machineOf(small({ swap: [] }));
    memory.setZswapEnabled(true);
    const before = memory.liveObjects();
    for (let i = 0; i < 50; i++) memory.destroyXswap(memory.createXswap());
    expect(memory.liveObjects()).toBe(before);
  });
});
