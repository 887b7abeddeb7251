import { describe, expect, it } from 'vitest';
import type { MachineSpec } from '../../experiment/spec';
import type { Scheduler } from '../../simulation/scheduler';
import { idle, machineOf, POLICIES_6_18, POLICIES_7_3, touchAll } from './testing/guest';
import type { Memory } from './memory';
import type { Process } from './process';

const machine: MachineSpec = {
  ram_pages: 8192, cpus: 2, nodes: 1, swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 16384 }],
};
const start = (memory: Memory, sizePages: number, path = '/'): Process =>
  memory.spawn({ name: 'p', sizePages, fill: 'random', memcg: memory.memcg(path), cpu: 0 });

describe('global reclaim', () => {
  it('keeps free memory between the marks: kswapd in the background, direct reclaim below the low reserve', () => {
    const memory = machineOf(machine);
    memory.swapon('/dev/vdc');
    const process = start(memory, 12000);
    expect(touchAll(memory, process)).toBe(true);
    const { mm } = memory;
    expect(mm.freePages).toBeGreaterThanOrEqual(mm.wmarkMin);
    expect(memory.vmstat('pgsteal_kswapd')).toBeGreaterThan(0);
    expect(memory.vmstat('pageoutrun')).toBeGreaterThan(0);
    idle(memory, 10e9);
    expect(mm.freePages).toBeGreaterThanOrEqual(mm.wmarkHigh);
    expect(process.rssAnonPages + process.swapEntries).toBe(12013);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('calls the OOM killer of the machine when nothing can be reclaimed', () => {
    const memory = machineOf(machine);
    const small = start(memory, 100);
    touchAll(memory, small);
    const large = start(memory, 12000);
    expect(touchAll(memory, large)).toBe(false);
    expect([large.state, small.state]).toEqual(['killed', 'running']);
    expect(memory.vmstat('oom_kill')).toBe(1);
    const text = memory.log.map((line) => line.text);
    expect(text.some((line) => /^oom-kill:constraint=CONSTRAINT_NONE,.*,global_oom,task_memcg=\/,task=p,pid=1002,uid=0$/.test(line))).toBe(true);
    expect(text.at(-1)).toMatch(/^Out of memory: Killed process 1002 \(p\) total-vm:48992kB, anon-rss:\d+kB,/);
    expect(memory.checkInvariants()).toEqual([]);
  });

  it('passes over a cgroup below memory.low while others have something to give', () => {
    const memory = machineOf(machine);
    memory.swapon('/dev/vdc');
    for (const path of ['/a', '/a/quiet', '/a/busy']) memory.createMemcg(path);
    memory.setMemoryMax(memory.memcg('/a'), 2000);
    memory.setMemoryLow(memory.memcg('/a/quiet'), 1000);
    const quiet = start(memory, 800, '/a/quiet');
    touchAll(memory, quiet);
    touchAll(memory, start(memory, 4000, '/a/busy'));
    expect(quiet.swapEntries).toBe(0);
    expect(memory.memcg('/a/quiet').events.low).toBe(0);
    expect(memory.checkInvariants()).toEqual([]);
  });
});

describe('requests of a disk', () => {
  it('join adjacent pages: before they are sent (7.3), or in the block layer (6.18)', () => {
    for (const [policies, merges] of [[POLICIES_7_3, 0], [POLICIES_6_18, 1]] as const) {
      const memory = machineOf(machine, policies);
      memory.swapon('/dev/vdc');
      memory.setThpMode(4, 'always');
      const process = start(memory, 64);
      touchAll(memory, process);
      memory.pageout(process, 0, 64);
      idle(memory, 1e9);
      const [block] = memory.blocks;
      expect(block.writeSectors).toBe(64 * 8);
      // One madvise call, one plug: requests of 32 pages, across the folios of 16.
      expect(block.writeIos).toBe(2);
      expect(block.writeMerges).toBe(merges * 62);
      expect(memory.vmstat('nr_writeback')).toBe(0);
      // Written and unmapped: they leave with the next scan of the old end, not before.
      expect(memory.vmstat('nr_swapcached')).toBe(64);
      expect(memory.vmstat('pgrotated')).toBe(64);
    }
  });

  it('join the single pages of one reclaim pass, and a rotational disk seeks only where it has to', () => {
    const memory = machineOf({
      ...machine, swap: [{ kind: 'partition', name: '/dev/sda', size_pages: 16384, rotational: true }],
    }, POLICIES_6_18, 'linux-6.18');
    memory.swapon('/dev/sda');
    memory.setMemoryMax(memory.createMemcg('/app'), 1000);
    const process = start(memory, 5000, '/app');
    expect(touchAll(memory, process)).toBe(true);
    idle(memory, 10e9);
    const [block] = memory.blocks;
    const pages = block.writeSectors / 8;
    expect(pages).toBeGreaterThan(4000);
    expect(block.writeIos + block.writeMerges).toBe(pages);
    expect(pages / block.writeIos).toBeGreaterThan(16);
    // Slots are handed out in sequence: the head never leaves the track.
    expect(memory.timeline.now).toBeLessThan(11e9);
  });

  it('are waited for when everything left is being written', () => {
    const memory = machineOf(machine);
    memory.swapon('/dev/vdc');
    const app = memory.createMemcg('/app');
    memory.setMemoryMax(app, 200);
    const process = start(memory, 1000, '/app');
    expect(touchAll(memory, process)).toBe(true);
    expect(app.events.oom_kill).toBe(0);
    expect(memory.timeline.now).toBeGreaterThan(800 * memory.mm.costs.deviceWrite(false, true));
    expect(memory.checkInvariants()).toEqual([]);
  });
});

describe('a kernel worker', () => {
  it('does not start again before it has finished what it is doing, however often it is woken', () => {
    const memory = machineOf({ ...machine, swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 16384 }] }, POLICIES_6_18, 'linux-6.18');
    memory.swapon('/dev/zram0');
    const begun = memory.timeline.now;
    touchAll(memory, memory.spawn({ name: 'p', sizePages: 9000, fill: 'pattern', memcg: memory.memcg('/'), cpu: 0 }));
    const stolen = memory.vmstat('pgsteal_kswapd') as number;
    expect(stolen).toBeGreaterThan(100);
    // What kswapd compressed took at least so long; it has run 128 pages ahead at most, those of the piece it is at.
    const { costs } = memory.mm;
    expect((stolen - 128) * costs.compress('lzo-rle', true)).toBeLessThanOrEqual(memory.timeline.now - begun);
  });
});

