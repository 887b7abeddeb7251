/** Churn and random access on random machines and compositions of policies, changed while they run: sums, replay and an end. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { experimentText } from '../../contract/canonical';
import { checkExperiment, openExperiment } from '../../contract/gate';
import { createMachine, MachineBuildError } from '../create-machine';
import { KernelError } from '../errno';
import type { ExperimentSpec, KernelSpec, MachineSpec, ProgramSpec, Step, SwapDeviceSpec, WorkloadEvent } from '../experiment/spec';
import { anyKernel } from '../kernel/swap/testing/random-machine';
import { kernelIds, policiesOf } from '../kernel/swap/registry';
import type { Machine } from '../machine';
import type { Scheduler } from '../simulation/scheduler';

const RUNS = 80;
/** Operations after which a machine that should have ended has hung. */
const MOST = 400_000;
const ALL = Number.MAX_SAFE_INTEGER;

const THP = '/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled';
const ZSWAP = '/sys/module/zswap/parameters/enabled';
const XSWAP = '/sys/kernel/mm/xswap';
const GROUP = '/sys/fs/cgroup/app';
const DEVICES = ['/dev/zram0', '/dev/zram1', '/dev/vdb', '/dev/vdc'] as const;

const kernels: fc.Arbitrary<KernelSpec> = fc.oneof(fc.constantFrom(...kernelIds()), anyKernel);

const place = { priority: fc.nat(2), on: fc.boolean(), node: fc.nat(1) };
const device: fc.Arbitrary<SwapDeviceSpec> = fc.oneof(
  fc.record({
    kind: fc.constant('zram' as const), name: fc.constantFrom('/dev/zram0', '/dev/zram1'), size_pages: fc.constantFrom(10, 600, 1024, 2048), ...place,
  }, { requiredKeys: ['kind', 'name', 'size_pages'] }),
  fc.record({
    kind: fc.constantFrom('partition' as const, 'file' as const), name: fc.constantFrom('/dev/vdb', '/dev/vdc'),
    size_pages: fc.constantFrom(10, 513, 1500, 4096), ...place,
    rotational: fc.boolean(), discard: fc.constantFrom('none' as const, 'once' as const, 'pages' as const),
  }, { requiredKeys: ['kind', 'name', 'size_pages'] }),
);

const machines: fc.Arbitrary<MachineSpec> = fc.record({
  ram_pages: fc.constantFrom(512, 1024, 2048),
  cpus: fc.integer({ min: 2, max: 3 }),
  nodes: fc.constant(2),
  swap: fc.uniqueArray(device, { selector: ({ name }) => name, maxLength: 3 }),
  zswap: fc.record({ enabled: fc.boolean(), max_pool_percent: fc.constantFrom(0, 1, 20, 100) }),
  thp: fc.dictionary(fc.constantFrom('64kB', '2048kB'), fc.constantFrom('always' as const, 'never' as const), { noNullPrototype: true }),
  cgroups: fc.constantFrom(
    [{ path: '/app' }],
    ...[['max', '1200000'], ['swap.max', '0'], ['high', '400000']].map(([file, text]) => [{ path: '/app', set: { [`memory.${file}`]: text } }]),
  ),
  swappiness: fc.constantFrom(0, 60, 200),
  page_cluster: fc.constantFrom(0, 3, 5),
}, { requiredKeys: ['ram_pages', 'cpus', 'nodes', 'swap', 'cgroups'] });

const common = {
  fill: fc.constantFrom('pattern' as const, 'zero' as const, 'random' as const),
  cgroup: fc.constant('/app'), cpu: fc.nat(1), hold_s: fc.constantFrom(0, 0.001, 2), copies: fc.integer({ min: 1, max: 3 }),
};
const program = (name: string): fc.Arbitrary<ProgramSpec> => fc.oneof(
  fc.record({
    ...common, name: fc.constant(name), program: fc.constant('thp_swap_allocator_test' as const), size_pages: fc.constantFrom(240, 480, 960),
    churn: fc.record({ aligned: fc.boolean(), small: fc.boolean(), rounds: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: ['rounds'] }),
  }, { requiredKeys: ['name', 'program', 'size_pages', 'fill', 'churn'] }),
  fc.record({
    ...common, name: fc.constant(name), program: fc.constant('random_access' as const), size_pages: fc.constantFrom(1, 2, 300, 1500, 3000),
    access: fc.record({
      count: fc.constantFrom(1, 500, 4000), write_percent: fc.constantFrom(0, 30, 100),
      law: fc.constantFrom('uniform' as const, 'zipf' as const), pause_s: fc.constantFrom(0, 1e-9, 0.5),
    }, { requiredKeys: ['count', 'write_percent', 'law'] }),
  }, { requiredKeys: ['name', 'program', 'size_pages', 'fill', 'access'] }),
);

