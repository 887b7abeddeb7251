/** Programs through a whole machine: what they touch, report and print, and how the script waits for them. */
import { describe, expect, it } from 'vitest';
import { createMachine } from '../create-machine';
import type { ExperimentSpec, KernelSpec, MeasureSpec, ProgramSpec, Step } from '../experiment/spec';
import type { Machine } from '../machine';

interface More { kernel?: KernelSpec; measure?: MeasureSpec; scale?: number; pages?: number }
const specOf = (steps: readonly Step[], more: More = {}): ExperimentSpec => ({
  format: 'swaplab/experiment', version: 1, title: 't', notes: '', ...(more.scale === undefined ? {} : { scale: more.scale }),
  machine: {
    ram_pages: 65536, cpus: 4, nodes: 1, thp: { '64kB': 'always' },
    swap: [
      { kind: 'zram', name: '/dev/zram0', size_pages: more.pages ?? 16384 }, { kind: 'partition', name: '/dev/vdb', size_pages: 16384, on: false },
    ],
    cgroups: [{ path: '/app', set: { 'memory.max': '8388608' } }],
  },
  kernel: more.kernel ?? 'linux-6.18', workload: { steps }, arms: [], measure: more.measure ?? {}, seeds: [1], claims: [],
});
const program = (more: Partial<ProgramSpec>): Step => (
  { start: { name: 'p', program: 'usemem', size_pages: 4096, fill: 'pattern', cgroup: '/app', hold_s: 1, ...more } }
);
const finish = (machine: Machine): Machine => {
  while (!machine.advance(Infinity, 5000).done);
  return machine;
};
const run = (spec: ExperimentSpec, seed = 1): Machine => {
  const machine = finish(createMachine(spec, seed));
  expect(machine.failure()).toBeUndefined();
  expect(machine.checkInvariants()).toEqual([]);
  return machine;
};

describe('random_access', () => {
  const access = (law: 'uniform' | 'zipf', writes: number): Step =>
    program({ program: 'random_access', access: { count: 20_000, write_percent: writes, law } });
  const steps = (law: 'uniform' | 'zipf', writes: number): Step[] => [
    access(law, writes), { wait: 'p', until: 'touched' }, { probe: 'filled' }, { wait: 'p', until: 'done' }, { probe: 'done' }, { kill: 'p' },
  ];
  const faults = (machine: Machine): number =>
    Number(machine.measure()['done.vmstat.pgmajfault']) - Number(machine.measure()['filled.vmstat.pgmajfault']);

  it('finds half of a uniform law in memory, and more of a zipf law', () => {
    const uniform = faults(run(specOf(steps('uniform', 30))));
    expect(uniform / 20_000).toBeGreaterThan(0.45);
    expect(uniform / 20_000).toBeLessThan(0.56);
    expect(faults(run(specOf(steps('zipf', 30))))).toBeLessThan(uniform / 2);
  });

  it('gives another run for another seed, the same for the same', () => {
    const digest = (seed: number): string => run(specOf(steps('zipf', 30)), seed).digest();
    expect(digest(1)).toBe(digest(1));
    expect(digest(1)).not.toBe(digest(2));
  });

  it('pauses between fill and accesses, so that the script can act', () => {
    const paused = program({ program: 'random_access', cgroup: '/', access: { count: 5000, write_percent: 100, law: 'uniform', pause_s: 3 } });
    const machine = run(specOf([
      paused, { wait: 'p', until: 'touched' }, { pageout: 'p', pages: 4096 }, { probe: 'out' },
      { wait_used: 2000, rule: 'at-most' }, { probe: 'half' }, { kill: 'p' },
    ]));
    const values = machine.measure();
    expect(values['out.swap.used_kB']).toBe(16384);
    expect(Number(values['out.time.elapsed_s'])).toBeLessThan(3);
    expect(Number(values['half.time.elapsed_s'])).toBeGreaterThan(3);
    expect(Number(values['half.swap.used_kB'])).toBeLessThanOrEqual(8000);
    expect(Number(values['half.swap.used_kB'])).toBeGreaterThan(7900);
  });
});

