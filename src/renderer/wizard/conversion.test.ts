import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openExperiment } from '../../contract/gate';
import type { ExperimentSpec } from '../../engine/experiment/spec';
import { checkDraft } from './checks';
import { addCgroup, addDevice, emptyDraft, takeKey } from './draft';
import type { Draft } from './draft';
import { draftFromSpec } from './draft-from-spec';
import { draftToSpec } from './draft-to-spec';
import { KERNEL_FACTS } from './kernels';
import { newStep } from './script/step-kinds';
import { starterDraft } from './starter';

const builtins = import.meta.glob<string>('../../../resources/experiments/*.swaplab.json', { query: '?raw', import: 'default', eager: true });

const errorsOf = (draft: Draft): string[] => checkDraft(draft, KERNEL_FACTS)
  .filter((problem) => problem.level === 'error').map((problem) => `${problem.field}: ${problem.message}`);
const gate = (spec: ExperimentSpec) => openExperiment(JSON.stringify(spec));

const SMALL = { size_pages: 480, fill: 'pattern' } as const;
/** An experiment that uses every field and every kind of step. */
const full: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'everything', notes: 'two\nlines', scale: 2,
  kernel: { base: 'xswap', set: { defaultPriority: 'descending' } },
  machine: {
    ram_pages: 2034976, cpus: 4, nodes: 2, swappiness: 133, page_cluster: 0,
    swap: [
      { kind: 'zram', name: '/dev/zram0', size_pages: 131072, priority: 100, compressor: 'lz4' },
      { kind: 'partition', name: '/dev/vdb', size_pages: 262145, node: 1, rotational: true, discard: 'pages' },
      { kind: 'file', name: '/var/swap-file', size_pages: 300, on: false },
      { kind: 'xswap', name: 'xswap2', priority: 5 },
    ],
    zswap: { enabled: true, compressor: 'lz4', max_pool_percent: 35, accept_threshold_percent: 80, shrinker_enabled: true },
    thp: { '64kB': 'always', '2048kB': 'madvise' },
    cgroups: [
      { path: '/app', set: { 'memory.max': '2147483648', 'memory.swap.max': 'max', 'memory.zswap.max': '0' } },
      { path: '/app/worker', set: { 'memory.max': '48M' } },
      { path: '/free' },
    ],
  },
  workload: {
    steps: [
      { write: '/sys/kernel/mm/xswap/type0/limit', text: ' 12x ', expect: 'EINVAL' },
      { mkdir: '/sys/fs/cgroup/late' }, { mkdir: '/sys/fs/cgroup/late', expect: 'EEXIST' }, { rmdir: '/sys/fs/cgroup/late' },
      { rmdir: '/sys/fs/cgroup/late', expect: 'ENOENT' },
      { start: { name: 'hog', program: 'memhog', size_pages: 2883584, fill: 'pattern', cgroup: '/app', cpu: 3, hold_s: 0.5 } },
      { start: { ...SMALL, name: 'many', program: 'usemem', copies: 4 } }, { wait: 'many', until: 'done' },
      { start: { ...SMALL, name: 'access', program: 'random_access', access: { count: 10, write_percent: 30, law: 'zipf', pause_s: 0.5 } } },
      { start: { ...SMALL, name: 'churn', program: 'thp_swap_allocator_test', churn: { aligned: true, small: true, rounds: 3 } } },
      { fork: 'hog', as: 'child', touch: 'write', cpu: 1, hold_s: 2 }, { fork: 'hog', as: 'idle', expect: 'ESRCH' },
      { wait_used: 5 }, { wait_used: 3, rule: 'at-most' },
      { wait: 'hog', until: 'touched' }, { sleep: 1.25 }, { swapon: '/dev/vdb', priority: 3, expect: 'EBUSY' }, { swapon: '/swapfile' },
      { swapoff: '/dev/vdb' }, { pageout: 'hog', pages: 2426664 }, { probe: 'end' }, { kill: 'hog' },
      { kill: 'hog', expect: 'ESRCH' },
      { repeat: 2000, steps: [{ write: '/sys/kernel/mm/xswap/create', text: '' }, { sleep: 0 }] },
    ],
    events: [{ at: 12345678, step: { write: '/sys/kernel/mm/xswap/type0/limit', text: '3052543' } }],
  },
  arms: [{ name: 'base' }, { name: 'big', set: { 'machine.ram_pages': 4194304 } }],
  measure: { bucket_ms: 20 }, seeds: [1, 7],
  claims: [{ id: 'total', source: 'seed', what: 'SwapTotal', published: 8140796, metric: 'end.meminfo.SwapTotal_kB', equals: 8140796 }],
};

