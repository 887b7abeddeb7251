import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { experimentText } from '../contract/canonical';
import { resultSchema } from '../contract/result';
import type { ExperimentSpec } from '../engine/experiment/spec';
import { main } from './command-line';
import { recordedIo } from './testing/io';
import type { RecordedIo } from './testing/io';

const SPEC: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'small', notes: '', kernel: 'linux-6.18', measure: {}, seeds: [1, 2],
  machine: { ram_pages: 8192, cpus: 1, nodes: 1, swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 4096 }], cgroups: [{ path: '/app' }] },
  workload: { steps: [
    { start: { name: 'hog', program: 'usemem', size_pages: 2000, fill: 'pattern', cgroup: '/app', hold_s: 1 } },
    { wait: 'hog', until: 'touched' },
    { pageout: 'hog', pages: 600 },
    { probe: 'out' },
  ] },
  arms: [{ name: 'small' }, { name: 'large', set: { 'machine.swap[0].size_pages': 8192 } }],
  claims: [
    {
      id: 'total', source: 'test', what: 'the larger device is larger', equals: 16384,
      expression: 'large:out.meminfo.SwapTotal_kB - small:out.meminfo.SwapTotal_kB',
    },
    { id: 'used', source: 'test', what: 'pages in use', published: 2400, metric: 'small:out.swap.used_kB', equals: 2400 },
  ],
};

let folder = '';
let file = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'swaplab-cli-'));
  file = join(folder, 'small.swaplab.json');
  writeFileSync(file, experimentText(SPEC));
});
afterAll(() => rmSync(folder, { recursive: true }));

const swaplab = async (...args: string[]): Promise<RecordedIo & { code: number }> => {
  const io = recordedIo();
  return { ...io, code: await main(args, io) };
};
const put = (name: string, spec: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof spec === 'string' ? spec : JSON.stringify(spec));
  return path;
};

describe('swaplab', () => {
  it('knows its version, its help, and what it does not know', async () => {
    expect(await swaplab('--version')).toMatchObject({ code: 0, stdout: [expect.stringMatching(/^\d+\.\d+\.\d+\n$/)] });
    expect((await swaplab('--help')).stdout.join('')).toContain('builtin:xswap-cap');
    expect(await swaplab()).toMatchObject({ code: 2 });
    const { stderr } = await swaplab('shell', 'x');
    expect(stderr.join('')).toBe('swaplab: unknown command "shell": expected run, replay, kernels or validate (swaplab --help says more)\n');
  });
});

describe('swaplab validate', () => {
  it('says ok, or the places', async () => {
    const bad = put('bad.json', { ...SPEC, machine: { ...SPEC.machine, cpus: 'two' } });
    const machine = { ...SPEC.machine, swap: [{ kind: 'xswap', name: 'xswap0' }] };
    const unbuilt = put('unbuilt.json', { ...SPEC, kernel: 'xswap', machine, arms: [] });
    expect((await swaplab('validate', unbuilt)).stderr.join('')).toContain('machine.swap[0]: Operation not supported (EOPNOTSUPP)');
    const { code, stdout, stderr } = await swaplab('validate', file, bad, join(folder, 'none.json'), 'builtin:xswap-cap');
    expect(code).toBe(2);
    expect(stdout.join('')).toBe(`${file}: ok\nbuiltin:xswap-cap: ok\n`);
    expect(stderr.join('')).toBe(`${bad}: machine.cpus: expected a whole number from 1 to 512, got "two"\n`
      + `${join(folder, 'none.json')}: cannot open ${join(folder, 'none.json')}: there is no such file\n`);
    expect((await swaplab('validate', file)).code).toBe(0);
    expect((await swaplab('validate')).code).toBe(2);
  });
});

