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
const ALL = { type: 0, from: 0, to: Infinity, cells: 1000 };
const inUse = (machine: Machine, at?: number): number => (machine.clusters({ ...ALL, at })?.used ?? new Float64Array()).reduce((a, b) => a + b, 0);

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
      expect(a?.recorded).toBe(true);
    }
    expect(inUse(whole, 1.5e9)).toBeGreaterThan(6000);
    expect(plain.clusters({ ...ALL, at: 5 })).toBeUndefined();
  });

  it('the present adds up with /proc/swaps, and each slot of a cluster says what it holds', () => {
    const machine = createMachine(spec, 1);
    machine.advance(1e9, Infinity);
    const used = machine.devices()[0].usedPages;
    // The header is in use by count and no page.
    expect(inUse(machine)).toBe(used + 1);
    const zswap: number[] = [];
    for (let cluster = 0; cluster < 32; cluster++) {
      const slots = machine.clusters({ ...ALL, slotsOf: cluster })?.slots as Uint8Array;
      zswap.push(slots.filter((state) => state === SLOT_STATE.zswap).length);
      expect(slots[0] === SLOT_STATE.unusable).toBe(cluster === 0);
    }
    const stored = machine.counters()['meminfo.Zswapped_kB'] / 4;
    expect(stored).toBeGreaterThan(1000);
    expect(zswap.reduce((a, b) => a + b)).toBe(stored);
    expect(machine.clusters({ ...ALL, type: 3 })).toBeUndefined();
    expect(machine.clusters({ ...ALL, slotsOf: 32 })?.slots).toBeUndefined();
  });
});
