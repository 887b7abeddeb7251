/** Looking on changes nothing, and what is told is what happened. */
import { describe, expect, it } from 'vitest';
import { createMachine } from './create-machine';
import type { ExperimentSpec, KernelSpec } from './experiment/spec';
import { CHUNK, partsWithin } from './kernel/swap/allocation-chain';
import { kernelIds } from './kernel/swap/registry';
import type { SwapGoal, SwapMoment } from './kernel/swap/moment';
import type { Machine } from './machine';

/** A hog of 8 MiB under 3 MiB, on two zram devices that large folios take. */
const spec = (kernel: KernelSpec): ExperimentSpec => ({
  format: 'swaplab/experiment', version: 1, title: 'a hog', notes: '',
  machine: {
    ram_pages: 65536, cpus: 2, nodes: 1, thp: { '64kB': 'always' },
    swap: [
      { kind: 'zram', name: '/dev/zram0', size_pages: 5632, priority: 5 },
      { kind: 'zram', name: '/dev/zram1', size_pages: 5632, priority: 5 },
    ],
    cgroups: [{ path: '/app', set: { 'memory.max': '3145728' } }],
  },
  kernel,
  workload: {
    steps: [
      { start: { name: 'hog', program: 'usemem', size_pages: 2048, fill: 'pattern', cgroup: '/app', hold_s: 1 } },
      { wait: 'hog', until: 'ended' },
    ],
  },
  arms: [], measure: {}, seeds: [1], claims: [],
});

const toEnd = (machine: Machine): Machine => {
  while (!machine.advance(Number.MAX_SAFE_INTEGER, 1e6).done);
  return machine;
};
/** All moments of a goal, to the end of the run. */
function all(machine: Machine, goal: SwapGoal): SwapMoment[] {
  const moments: SwapMoment[] = [];
  for (;;) {
    const { moment, done } = machine.seekMoment(goal, 1e6);
    if (moment !== undefined) moments.push(moment);
    else if (done) return moments;
  }
}

describe.each(kernelIds())('%s', (kernel) => {
  it('is the same run whether somebody looks on or not, and every request is told once', () => {
    const plain = createMachine(spec(kernel));
    const watched = createMachine(spec(kernel));
    plain.requests();
    watched.requests();
    const moments = all(watched, { kind: 'any' });
    toEnd(plain);
    expect(toEnd(watched).digest()).toBe(plain.digest());
    expect(watched.checkInvariants()).toEqual([]);
    const requests = moments.filter((moment) => moment.kind !== 'free');
    expect(requests).toHaveLength(plain.requests().count);
    expect(watched.requests()).toEqual(plain.requests());
    expect(requests.length).toBeGreaterThan(100);
    for (const moment of moments) expect(moment.decisions.length, JSON.stringify(moment)).toBeGreaterThan(0);
  });
});

it('tells the decisions of a request in words, with the lists around it', () => {
  const machine = createMachine(spec('linux-6.18'));
  const first = machine.seekMoment({ kind: 'allocation', order: 4 }, 1e6).moment;
  expect(first).toMatchObject({ kind: 'allocation', cpu: 0, order: 4, device: '/dev/zram1', priority: 5, offset: 512, cluster: 1, slots: 16 });
  expect(first?.decisions).toEqual([
    'CPU 0 remembers no cluster of order 4',
    '/dev/zram1 moves behind 1 device of the same rank for the next request',
    'asked /dev/zram1 (priority 5, 0 of 5631 pages in use)',
    'nonfull[4] of /dev/zram1 is empty',
    'took slots 512 to 527 in cluster 1 of /dev/zram1, from free; the cluster is on frag[4] now',
  ]);
  expect(first?.before[1]?.lists.find((list) => list.name === 'free')).toMatchObject({ clusters: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], more: false });
  expect(first?.after[1]?.lists.find((list) => list.name === 'frag[4]')).toEqual({ name: 'frag[4]', clusters: [1], more: false });
});

it('runs to a breakpoint', () => {
  const machine = createMachine(spec('linux-6.18'));
  const { moment } = machine.seekMoment({ kind: 'any', type: 1, cluster: 1, order: 4 }, 1e7);
  expect(moment).toMatchObject({ device: '/dev/zram1', cluster: 1, order: 4, slots: 16 });
  expect(machine.seekMoment({ kind: 'any', priority: 9 }, 1e7)).toMatchObject({ done: true });
});

it('finds the first request at which two kernels part', () => {
  const [a, b] = ['linux-6.18', { base: 'linux-6.18', set: { clusterPreference: 'free-first' } }] as const;
  const [first, other] = [a, b].map((kernel) => {
    const machine = createMachine(spec(kernel));
    machine.requests();
    return toEnd(machine).requests();
  });
  expect(partsWithin(first, first)).toBe(-1);
  const from = partsWithin(first, other);
  const kept = [a, b].map((kernel) => {
    const machine = createMachine(spec(kernel));
    machine.keepRequests(from, from + CHUNK);
    return toEnd(machine).keptRequests();
  });
  if (from < 0) expect(first).toEqual(other);
  else expect(kept[0].map((m) => [m.type, m.offset])).not.toEqual(kept[1].map((m) => [m.type, m.offset]));
});
