import { describe, expect, it } from 'vitest';
import type { MachineSpec } from '../../experiment/spec';
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
      expect(block.writeIos).toBe(4);
      expect(block.writeMerges).toBe(merges * 60);
      expect(memory.vmstat('nr_writeback')).toBe(0);
      // Written and unmapped: they leave with the next scan of the old end, not before.
      expect(memory.vmstat('nr_swapcached')).toBe(64);
      expect(memory.vmstat('pgrotated')).toBe(64);
    }
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
