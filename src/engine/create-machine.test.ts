import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMachine, MachineBuildError } from './create-machine';
import { digestProbe } from './digest-probe';
import { KernelError } from './errno';
import type { ExperimentSpec, MachineSpec, Step, SwapDeviceSpec, WorkloadEvent } from './experiment/spec';
import { kernelIds, policiesOf } from './kernel/swap/registry';
import type { Machine } from './machine';

const MACHINE: MachineSpec = {
  ram_pages: 8192, cpus: 2, nodes: 1, zswap: { enabled: true },
  swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 4096 }, { kind: 'xswap', name: 'xswap1' }],
  cgroups: [{ path: '/app', set: { 'memory.max': '4194304' } }],
};
const hog = (name: string, pages: number, rest: object = {}): Step => ({
  start: { name, program: 'memhog', size_pages: pages, fill: 'pattern', cgroup: '/app', hold_s: 1, ...rest },
});
const specOf = (steps: readonly Step[], rest: Partial<ExperimentSpec> = {}, events: readonly WorkloadEvent[] = []): ExperimentSpec => ({
  format: 'swaplab/experiment', version: 1, title: 'test', notes: '', kernel: 'xswap', arms: [], measure: { bucket_ms: 1, buckets: 32 }, seeds: [1],
  claims: [], machine: MACHINE, workload: { steps, events }, ...rest,
});
const finish = (machine: Machine, operations = Infinity): Machine => {
  while (!machine.advance(Infinity, operations).done);
  return machine;
};
const sound = (machine: Machine): Machine => {
  expect(machine.failure()).toBeUndefined();
  expect(machine.checkInvariants()).toEqual([]);
  return machine;
};

