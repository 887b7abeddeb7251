import { describe, expect, it } from 'vitest';
import { createMachine } from '../create-machine';
import type { ExperimentSpec } from '../experiment/spec';
import { SLOT_STATE, type Machine } from '../machine';

const spec: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'clusters', notes: '',
  machine: {
    ram_pages: 32768, cpus: 2, nodes: 1, zswap: { enabled: true },
    swap: [{ kind: 'partition', name: '/dev/vdb', size_pages: 16384 }], cgroups: [{ path: '/app', set: { 'memory.max': '16777216' } }],
  },
  kernel: 'linux-6.18',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'memhog', size_pages: 12000, fill: 'pattern', cgroup: '/app', hold_s: 2 } },
      { wait: 'hog', until: 'ended' },
    ],
  },
  arms: [], measure: {}, seeds: [1], claims: [],
};
const ALL = { from: 0, to: Infinity, cells: 1000 };
const inUse = (machine: Machine, at?: number): number => machine.clusters({ ...ALL, at }).used.reduce((a, b) => a + b, 0);

describe('clusters of a machine', () => {
  it('recording changes nothing, and does not depend on slices', () => {
    const plain = createMachine(spec, 1);
    while (!plain.advance(Infinity, 100_000).done);
    const whole = createMachine(spec, 1);
    whole.recordClusters();
    while (!whole.advance(Infinity, 1e9).done);
    const sliced = createMachine(spec, 1);
    sliced.recordClusters();
    for (let until = 1e6; !sliced.advance(until, 777).done;) until = Math.max(until, sliced.now()) + 3_333_333;
    expect([whole.digest(), sliced.digest()]).toEqual([plain.digest(), plain.digest()]);
    for (let at = 0; at < whole.now(); at += 7_777_777) {
      const [a, b] = [whole.clusters({ ...ALL, at }), sliced.clusters({ ...ALL, at })];
      expect(b).toEqual(a);
      expect(a.recorded).toBe(true);
      expect(a.total).toBe(32);
    }
    expect(inUse(whole, 1.5e9)).toBeGreaterThan(6000);
    expect(plain.clusters({ ...ALL, at: 5 })).toMatchObject({ total: 0, stretches: [], recorded: true });
  });

  it('the present adds up with /proc/swaps, and each slot of a cluster says what it holds', () => {
    const machine = createMachine(spec, 1);
    machine.advance(1e9, Infinity);
    const used = machine.devices()[0].usedPages;
    // The header is in use by count and no page.
    expect(inUse(machine)).toBe(used + 1);
    const zswap: number[] = [];
    for (let cluster = 0; cluster < 32; cluster++) {
      const slots = machine.clusters({ ...ALL, slotsOf: { device: '/dev/vdb', cluster } }).slots as Uint8Array;
      zswap.push(slots.filter((state) => state === SLOT_STATE.zswap).length);
      expect(slots[0] === SLOT_STATE.unusable).toBe(cluster === 0);
    }
    const stored = machine.counters()['meminfo.Zswapped_kB'] / 4;
    expect(stored).toBeGreaterThan(1000);
    expect(zswap.reduce((a, b) => a + b)).toBe(stored);
    expect(machine.clusters({ ...ALL, device: '/dev/vdc' }).total).toBe(0);
    expect(machine.clusters({ ...ALL, slotsOf: { device: '/dev/vdb', cluster: 32 } }).slots).toBeUndefined();
    expect(machine.clusters({ ...ALL, slotsOf: { device: '/dev/vdc', cluster: 0 } }).slots).toBeUndefined();
  });

  it('a device that is off again can be looked back at, by its name', () => {
    const machine = createMachine({
      ...spec,
      machine: { ...spec.machine, zswap: undefined, swap: [...spec.machine.swap, { kind: 'partition', name: '/dev/vdc', size_pages: 4096 }] },
      workload: { steps: [...spec.workload.steps, { swapoff: '/dev/vdb' }, { sleep: 1 }] },
    }, 1);
    machine.recordClusters();
    while (!machine.advance(Infinity, 1e9).done);
    const now = machine.clusters(ALL);
    expect(now.devices).toEqual([{ name: '/dev/vdc', on: true }, { name: '/dev/vdb', on: false }]);
    expect(now.stretches.map(({ name, type }) => [name, type])).toEqual([['/dev/vdc', 1]]);
    expect(machine.clusters({ ...ALL, at: 1.5e9 }).stretches.map(({ name, base }) => [name, base])).toEqual([['/dev/vdb', 0], ['/dev/vdc', 32]]);
    const then = machine.clusters({ ...ALL, device: '/dev/vdb', at: 1.5e9 });
    expect(then.total).toBe(32);
    expect(then.used.reduce((a, b) => a + b)).toBeGreaterThan(6000);
    expect(machine.clusters({ ...ALL, device: '/dev/vdb' }).total).toBe(0);
  });
});