describe('the zswap shrinker', () => {
  it('works in pieces, so that others run in between', () => {
    const memory = machineOf(machine, POLICIES_6_18, 'linux-6.18');
    memory.swapon('/dev/vdc');
    memory.setZswapEnabled(true);
    memory.setMemoryMax(memory.createMemcg('/app'), 1500);
    const process = memory.spawn({ name: 'p', program: 'usemem', sizePages: 3000, fill: 'pattern', memcg: memory.memcg('/app'), cpu: 0 });
    touchAll(memory, process, 0, 2000);
    const pool = memory.zswap.poolPages;
    memory.setZswapMaxPoolPercent(1);
    for (let page = 2000; page < 3000 && memory.zswap.poolLimitHit === 0; page++) memory.touch(process, page, true);
    const scheduler = memory.timeline as Scheduler;
    let pieces = 0;
    for (let turn = 0; turn < 5000 && scheduler.nextTime() < Infinity; turn++) {
      const before = memory.zswap.writtenBackPages;
      scheduler.run(Infinity, 1);
      const written = memory.zswap.writtenBackPages - before;
      expect(written).toBeLessThanOrEqual(32);
      if (written > 0) pieces++;
    }
    expect(pieces).toBeGreaterThan(3);
    expect(memory.zswap.poolPages).toBeLessThanOrEqual(memory.zswap.thresholdPages(8192));
    expect(pool).toBeGreaterThan(200);
    expect(memory.checkInvariants()).toEqual([]);
  });
});

describe('the OOM killer', () => {
  const two = (sizes: [number, string][]): Process[] => {
    const memory = machineOf({ ...machine, swap: [] }, POLICIES_6_18, 'linux-6.18');
    const app = memory.createMemcg('/app');
    for (const path of ['/app/a', '/app/b']) memory.createMemcg(path);
    const processes = sizes.map(([pages, path]) => start(memory, pages, path));
    for (const process of processes) touchAll(memory, process);
    memory.setMemoryMax(app, 1500);
    expect(memory.checkInvariants()).toEqual([]);
    return processes;
  };

  it('takes the last of equally bad processes, in the order in which the kernel looks at them', () => {
    expect(two([[1000, '/app'], [1000, '/app']]).map((each) => each.state)).toEqual(['running', 'killed']);
    // Cgroup by cgroup: the one that was started first is looked at last.
    expect(two([[1000, '/app/b'], [1000, '/app/a']]).map((each) => each.state)).toEqual(['killed', 'running']);
    expect(two([[1000, '/app'], [600, '/app']]).map((each) => each.state)).toEqual(['killed', 'running']);
  });
});