describe('a machine', { timeout: 30_000 }, () => {
  it('runs its script, records probes and extremes, and ends with its programs', () => {
    const steps: Step[] = [hog('a', 3000), { wait: 'a', until: 'touched' }, { probe: 'full' }, { sleep: 0.5 }, { probe: 'later' }];
    const machine = sound(finish(createMachine(specOf(steps))));
    const metrics = machine.measure();
    expect(metrics['full.meminfo.SwapTotal_kB']).toBe((4095 + 8191) * 4);
    expect(metrics['full.swap.used_kB']).toBeGreaterThan(3000);
    expect(metrics['later.time.elapsed_s']).toBeCloseTo(Number(metrics['full.time.elapsed_s']) + 0.5, 3);
    expect(metrics['swap.used_kB']).toBe(0);
    expect(metrics['always.max.swap.used_kB']).toBeGreaterThanOrEqual(Number(metrics['full.swap.used_kB']));
    expect(metrics['always.min.meminfo.SwapFree_kB']).toBe(Number(metrics['full.meminfo.SwapTotal_kB']) - Number(metrics['always.max.swap.used_kB']));
    expect(machine.tasks()).toMatchObject([{ name: 'a', state: 'ended', touchedPages: 3000, cgroup: '/app' }]);
    expect(machine.now()).toBeGreaterThan(1e9);
    expect(machine.marks(0).map((mark) => mark.label)).toEqual([
      'start a: memhog 3000 pages, pattern in /app', 'wait until a has touched its memory', 'probe full', 'sleep 0.5 s', 'probe later',
    ]);
    const { columns, bucketNs } = machine.series(['swap.used_kB'], 1000);
    expect(columns[0].max.length).toBeLessThanOrEqual(32);
    expect(Math.max(...columns[0].max)).toBeGreaterThanOrEqual(Number(metrics['full.swap.used_kB']));
    expect(bucketNs * columns[0].max.length).toBeGreaterThanOrEqual(machine.now() - bucketNs);
  });

  it('comes to the same digest however it is sliced', () => {
    const whole = digestProbe(1e9);
    expect(digestProbe(1)).toBe(whole);
    expect(digestProbe(333)).toBe(whole);
  });

  it('replays a live change as an event to the same digest', () => {
    const steps = [hog('a', 3000), hog('b', 600, { cpu: 1, fill: 'zero', hold_s: 3 }), { wait: 'a', until: 'ended' } as Step];
    const changes: Step[] = [
      { write: '/sys/kernel/mm/xswap/type1/limit', text: '2000\n' },
      { write: '/sys/fs/cgroup/app/memory.max', text: '3145728\n' },
      { swapoff: '/dev/vdc' },
      { kill: 'b' },
      hog('c', 100),
    ];
    const live = createMachine(specOf(steps));
    for (const [i, change] of changes.entries()) {
      live.advance(Infinity, 500 + i);
      live.advance(live.now() + 12_345, Infinity);
      live.apply(change);
    }
    sound(finish(live));
    const events = live.liveEvents();
    expect(events.length).toBe(changes.length);
    expect(events.map((event) => event.at)).toEqual([...events.map((event) => event.at)].sort((a, b) => a - b));
    const replayed = sound(finish(createMachine(specOf(steps, {}, events)), 77));
    expect(replayed.digest()).toBe(live.digest());
    expect(replayed.measure()).toEqual(live.measure());
    const lives = (machine: Machine): string[] => machine.marks(0).filter((mark) => mark.source === 'live').map((mark) => `${mark.at} ${mark.label}`);
    expect(lives(replayed)).toEqual(lives(live));
  });

  it('does not keep a change that was refused, nor one that belongs to scripts', () => {
    const machine = createMachine(specOf([hog('a', 10)]));
    machine.advance(1000, Infinity);
    const refused: Step[] = [{ write: '/sys/kernel/mm/xswap/type1/limit', text: 'x' }, { sleep: 1 }, { probe: 'x' }, { kill: 'nobody' }];
    for (const step of refused) {
      expect(() => machine.apply(step)).toThrow(KernelError);
    }
    expect(machine.liveEvents()).toEqual([]);
    sound(finish(machine));
  });

  it('takes an event before any operation that starts at its time', () => {
    const at = 10_000_000;
    const event = { at, step: { write: '/proc/sys/vm/swappiness', text: '7\n' } };
    const machine = createMachine(specOf([{ sleep: 0.00999 }, { probe: 'now' }], {}, [event]));
    machine.advance(at, Infinity);
    expect(machine.read('/proc/sys/vm/swappiness')).toBe('60\n');
    expect(machine.now()).toBe(at);
    machine.advance(at + 1, Infinity);
    expect(machine.read('/proc/sys/vm/swappiness')).toBe('7\n');
    sound(finish(machine));
  });

  it('stops at each step when asked', () => {
    const repeated: Step = { repeat: 2, steps: [{ sleep: 0.1 }, { mkdir: '/sys/fs/cgroup/x' }, { rmdir: '/sys/fs/cgroup/x' }] };
    const machine = createMachine(specOf([hog('a', 2000), { wait: 'a', until: 'touched' }, { probe: 'p' }, repeated]));
    const begun: number[] = [];
    for (;;) {
      const { done } = machine.advance(Infinity, Infinity, true);
      begun.push(machine.script().begun);
      if (done) break;
    }
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 9]);
    sound(machine);
  });

  it('wakes a script that waits for a program that is killed, from outside or by the OOM killer', () => {
    const steps: Step[] = [hog('a', 2000, { hold_s: 100 }), { wait: 'a', until: 'ended' }, { probe: 'p' }];
    const killed = createMachine(specOf(steps));
    killed.advance(5e9, Infinity);
    killed.apply({ kill: 'a' });
    sound(finish(killed));
    expect(killed.now()).toBeLessThan(5.1e9);
    const cgroups = [{ path: '/app', set: { 'memory.max': '4194304', 'memory.swap.max': '1048576' } }];
    const oom = sound(finish(createMachine(specOf(steps, { machine: { ...MACHINE, cgroups } }))));
    const metrics = oom.measure();
    expect(metrics['oom.kills']).toBe(1);
    expect(metrics['oom.1.memcg.app.swap.current']).toBe(1048576);
    expect(metrics['p.memcg.app.oom_kill']).toBe(1);
    expect(oom.tasks()[0].state).toBe('killed');
    expect(oom.marks(0).find((mark) => mark.source === 'kernel')?.label).toMatch(/^OOM killer ends a \(pid \d+\) in \/app$/);
    expect(oom.log(0).join('\n')).toContain('Killed process');
  });

  it('fails with the place and the reason', () => {
    const failure = (...steps: Step[]): string | undefined => finish(createMachine(specOf(steps))).failure();
    expect(failure({ rmdir: '/sys/fs/cgroup/none' })).toMatch(/^workload\.steps\[0\] \(rmdir .*\): No such file or directory \(ENOENT\)/);
    expect(failure({ sleep: 1 }, { repeat: 3, steps: [{ swapoff: '/dev/vdc' }] })).toMatch(/^workload\.steps\[1\]\.steps\[0\] \(swapoff \/dev\/vdc\): Invalid argument/);
    expect(failure(hog('a', 5, { cpu: 2 }))).toContain('the machine has CPUs 0 to 1');
    expect(failure(hog('a', 5, { cgroup: '/none' }))).toContain('(ENOENT)');
    expect(failure(hog('a', 5, { hold_s: 0 }), { sleep: 1 }, { kill: 'a', expect: 'ESRCH' })).toBeUndefined();
    expect(failure({ write: '/proc/sys/vm/swappiness', text: 'x', expect: 'EBUSY' })).toContain('expected EBUSY, got Invalid argument (EINVAL)');
    const building = (machine: Partial<MachineSpec>) => () => createMachine(specOf([], { machine: { ...MACHINE, ...machine } }));
    expect(building({ zswap: { enabled: false } })).toThrow(/^machine\.swap\[1\]: Operation not supported \(EOPNOTSUPP\)/);
    expect(building({ zswap: { enabled: true, compressor: 'none' } })).toThrow(/^machine\.zswap\.compressor: .*\(ENOENT\)/);
    expect(building({ swap: [{ kind: 'xswap', name: 'xswap3' }] })).toThrow('machine.swap[0].name: the kernel calls this device "xswap0"');
    expect(building({})().failure()).toBeUndefined();
    expect(() => createMachine(specOf([]), 1, 'none')).toThrow(MachineBuildError);
  });

  it('holds claims as far as it has come', () => {
    const claim = { source: 's', what: 'w' };
    const machine = createMachine(specOf([{ sleep: 1 }, { probe: 'p' }], { claims: [
      { ...claim, id: 'later', metric: 'p.swap.used_kB', equals: 0 },
      { ...claim, id: 'now', expression: 'meminfo.SwapTotal_kB - meminfo.SwapFree_kB', band: [0, 0] },
      { ...claim, id: 'slashes', metric: 'memcg./app.oom_kill', equals: 0 },
      { ...claim, id: 'other', metric: 'arm:swap.used_kB', equals: 0 },
    ] }));
    const state = (): unknown => machine.claims().map(({ id, value, holds, expected }) => [id, value, holds, expected]);
    expect(state()).toEqual([
      ['later', undefined, undefined, '0'], ['now', 0, true, '0 … 0'], ['slashes', 0, true, '0'], ['other', undefined, undefined, '0'],
    ]);
    finish(machine);
    expect(state()).toEqual([
      ['later', 0, true, '0'], ['now', 0, true, '0 … 0'], ['slashes', 0, true, '0'], ['other', undefined, undefined, '0'],
    ]);
  });
});