const scripts: fc.Arbitrary<Step[]> = fc.tuple(program('p'), program('q'), fc.subarray<Step>([
  { sleep: 0.01 }, { pageout: 'p', pages: 500 }, { wait: 'p', until: 'touched' }, { probe: 'one' }, { wait: 'q', until: 'done' }, { probe: 'two' },
])).map(([p, q, between]) => [{ start: p }, { start: q }, ...between]);

const writes = (paths: readonly string[], texts: readonly string[]): fc.Arbitrary<Step> =>
  fc.record({ write: fc.constantFrom(...paths), text: fc.constantFrom(...texts.map((text) => `${text}\n`)) });
/** Changes while it runs; what cannot be is refused with an errno. */
const change: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ swapoff: fc.constantFrom(...DEVICES, 'xswap0') }) },
  { weight: 4, arbitrary: fc.record({ swapon: fc.constantFrom(...DEVICES), priority: fc.nat(2) }, { requiredKeys: ['swapon'] }) },
  {
    weight: 3,
    arbitrary: writes(['max', 'high', 'swap.max', 'zswap.max', 'reclaim'].map((file) => `${GROUP}/memory.${file}`), ['0', '4096', '65536', '1M', 'max']),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kill: 'p' }, { kill: 'q' }, { pageout: 'p', pages: 2000 }, { pageout: 'q', pages: 100 }) },
  { weight: 1, arbitrary: program('p').map((start) => ({ start })) },
  { weight: 1, arbitrary: fc.oneof(writes([THP], ['always', 'never']), writes([ZSWAP], ['Y', 'N']), fc.constant<Step>({ rmdir: GROUP })) },
  { weight: 2, arbitrary: fc.oneof(writes([`${XSWAP}/create`, `${XSWAP}/type0/limit`], ['', '1', '700', '5000']), writes([`${XSWAP}/destroy`], ['0'])) },
);
const parts = fc.array(fc.record({ operations: fc.integer({ min: 1, max: 3000 }), change: fc.option(change, { nil: undefined }) }), {
  maxLength: 14,
});

const specOf = (machine: MachineSpec, kernel: KernelSpec, steps: readonly Step[]): ExperimentSpec => ({
  format: 'swaplab/experiment', version: 1, title: 't', notes: '', machine, kernel, workload: { steps }, arms: [],
  measure: { check_every: 2000 }, seeds: [7], claims: [],
});

const build = (spec: ExperimentSpec): Machine | undefined => {
  if (!checkExperiment(spec).ok) return undefined;
  try {
    return createMachine(spec);
  } catch (error) {
    if (error instanceof MachineBuildError) return undefined;
    throw error;
  }
};

/** The same from its file, with the changes that were made. */
const rebuild = ({ spec }: Machine, events: readonly WorkloadEvent[]): Machine => {
  const outcome = openExperiment(experimentText({ ...spec, workload: { ...spec.workload, events } }));
  if (!outcome.ok) throw new Error([outcome.message, ...outcome.problems].join(' '));
  return createMachine(outcome.spec);
};

const finish = (machine: Machine, slice: number): void => {
  while (!machine.advance(ALL, slice).done) {
    if (machine.operations() > MOST) throw new Error(`no end after ${MOST} operations, at ${machine.now()} ns: ${machine.script().label}`);
  }
};

/** The errno that it was refused with. */
const tried = (machine: Machine, step: Step): string | undefined => {
  try {
    machine.apply(step);
    return undefined;
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    return error.code;
  }
};

