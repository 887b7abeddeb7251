import { expect, it } from 'vitest';
import type { SwapDeviceSpec } from '../../experiment/spec';
import { LIST, offsetOf } from '../swap/types';
import type { Memory } from './memory';
import { isResident } from './process';
import { machineOf, POLICIES_6_18, touchAll } from './testing/guest';

const machine = (kernel: string, device: SwapDeviceSpec): Memory => {
  const memory = machineOf({ ram_pages: 16384, cpus: 1, nodes: 1, swap: [device] }, POLICIES_6_18, kernel, '6.18.15');
  memory.createMemcg('/app');
  memory.swapon(device.name);
  return memory;
};

const freeOnes = (memory: Memory): number => {
  const device = memory.swap.view(0);
  return memory.swap.clusters(0, 0, device.clusters).filter((cluster) => cluster.list === LIST.free).length;
};

it('slots and runs of reclaim: long runs on an empty device, short ones among holes', () => {
  const memory = machine('linux-6.18', { kind: 'zram', name: '/dev/zram0', size_pages: 512 });
  const app = memory.memcg('/app');
  const process = memory.spawn({ name: 'p', sizePages: 512, fill: 'pattern', memcg: app, cpu: 0 });
  // MADV_PAGEOUT is no reclaim.
  touchAll(memory, process, 0, 64);
  memory.pageout(process, 0, 64);
  expect(memory.reclaimBatches).toEqual({ slots: 0, runs: 0 });
  memory.drop(process, 0, 64);
  touchAll(memory, process);
  const taken: number[] = [];
  const alloc = memory.swap.alloc.bind(memory.swap);
  memory.swap.alloc = (cpu, order) => {
    const entry = alloc(cpu, order);
    if (entry !== 0) taken.push(entry);
    return entry;
  };
  /** Slots, their runs as counted, and the breaks in their order whatever the passes were. */
  const reclaim = (pages: number): { slots: number; runs: number; breaks: number } => {
    const before = { ...memory.reclaimBatches };
    taken.length = 0;
    memory.reclaim(app, pages);
    const breaks = taken.filter((entry, i) => i === 0 || entry !== (taken[i - 1] ?? 0) + 1).length;
    expect(memory.reclaimBatches.slots - before.slots).toBe(taken.length);
    return { slots: taken.length, runs: memory.reclaimBatches.runs - before.runs, breaks };
  };
  const empty = reclaim(128);
  expect(empty.breaks).toBe(1);
  // A pass looks at 32 folios at most.
  expect(empty.runs).toBeGreaterThanOrEqual(empty.slots / 32);
  expect(empty.slots / empty.runs).toBeGreaterThan(8);
  // Nearly full, and every second slot free again.
  memory.pageout(process, 0, 512, 480);
  for (let page = 0; page < 480; page += 2) {
    memory.drop(process, page, page + 1);
    touchAll(memory, process, page, page + 1);
  }
  const holes = reclaim(96);
  expect(holes.runs).toBeGreaterThanOrEqual(holes.breaks);
  expect(holes.slots / holes.runs).toBeLessThan(2);
  expect(memory.checkInvariants()).toEqual([]);
  expect(memory.swap.checkInvariants()).toEqual([]);
});

it('a folio that is split for want of a run is written page by page, right behind its head', () => {
  // A swap file takes no large folio.
  const memory = machine('linux-6.18', { kind: 'file', name: '/swapfile', size_pages: 512 });
  memory.setThpMode(4, 'always');
  const process = memory.spawn({ name: 'p', sizePages: 128, fill: 'pattern', memcg: memory.memcg('/app'), cpu: 0 });
  touchAll(memory, process);
  const slots: number[] = [];
  for (let tries = 0; tries < 4 && memory.thpStat(4, 'swpout_fallback') < 2; tries++) memory.reclaim(memory.memcg('/app'), 32);
  expect(memory.thpStat(4, 'swpout_fallback')).toBeGreaterThanOrEqual(2);
  for (let page = 0; page < 32; page++) {
    const pte = process.pte[page];
    expect(isResident(pte)).toBe(false);
    slots.push(offsetOf(pte));
  }
  expect(slots).toEqual(Array.from({ length: 32 }, (_, i) => slots[0] + i));
});

it.each(['linux-6.1', 'linux-6.12', 'linux-6.18', 'linux-7.3', 'priority-queues'])('%s: free clusters are counted as they come and go', (kernel) => {
  const memory = machine(kernel, { kind: 'partition', name: '/dev/vdc', size_pages: 8192, discard: 'pages' });
  expect(memory.swap.view(0).freeClusters).toBe(15);
  const process = memory.spawn({ name: 'p', sizePages: 4000, fill: 'pattern', memcg: memory.root, cpu: 0 });
  touchAll(memory, process);
  memory.pageout(process, 0, 4000);
  const full = memory.swap.view(0).freeClusters;
  expect(full).toBeLessThanOrEqual(15 - 4000 / 512);
  expect(full).toBe(freeOnes(memory));
  memory.exit(process.pid, false);
  expect(memory.swap.view(0).freeClusters).toBe(freeOnes(memory));
  expect(memory.swap.checkInvariants()).toEqual([]);
});