describe('random experiments', () => {
  const step = fc.oneof(
    fc.record({ pages: fc.integer({ min: 1, max: 2500 }), fill: fc.constantFrom('pattern', 'zero', 'random'), cpu: fc.nat(1) })
      .map(({ pages, fill, cpu }) => ({ kind: 'start' as const, pages, fill, cpu })),
    fc.constantFrom(
      { write: '/sys/fs/cgroup/app/memory.max', text: '2097152\n' }, { write: '/sys/fs/cgroup/app/memory.max', text: 'max\n' },
      { write: '/sys/module/zswap/parameters/enabled', text: '0\n' }, { write: '/sys/module/zswap/parameters/enabled', text: '1\n' },
      { write: '/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled', text: 'always\n' },
      { write: '/sys/kernel/mm/xswap/type1/limit', text: '1000\n' }, { write: '/sys/kernel/mm/xswap/type1/limit', text: '9000\n' },
    ),
    fc.integer({ min: 1, max: 3000 }).map((us) => ({ sleep: us / 1e6 })),
  );
  it('keep every sum, and come to the same state however they are sliced', { timeout: 60_000 }, () => {
    const kernels = fc.constantFrom(...kernelIds());
    fc.assert(fc.property(kernels, fc.array(step, { minLength: 1, maxLength: 10 }), fc.integer({ min: 1, max: 2000 }), (kernel, parts, slice) => {
      const { xswap, slotCache } = policiesOf(kernel);
      const steps = parts
        .filter((part) => xswap || !('write' in part && part.write.includes('xswap')))
        .map((part, i): Step => ('kind' in part ? hog(`p${i}`, part.pages, { fill: part.fill, cpu: part.cpu, hold_s: 0.01 }) : part));
      const second: SwapDeviceSpec = xswap ? { kind: 'xswap', name: 'xswap1' } : { kind: 'zram', name: '/dev/zram0', size_pages: 8192 };
      const spec = specOf(steps, { kernel, machine: { ...MACHINE, swap: [MACHINE.swap[0], second] } });
      const machine = createMachine(spec);
      for (let i = 0; !machine.advance(Infinity, slice).done; i++) if (i % 8 === 0) expect(machine.checkInvariants()).toEqual([]);
      sound(machine);
      expect(finish(createMachine(spec)).digest()).toBe(machine.digest());
      // Up to 6.12 the CPUs keep slots in a cache of their own.
      if (slotCache === 'none') expect(machine.devices().map((device) => device.usedPages)).toEqual([0, 0]);
      expect(Number(machine.measure()['always.min.meminfo.SwapFree_kB'])).toBeGreaterThanOrEqual(0);
    }), { numRuns: 25 });
  });
});