const fate = (machine: Machine): unknown => ({
  now: machine.now(), operations: machine.operations(), failure: machine.failure(), output: machine.output(0), log: machine.log(0),
  measured: machine.measure(), digest: machine.digest(),
});

describe('programs on random machines', { timeout: 120_000 }, () => {
  it('keep every sum, come to an end, and are replayed to the same bit from a file, in other slices', () => {
    let built = 0;
    fc.assert(fc.property(machines, kernels, scripts, parts, fc.integer({ min: 1, max: 5000 }), (machine, kernel, steps, list, slice) => {
      const first = build(specOf(machine, kernel, steps));
      if (!first) return;
      built++;
      for (const part of list) {
        if (first.advance(ALL, part.operations).done) break;
        if (part.change !== undefined) tried(first, part.change);
        expect(first.checkInvariants()).toEqual([]);
      }
      finish(first, slice);
      if (policiesOf(kernel).defects.length === 0) expect(first.failure() ?? '').not.toMatch(/invariant/);
      const again = rebuild(first, first.liveEvents());
      finish(again, MOST);
      expect(fate(again)).toEqual(fate(first));
      if (first.failure() === undefined) for (const { state } of first.tasks()) expect(['ended', 'killed']).toContain(state);
    }), { numRuns: RUNS });
    expect(built).toBeGreaterThan(RUNS / 4);
  });
});

describe('a change while it runs', () => {
  const churn = (name: string, more: Partial<ProgramSpec>): Step => (
    { start: { name, program: 'thp_swap_allocator_test', size_pages: 240, fill: 'pattern', churn: { rounds: 1 }, ...more } }
  );
  const replayed = (machine: MachineSpec, steps: readonly Step[], act: (machine: Machine) => void): readonly WorkloadEvent[] => {
    const first = build(specOf(machine, 'linux-6.1', steps)) as Machine;
    act(first);
    finish(first, 1);
    const again = rebuild(first, first.liveEvents());
    finish(again, MOST);
    expect(fate(again)).toEqual(fate(first));
    return first.liveEvents();
  };

  it('comes before what kernel workers do at the same time, in the replay too', () => {
    const machine: MachineSpec = {
      ram_pages: 2048, cpus: 2, nodes: 1, swap: [{ kind: 'partition', name: '/dev/vdb', size_pages: 1500 }], cgroups: [{ path: '/app' }],
    };
    const access = { count: 4000, write_percent: 0, law: 'uniform' as const };
    const steps: Step[] = [
      { start: { name: 'p', program: 'random_access', size_pages: 300, fill: 'pattern', cgroup: '/app', access } },
      churn('q', { churn: { rounds: 2 } }),
    ];
    replayed(machine, steps, (running) => {
      running.advance(ALL, 1);
      running.apply({ write: `${GROUP}/memory.max`, text: '1M\n' });
      running.advance(ALL, 1343);
      // The next to act is the end of a write, at this very time.
      const scheduler = Reflect.get(running, 'scheduler') as Scheduler;
      while (scheduler.nextActor()?.name !== 'writeback') running.advance(ALL, 1);
      running.apply({ write: `${GROUP}/memory.max`, text: '0\n' });
    });
  });

  it('that gives up halfway is kept with its errno, for what it did stays', () => {
    const machine: MachineSpec = { ram_pages: 512, cpus: 2, nodes: 1, swap: [{ kind: 'zram', name: '/dev/zram1', size_pages: 10 }] };
    const access = { count: 1, write_percent: 0, law: 'uniform' as const };
    const steps: Step[] = [
      { start: { name: 'p', program: 'random_access', size_pages: 1, fill: 'pattern', access } }, churn('q', { copies: 2 }),
    ];
    const events = replayed(machine, steps, (running) => {
      running.advance(ALL, 387);
      expect(tried(running, { swapoff: '/dev/zram1' })).toBe('ENOMEM');
    });
    expect(events.map(({ step }) => step)).toEqual([{ swapoff: '/dev/zram1', expect: 'ENOMEM' }]);
    replayed(machine, steps, (running) => {
      running.advance(ALL, 387);
      expect(tried(running, events[0].step)).toBeUndefined();
      expect(tried(running, { kill: 'nobody' })).toBe('ESRCH');
      expect(running.liveEvents()).toHaveLength(1);
    });
  });
});