describe('copies', () => {
  it('run on the next CPUs, are waited for and killed together', () => {
    const machine = run(specOf([
      program({ copies: 6, cpu: 2, size_pages: 1000 }), { wait: 'p', until: 'touched' },
      { pageout: 'p', pages: 5500 }, { probe: 'out' }, { kill: 'p' },
    ]));
    expect(machine.tasks().map((task) => [task.name, task.state, task.touchedPages])).toEqual(
      [1, 2, 3, 4, 5, 6].map((i) => [`p.${i}`, 'killed', 1000]),
    );
    expect(machine.measure()['out.swap.used_kB']).toBe(22000);
  });

  it('end a wait for the end only when the last has ended', () => {
    const machine = run(specOf([program({ copies: 2, size_pages: 100 }), { wait: 'p', until: 'ended' }, { probe: 'over' }]));
    expect(machine.tasks().every((task) => task.state === 'ended')).toBe(true);
    expect(machine.measure()['over.meminfo.AnonPages_kB']).toBe(0);
  });
});

describe('wait_used', () => {
  it('goes on within one reclaim batch of the use asked for', () => {
    const machine = run(specOf([program({}), { wait_used: 1000 }, { probe: 'reached' }, { kill: 'p' }]));
    const used = Number(machine.measure()['reached.swap.used_kB']) / 4;
    expect(used).toBeGreaterThanOrEqual(1000);
    expect(used).toBeLessThan(1064);
  });

  it('is a failure that says so when it can never come about', () => {
    const machine = finish(createMachine(specOf([program({ size_pages: 100 }), { wait_used: 9000 }])));
    expect(machine.failure()).toBe(
      'workload.steps[1] (wait until at least 9000 pages of swap are in use): waits for ever, since nothing runs any more',
    );
  });
});

describe('thp_swap_allocator_test', () => {
  const churn = (options: object): Step[] => [
    program({ program: 'thp_swap_allocator_test', cgroup: '/', size_pages: 15360, churn: { rounds: 2, ...options } }),
    { wait: 'p', until: 'ended' },
  ];

  it('reports and prints its rounds as the tool does', () => {
    const machine = run(specOf(churn({ aligned: true }), { kernel: 'linux-6.10' }));
    const line = 'Iteration 1: swpout inc: 32, swpout fallback inc: 192, Fallback percentage: 85.71%';
    expect(machine.output(0)).toEqual([`p: ${line}`, 'p: Iteration 2: swpout inc: 0, swpout fallback inc: 231, Fallback percentage: 100.00%']);
    expect(machine.measure()).toMatchObject({
      'program.p.round.1.line': line, 'program.p.round.1.swpout': 32, 'program.p.round.1.fallback': 192, 'program.p.rounds': 2,
      'program.p.swpout': 32, 'program.p.fallback': 423, 'program.p.percent.max': 100, 'program.p.rounds_with_fallback': 2,
    });
  });

  it('has a fifteenth more of small folios with -s', () => {
    expect(run(specOf(churn({ small: true }))).tasks()[0].sizePages).toBe(16384);
  });

  it('is scaled as a whole', () => {
    const machine = run(specOf(churn({}), { scale: 4, pages: 16384 }));
    expect(machine.tasks()[0].sizePages).toBe(3840);
    expect(machine.measure()['program.p.rounds']).toBe(2);
  });
});

describe('the checker in a run', () => {
  const disk: Step[] = [
    { swapoff: '/dev/zram0' }, { swapon: '/dev/vdb' }, program({ cgroup: '/', size_pages: 8192 }), { wait: 'p', until: 'touched' },
    { pageout: 'p', pages: 8192 }, { kill: 'p' }, { sleep: 1 },
  ];
  const spec = (defects: string): ExperimentSpec => {
    const plain = specOf(disk, { kernel: { base: 'linux-6.12', set: { defects } }, measure: { check_every: 500 } });
    const [zram, partition] = plain.machine.swap;
    return { ...plain, machine: { ...plain.machine, thp: { '2048kB': 'always' }, swap: [zram, { ...partition, discard: 'pages' }] } };
  };

  it('stops at the first finding where a known defect is on, and names it', () => {
    const machine = finish(createMachine(spec('discard-of-full-cluster')));
    expect(machine.failure()).toBeUndefined();
    const values = machine.measure();
    expect(values['checker.violations']).toBeGreaterThan(0);
    expect(values['checker.first']).toContain('is marked as on the free list and is on no list');
    expect(machine.marks(0).at(-1)?.label).toBe(`invariant checker: ${String(values['checker.first'])}`);
  });

  it('finds nothing without it, however the run is sliced', () => {
    const digests = [1, 77, 5000, Infinity].map((operations) => {
      const machine = createMachine(spec('none'));
      while (!machine.advance(Infinity, operations).done);
      expect(machine.failure()).toBeUndefined();
      expect(machine.measure()).toMatchObject({ 'checker.violations': 0 });
      expect(machine.measure()['checker.walks']).toBeGreaterThan(10);
      return machine.digest();
    });
    expect(new Set(digests).size).toBe(1);
  });
});