describe('memory.high', () => {
  const run = (swap: MachineSpec['swap'], high: number, swapHigh?: number): { memory: Memory; ns: number } => {
    const memory = machineOf({ ...machine, swap }, POLICIES_6_18, 'linux-6.18');
    for (const device of swap) memory.swapon(device.name);
    const app = memory.createMemcg('/app');
    memory.setMemoryHigh(app, high);
    if (swapHigh !== undefined) memory.setSwapHigh(app, swapHigh);
    expect(touchAll(memory, start(memory, 2000, '/app'))).toBe(true);
    expect(memory.checkInvariants()).toEqual([]);
    return { memory, ns: memory.timeline.now };
  };
  const zram: MachineSpec['swap'] = [{ kind: 'zram', name: '/dev/zram0', size_pages: 16384 }];

  it('is worked off a batch of 64 at a time, one event each', () => {
    const { memory, ns } = run(zram, 1000);
    const app = memory.memcg('/app');
    // A call reclaims 64 pages, and at most a batch of 32 more.
    expect(app.events.high).toBeGreaterThanOrEqual(Math.floor(1000 / 96));
    expect(app.events.high).toBeLessThanOrEqual(Math.ceil(1100 / 64));
    expect(app.currentPages).toBeLessThanOrEqual(1000 + 64);
    expect(app.swapEvents.high).toBe(0);
    expect(ns).toBeLessThan(0.1e9);
  });

  it('holds the process up when there is nothing to reclaim, the longer the further it is above', () => {
    const near = run([], 1800).ns;
    const far = run([], 1000).ns;
    expect(run([], 2100).ns).toBeLessThan(0.1e9);
    expect(near).toBeGreaterThan(0.1e9);
    expect(far).toBeGreaterThan(10 * near);
    // Never more than 2 s for a batch.
    expect(far).toBeLessThan(2e9 * Math.ceil(1100 / 64) + 1e9);
  });

  it('of swap counts events and holds up in the same way', () => {
    const { memory, ns } = run(zram, 1000, 200);
    expect(memory.memcg('/app').swapEvents.high).toBeGreaterThan(5);
    expect(ns).toBeGreaterThan(1e9);
  });
});

describe('counters of block devices', () => {
  it('are kept apart for swap files of one name', () => {
    const swap: MachineSpec['swap'] = [{ kind: 'file', name: '/a/swap', size_pages: 64 }, { kind: 'file', name: '/b/swap', size_pages: 64 }];
    expect(machineOf({ ...machine, swap }).blocks.map((block) => block.name)).toEqual(['a/swap', 'b/swap']);
  });
});

describe('cgroup.procs', () => {
  it('takes no process that has ended, and moves nobody else', () => {
    const memory = machineOf(machine);
    for (const path of ['/a', '/b']) memory.createMemcg(path);
    const [ended, other] = [start(memory, 10, '/a'), start(memory, 10, '/a')];
    memory.exit(ended.pid, false);
    expect(() => memory.attach(ended.pid, memory.memcg('/b'))).toThrow('No such process');
    expect([memory.memcg('/a').pids, memory.memcg('/b').pids]).toEqual([[other.pid], []]);
    const third = start(memory, 10, '/a');
    memory.attach(other.pid, memory.memcg('/a'));
    expect(memory.memcg('/a').pids).toEqual([other.pid, third.pid]);
    memory.exit(other.pid, false);
    memory.exit(third.pid, false);
    memory.removeMemcg('/a');
    memory.removeMemcg('/b');
  });
});

describe('a removed cgroup', () => {
  it('is gone for good with the last page charged to it, whoever ends the process', () => {
    for (const killed of [false, true]) {
      const memory = machineOf({ ...machine, swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 16384 }] });
      memory.swapon('/dev/zram0');
      const before = memory.liveObjects();
      for (const path of ['/a', '/b', '/c']) memory.createMemcg(path);
      const process = start(memory, 2000, '/a');
      touchAll(memory, process, 0, 1000);
      memory.attach(process.pid, memory.memcg('/b'));
      memory.removeMemcg('/a');
      touchAll(memory, process, 1000);
      memory.pageout(process, 0, 1500);
      memory.attach(process.pid, memory.memcg('/c'));
      memory.removeMemcg('/b');
      if (killed) memory.setMemoryMax(memory.memcg('/c'), 1);
      else memory.exit(process.pid, false);
      memory.exit(process.pid, false);
      memory.forget(process.pid);
      memory.removeMemcg('/c');
      expect(memory.liveObjects()).toBe(before);
      expect(memory.checkInvariants()).toEqual([]);
    }
  });
});

describe('the same operations', () => {
  it('give the same state to the bit', () => {
    const state = (): string => {
      const memory = machineOf(machine);
      memory.swapon('/dev/vdc');
      touchAll(memory, start(memory, 9000));
      const parts: string[] = [];
      memory.digestState((part) => parts.push(typeof part === 'object' ? String(new Uint8Array(part.buffer)) : String(part)));
      return parts.join(';');
    };
    expect(state()).toBe(state());
  });
});