describe('swaplab run', { timeout: 30_000 }, () => {
  it('prints probes by arm and claims beside what was published', async () => {
    const { code, stdout } = await swaplab('run', file);
    const text = stdout.join('');
    expect(text).toContain('Arm small, kernel linux-6.18');
    expect(text).toMatch(/out +\d+\.\d{3} s +16380 kB +13980 kB +2\.3 MiB +0/);
    expect(text).toMatch(/✓ +pages in use +2400 +the same +2400/);
    expect(text).toMatch(/2 of 2 claims hold\..*\ndigest [0-9a-f]{32}\n$/);
    expect(code).toBe(0);
  });

  it('gives one valid result object, the same each time, and writes it whole', async () => {
    const out = join(folder, 'results');
    const first = await swaplab('run', file, '--json', '--out', out);
    const second = await swaplab('run', file, '--json');
    expect(first.stdout).toEqual(second.stdout);
    const result = resultSchema.parse(JSON.parse(first.stdout.join('')));
    expect(result).toMatchObject({ complete: true, claims: [{ id: 'total', value: 16384, holds: true }, { id: 'used', value: 2400, holds: true }] });
    expect(result.arms.map((arm) => [arm.name, arm.runs.map((run) => run.seed)])).toEqual([['small', [1, 2]], ['large', [1, 2]]]);
    expect(readdirSync(out)).toEqual(['small.result.json']);
    expect(readFileSync(join(out, 'small.result.json'), 'utf8')).toBe(first.stdout.join(''));
  });

  it('takes arms, seeds and overrides; claims on arms that did not run are left out', async () => {
    const { code, stdout } = await swaplab('run', file, '--arm', 'small', '--seed', '7', '--set', 'workload.steps[2].pages=700', '--json');
    const result = resultSchema.parse(JSON.parse(stdout.join('')));
    expect(result.arms.map((arm) => [arm.name, arm.runs.map((run) => run.seed)])).toEqual([['small', [7]]]);
    expect(result.claims.map((claim) => [claim.id, claim.value, claim.holds])).toEqual([['used', 2800, false]]);
    expect(code).toBe(1);
  });

  it.each([
    [['run'], 'no experiment was named'],
    [['run', 'a', 'b'], 'one experiment at a time'],
    [['run', 'FILE', '--seed', 'x'], '--seed x: expected a whole number'],
    [['run', 'FILE', '--arm', 'huge'], '--arm huge: expected one of small, large'],
    [['run', 'FILE', '--set', 'machine.cpus'], 'expected path=value'],
    [['run', 'FILE', '--set', 'machine.cpus=0'], 'machine.cpus: expected a whole number from 1 to 512, got 0'],
    [['run', 'FILE', '--set', 'machine.nope.x=0'], 'leads nowhere at "nope"'],
    [['run', 'FILE', '--set', 'kernel=linux-9'], "unknown kernel 'linux-9'"],
    [['run', 'FILE', '--size', '2'], "Unknown option '--size'"],
    [['run', 'FILE', '--scale', '0'], '--scale 0: expected a whole number from 1 to 1000000'],
    [['run', 'builtin:none'], 'expected one of default-priorities'],
    [['run', '/nonexistent/x.json'], 'there is no such file'],
  ])('ends %j with code 2 and a sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await swaplab(...args.map((arg) => (arg === 'FILE' ? file : arg)));
    expect(code).toBe(2);
    expect(stdout).toEqual([]);
    expect(stderr.join('')).toContain(sentence);
  });

  it('fails a run whose step fails, or does not fail as expected, naming the place', async () => {
    const step = { write: '/proc/sys/vm/swappiness', text: 'many\n' };
    const specOf = (one: object): object => ({ ...SPEC, arms: [], claims: [], seeds: [1], workload: { steps: [one] } });
    const failing = put('failing.json', specOf(step));
    const { code, stdout } = await swaplab('run', failing);
    expect(code).toBe(1);
    expect(stdout.join('')).toContain('FAILED (seed 1): workload.steps[0] (echo many > /proc/sys/vm/swappiness): Invalid argument (EINVAL)');
    const expecting = put('expecting.json', specOf({ ...step, expect: 'EINVAL' }));
    expect((await swaplab('run', expecting)).code).toBe(0);
    const missing = put('missing.json', specOf({ write: '/proc/sys/vm/swappiness', text: '10\n', expect: 'EINVAL' }));
    expect((await swaplab('run', missing)).stdout.join('')).toContain('expected EINVAL, but it succeeded');
  });
});
