import { describe, expect, it } from 'vitest';
import { applyArm, parsePath, setPath } from './arms';
import { evaluateClaim, expectedText } from './claims';
import { estimateRun } from './estimate';
import type { ExperimentSpec } from './spec';
import { spreadOf } from './statistics';
import { stepLabel } from './steps';

const SPEC: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'T', notes: '', kernel: 'linux-6.18', measure: {}, seeds: [1], claims: [],
  machine: { ram_pages: 4096, cpus: 1, nodes: 1, swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 1024 }],
    cgroups: [{ path: '/app', set: { 'memory.max': '1' } }] },
  workload: { steps: [
    { start: { name: 'hog', program: 'memhog', size_pages: 1000, fill: 'pattern', hold_s: 10 } },
    { sleep: 5 },
    { repeat: 3, steps: [{ write: '/x', text: '' }, { sleep: 1 }] },
  ] },
  arms: [
    { name: 'big', set: { 'machine.ram_pages': 8192, 'machine.swap[0].priority': 5, 'machine.cgroups[0].set[memory.max]': '2' } },
    { name: 'lost', set: { 'machine.nope.x': 1 } },
  ],
};

describe('arms', () => {
  it('reads paths', () => {
    expect(parsePath('workload.steps[2].text')).toEqual(['workload', 'steps', 2, 'text']);
    expect(parsePath('machine.cgroups[0].set[memory.max]')).toEqual(['machine', 'cgroups', 0, 'set', 'memory.max']);
    for (const bad of ['', '.', 'a..b', 'a[', 'a[]', 'a b', 'a.', '[0']) expect(parsePath(bad)).toBeUndefined();
  });

  it('applies overrides to a copy', () => {
    const outcome = applyArm(SPEC, 'big');
    if (!outcome.ok) throw new Error(outcome.problem);
    expect(outcome.spec.machine.ram_pages).toBe(8192);
    expect(outcome.spec.machine.swap[0].priority).toBe(5);
    expect(outcome.spec.machine.cgroups?.[0].set).toEqual({ 'memory.max': '2' });
    expect(SPEC.machine.ram_pages).toBe(4096);
    expect(SPEC.machine.swap[0].priority).toBeUndefined();
  });

  it('refuses paths that lead nowhere, prototypes and what all arms share', () => {
    expect(applyArm(SPEC, 'lost')).toEqual({ ok: false, problem: '"machine.nope.x" leads nowhere at "nope"' });
    expect(applyArm(SPEC, 'other')).toMatchObject({ ok: false, problem: expect.stringContaining('"big"') as string });
    for (const path of ['machine.__proto__.x', 'machine.constructor', 'machine.swap[9].priority', 'machine.swap[0].name.x', 'version', 'claims[0]']) {
      expect(setPath(SPEC, path, 1).ok).toBe(false);
    }
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('claims', () => {
  const lookup = (name: string): number | string | undefined => ({ n: 5, t: 'text' })[name];
  const base = { id: 'c', source: 's', what: 'w' };
  it('holds metrics and expressions against a band or a value', () => {
    expect(evaluateClaim({ ...base, metric: 'n', band: [5, 6] }, lookup)).toEqual({ value: 5, holds: true, missing: [] });
    expect(evaluateClaim({ ...base, metric: 'n', band: [5.1, 6] }, lookup).holds).toBe(false);
    expect(evaluateClaim({ ...base, metric: 't', equals: 'text' }, lookup).holds).toBe(true);
    expect(evaluateClaim({ ...base, metric: 't', band: [0, 1] }, lookup).holds).toBe(false);
    expect(evaluateClaim({ ...base, expression: 'n * 2', equals: 10 }, lookup)).toEqual({ value: 10, holds: true, missing: [] });
    expect(evaluateClaim({ ...base, metric: 'later', equals: 1 }, lookup)).toEqual({ missing: ['later'] });
    expect(evaluateClaim({ ...base, expression: '0 / 0', band: [-1, 1] }, lookup).holds).toBe(false);
  });
  it('says what is expected', () => {
    expect(expectedText({ ...base, metric: 'n', band: [0, 10] })).toBe('0 … 10');
    expect(expectedText({ ...base, metric: 'n', equals: 8140796 })).toBe('8140796');
  });
});

describe('estimate', () => {
  it('counts pages, steps and repetitions', () => {
    const { operations, seconds } = estimateRun(SPEC);
    expect(operations).toBe(1 + 1000 + 1 + 1 + 6);
    expect(seconds).toBeCloseTo(5 + 3 + 10 + 0.1);
  });
});

describe('statistics', () => {
  it('gives mean and spread', () => {
    expect(spreadOf([0.1, 0.1, 0.1])).toEqual({ mean: 0.1, min: 0.1, max: 0.1, deviation: 0 });
    const { mean, deviation } = spreadOf([2, 4, 4, 4, 5, 5, 7, 9]);
    expect(mean).toBe(5);
    expect(deviation).toBeCloseTo(2.138, 3);
  });
});

describe('step labels', () => {
  it('read as one would type them', () => {
    expect(stepLabel({ write: '/sys/kernel/mm/xswap/create', text: '\n' })).toBe('echo > /sys/kernel/mm/xswap/create');
    expect(stepLabel({ write: '/f', text: '12\n' })).toBe('echo 12 > /f');
    expect(stepLabel({ swapon: '/dev/zram0', priority: 3 })).toBe('swapon -p 3 /dev/zram0');
    expect(stepLabel(SPEC.workload.steps[0])).toBe('start hog: memhog 1000 pages, pattern');
    expect(stepLabel(SPEC.workload.steps[2])).toBe('3 times: echo > /x; sleep 1 s');
  });
});