describe('draft and experiment', () => {
  it('the built-in experiments are there', () => { expect(Object.keys(builtins).length).toBeGreaterThan(3); });

  it('an experiment that uses everything comes back the same, and passes the gate', () => {
    expect(gate(full)).toMatchObject({ ok: true });
    const draft = draftFromSpec(full, false);
    expect(errorsOf(draft)).toEqual([]);
    expect(draftToSpec(draft)).toEqual(full);
  });

  it.each(Object.entries(builtins))('%s: a copy is the same but for its title', (_path, text) => {
    const outcome = openExperiment(text);
    if (!outcome.ok) throw new Error(outcome.message);
    const draft = draftFromSpec(outcome.spec, true);
    expect(errorsOf(draft)).toEqual([]);
    const copy = draftToSpec(draft);
    const again = gate({ ...copy, title: outcome.spec.title });
    expect(again).toMatchObject({ ok: true });
    if (again.ok) expect(again.estimatedOps).toBe(outcome.estimatedOps);
    expect({ ...draftToSpec(draftFromSpec(copy, false)) }).toEqual(copy);
  });

  it('the starter passes the gate as it stands', () => {
    const draft = starterDraft();
    expect(errorsOf(draft)).toEqual([]);
    expect(gate(draftToSpec(draft))).toMatchObject({ ok: true });
  });

  it('whatever is typed: without an error in the checks the gate takes the experiment', () => {
    const mostly = <T>(good: readonly T[], odd: readonly T[]) => (
      fc.oneof({ weight: 19, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })
    );
    const size = mostly(['8G', '64 MiB', '40 KiB', '5000 pages', '600000 bytes'], ['36 KiB', '1', '', '600 GiB', '9 TiB', '5000 bytes', 'x', '10']);
    const arbitrary = fc.record({
      ram: mostly(['2 GiB', '512 pages', '256 GiB'], ['511 pages', '1 TiB', '300 GiB', '2 TiB', '8', '1,5 GiB']),
      cpus: mostly(['1', '2', ' 8 ', '512'], ['0', '513', '1.5', 'ten', '']), nodes: mostly(['1'], ['2', '0', '65', '']),
      title: mostly(['a title', 'ü'], ['', ' ', 'x'.repeat(201), 'a\u0007b']),
      seeds: mostly(['1', '1, 2', '7 8'], ['1 1', '', '-1', '1.5', '99999999999999999999']),
      kernel: mostly(['xswap', 'linux-6.18'], ['linux-9']), zswap: mostly([true], [false]),
      pool: mostly(['', '0', '100'], ['101', '-1', '20x']), swappiness: mostly(['', '0', '200'], ['201', 'x']),
      devices: fc.array(fc.record({
        kind: fc.constantFrom('zram' as const, 'partition' as const, 'file' as const, 'xswap' as const), size,
        priority: mostly(['', '0', '32767', ' 7 '], ['-1', '32768', 'ten']),
        name: mostly([undefined], ['/dev/zram0', '/dev/zram01', '/dev/vdb', '/swap file', '/swapfile', 'zram0', '']),
        on: fc.boolean(), rotational: fc.boolean(), discard: fc.constantFrom('none' as const, 'once' as const, 'pages' as const),
      }), { maxLength: 4 }),
      max: mostly(['max', '2G', '48m', '2 GiB', '', '0x1000', '12345'], ['lots', '-1', '1e6']),
      path: mostly(['/app', '/a/b'], ['app', '/a b', '/..', '/app/']),
      program: mostly(['hog', 'a.b'], ['1hog', 'a b', '']), hold: mostly(['', '1', '0.5'], ['1e3', '-1', '99999999']), memory: size,
      probe: mostly(['end', 'at_oom'], ['vmstat', '2nd', '']), write: mostly(['/sys/a', '/proc/b'], ['/etc/passwd', '/proc/a b', '']),
      text: mostly(['', ' 1 ', 'a\tb'], ['a\u0000b', 'x'.repeat(5000)]),
    });
    let accepted = 0;
    fc.assert(fc.property(arbitrary, (raw) => {
      const draft = emptyDraft();
      Object.assign(draft.machine, { ram: raw.ram, cpus: raw.cpus, nodes: raw.nodes });
      Object.assign(draft, { title: raw.title, seeds: raw.seeds, kernel: raw.kernel });
      draft.machine.swappiness = raw.swappiness;
      Object.assign(draft.zswap, { enabled: raw.zswap, maxPoolPercent: raw.pool });
      for (const { name, ...fields } of raw.devices) Object.assign(addDevice(draft, fields.kind), fields, name === undefined ? {} : { name });
      Object.assign(addCgroup(draft), { path: raw.path, memoryMax: raw.max });
      const start = newStep(takeKey(draft), 'start');
      Object.assign(start.fields, { name: raw.program, hold: raw.hold, cgroup: raw.path, size: raw.memory });
      const probe = newStep(takeKey(draft), 'probe');
      probe.fields.name = raw.probe;
      const write = newStep(takeKey(draft), 'write');
      Object.assign(write.fields, { path: raw.write, text: raw.text });
      draft.script.push(start, probe, write);
      if (errorsOf(draft).length > 0) return;
      accepted++;
      const outcome = gate(draftToSpec(draft));
      expect(outcome.ok ? [] : [outcome.message, ...outcome.problems]).toEqual([]);
    }), { numRuns: 800 });
    // Enough drafts must stand for the property to say something.
    expect(accepted).toBeGreaterThan(100);
  }, 60_000);
});
