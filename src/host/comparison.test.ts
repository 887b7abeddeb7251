import { expect, it } from 'vitest';
import { createMachine } from '../engine/create-machine';
import type { ExperimentSpec } from '../engine/experiment/spec';
import type { CompareRequest, CompareResult } from '../contract/compare';
import { Comparison } from './comparison';

/** Two zram devices under the default priority: 6.18 counts down, 7.3 takes turns. */
const SPEC: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'two devices', notes: '',
  machine: {
    ram_pages: 65536, cpus: 1, nodes: 1,
    swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 8192 }, { kind: 'zram', name: '/dev/zram1', size_pages: 8192 }],
    cgroups: [{ path: '/app', set: { 'memory.max': '3145728' } }],
  },
  kernel: 'linux-6.18',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'usemem', size_pages: 6000, fill: 'pattern', cgroup: '/app', hold_s: 1 } },
      { wait: 'hog', until: 'ended' },
    ],
  },
  arms: [{ name: 'as it is' }, { name: '7.3', set: { kernel: 'linux-7.3' } }], measure: {}, seeds: [1], claims: [],
};

function make(): Comparison {
  return new Comparison({
    createMachine, now: () => performance.now(),
    schedule: (callback) => {
      const immediate = setImmediate(callback);
      return () => clearImmediate(immediate);
    },
  });
}

async function compared(comparison: Comparison, request: CompareRequest): Promise<CompareResult> {
  comparison.start(request);
  expect(comparison.status().state).toBe('running');
  while (comparison.status().state === 'running') await new Promise((resolve) => setTimeout(resolve, 5));
  expect(comparison.status().message).toBeUndefined();
  const result = comparison.result();
  if (result === undefined) throw new Error(`it ended as ${comparison.status().state}`);
  return result;
}

it('runs the arms, and finds the very request at which each parts from the first', async () => {
  const result = await compared(make(), {
    spec: SPEC, seed: 1, arms: [{ name: 'A', arm: 'as it is' }, { name: 'B', arm: '7.3' }, { name: 'C', kernel: 'linux-6.18' }],
  });
  expect(result.arms.map((arm) => [arm.name, arm.kernel, arm.failure])).toEqual([
    ['A', 'linux-6.18', undefined], ['B', 'linux-7.3', undefined], ['C', 'linux-6.18', undefined],
  ]);
  expect(result.arms[2]?.digest).toBe(result.arms[0]?.digest);
  const [other, alike] = result.partings;
  expect(alike).toEqual({ name: 'C', request: -1 });
  // Both fill the first cluster of zram0, which holds 511 slots; then 7.3 turns to zram1.
  expect(other?.request).toBe(511);
  expect(other?.first).toMatchObject({ kind: 'allocation', device: '/dev/zram0', offset: 512 });
  expect(other?.other).toMatchObject({ kind: 'allocation', device: '/dev/zram1', offset: 1 });
});

it('says which arm cannot be built, and runs nothing', () => {
  const comparison = make();
  const arms = [{ name: 'A' }, { name: 'B', kernel: { base: 'linux-6.18', set: { selection: 'by colour' } } }];
  expect(() => comparison.start({ spec: SPEC, seed: 1, arms })).toThrow(/^B: .*selection/);
  expect(() => comparison.start({ spec: SPEC, seed: 1, arms: [{ name: 'A' }] })).toThrow('2 to 6 arms');
  expect(comparison.status().state).toBe('empty');
});

it('can be called off', async () => {
  const comparison = make();
  comparison.start({ spec: SPEC, seed: 1, arms: [{ name: 'A' }, { name: 'B', arm: '7.3' }] });
  comparison.cancel();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(comparison.status().state).toBe('cancelled');
  expect(comparison.result()).toBeUndefined();
});
