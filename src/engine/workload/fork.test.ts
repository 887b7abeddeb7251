/** The step fork through a whole machine: slots gain a user, and go with the last one. */
import { describe, expect, it } from 'vitest';
import { createMachine } from '../create-machine';
import type { ExperimentSpec, Step } from '../experiment/spec';
import type { Machine } from '../machine';

const PAGES = 2000;
const KB = PAGES * 4;

const run = (steps: readonly Step[], kernel = 'linux-6.18'): Machine => {
  const spec: ExperimentSpec = {
    format: 'swaplab/experiment', version: 1, title: 't', notes: '', kernel, arms: [], measure: { check_every: 200 }, seeds: [1], claims: [],
    machine: { ram_pages: 65536, cpus: 2, nodes: 1, swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 16384 }] },
    workload: {
      steps: [
        { start: { name: 'hog', program: 'memhog', size_pages: PAGES, fill: 'pattern', hold_s: 60 } }, { wait: 'hog', until: 'touched' },
        { pageout: 'hog', pages: PAGES }, { probe: 'out' }, ...steps,
      ],
    },
  };
  const machine = createMachine(spec);
  while (!machine.advance(Infinity, 333).done);
  expect(machine.checkInvariants()).toEqual([]);
  return machine;
};

describe.each(['linux-6.1', 'linux-6.12', 'linux-6.18', 'linux-7.2', 'linux-7.3'])('fork on %s', (kernel) => {
  const used = (machine: Machine, probe: string): number => Number(machine.measure()[`${probe}.swap.used_kB`]);

  it('takes no slot and no page; slots live as long as one of the two names them', () => {
    const machine = run([
      { fork: 'hog', as: 'child', hold_s: 30 }, { wait: 'child', until: 'done' }, { probe: 'forked' }, { kill: 'hog' }, { probe: 'one' },
      { kill: 'child' }, { sleep: 1 }, { probe: 'none' },
    ], kernel);
    expect(machine.failure()).toBeUndefined();
    // Kernels with a slot cache take slots 64 at a time.
    const out = used(machine, 'out');
    expect(out - KB).toBeLessThan(256);
    expect([used(machine, 'forked'), used(machine, 'one')]).toEqual([out, out]);
    // Single frees wait in a slot cache on kernels that have one.
    expect(used(machine, 'none')).toBeLessThanOrEqual(kernel === 'linux-6.1' || kernel === 'linux-6.12' ? 256 : 0);
    expect(machine.tasks().map((task) => [task.name, task.sizePages, task.state])).toEqual([['hog', PAGES, 'killed'], ['child', PAGES, 'killed']]);
  });

  it('a child that writes to all of it has pages of its own, and the parent keeps its slots', () => {
    const machine = run([
      { fork: 'hog', as: 'child', touch: 'write', cpu: 1, hold_s: 30 }, { wait: 'child', until: 'done' }, { probe: 'written' },
      { kill: 'child' }, { probe: 'left' }, { kill: 'hog' },
    ], kernel);
    expect(machine.failure()).toBeUndefined();
    expect(used(machine, 'written')).toBe(used(machine, 'out'));
    expect(Number(machine.measure()['written.meminfo.AnonPages_kB'])).toBeGreaterThanOrEqual(KB);
    expect(used(machine, 'left')).toBe(used(machine, 'out'));
  });
});

describe('a fork that cannot be', () => {
  it.each<[Step[], string]>([
    [[{ kill: 'hog' }, { fork: 'hog', as: 'child' }], 'ESRCH'],
    [[{ fork: 'hog', as: 'child' }, { fork: 'hog', as: 'child' }], 'EEXIST'],
    [[{ fork: 'hog', as: 'child', cpu: 7 }], 'EINVAL'],
    [[{ start: { name: 'many', program: 'usemem', size_pages: 8, fill: 'zero', copies: 2 } }, { fork: 'many', as: 'child' }], 'EINVAL'],
  ])('%j ends with %s', (steps, errno) => {
    expect(run(steps).failure()).toContain(errno);
  });
});
