/** What the command line does with odd files, names, streams and folders: code 2, one sentence, nothing half done. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { experimentText } from '../contract/canonical';
import { resultSchema } from '../contract/result';
import type { ExperimentSpec } from '../engine/experiment/spec';
import { main } from './command-line';
import { printable, printableLine } from './io';
import { nameOf } from './load';
import { streamIo } from './streams';
import { recordedIo } from './testing/io';

const SPEC: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'small', notes: '', kernel: 'linux-6.18', measure: {}, seeds: [1], arms: [], claims: [],
  machine: { ram_pages: 1024, cpus: 1, nodes: 1, swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 1024 }] },
  workload: { steps: [{ probe: 'out' }] },
};

let folder = '';
let file = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'swaplab-hostile-'));
  file = put('small.swaplab.json', SPEC);
});
afterAll(() => rmSync(folder, { recursive: true }));

const put = (name: string, spec: ExperimentSpec): string => {
  const path = join(folder, name);
  writeFileSync(path, experimentText(spec));
  return path;
};
const swaplab = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
  const io = recordedIo();
  const code = await main(args, io);
  return { code, out: io.stdout.join(''), err: io.stderr.join('') };
};

describe('files that are none', () => {
  it.skipIf(process.platform === 'win32')('are refused at once, pipes without a writer too', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await swaplab('run', pipe)).toMatchObject({ code: 2, err: `swaplab run: ${pipe}: The file is empty.\n` });
    expect((await swaplab('validate', '/dev/zero')).err).toBe('/dev/zero: cannot read /dev/zero: it is a device\n');
    expect((await swaplab('run', folder)).err).toBe(`swaplab run: cannot read ${folder}: it is a folder\n`);
    expect((await swaplab('run', join(file, 'x'))).err).toContain('a part of the path is no folder');
    expect((await swaplab('run', `${folder}/${'n'.repeat(300)}`)).err).toContain('the name is too long');
    expect((await swaplab('run', 'a\0b')).err).toContain('cannot open a\\u0000b: the name is no name of a file');
  });
});

describe('texts from outside', () => {
  it('cannot move the cursor or turn the direction of writing', async () => {
    expect(printable('a\u001b[31m\u009b\u202e\ud800\n\tü実🙂')).toBe('a\\u001b[31m\\u009b\\u202e\\ud800\n\tü実🙂');
    expect(printableLine('a\nb\tc')).toBe('a\\nb\\tc');
    const { code, err } = await swaplab('validate', 'zz\u001b[31m\u202e');
    expect(code).toBe(2);
    expect(err).toBe('zz\\u001b[31m\\u202e: cannot open zz\\u001b[31m\\u202e: there is no such file\n');
    expect((await swaplab('zz\u001b[31m')).err).toMatch(/^swaplab: unknown command "zz\\u001b\[31m": /);
    expect((await swaplab('run', file, '--arm', 'x\u001b[2J')).err).toBe('swaplab run: --arm x\\u001b[2J: expected one of base\n');
  });

  it('give file names that a folder takes', () => {
    expect(nameOf('/x/実験.swaplab.json')).toBe('実験');
    expect(nameOf('..swaplab.json')).toBe('experiment');
    expect(nameOf('a\u202eb/../c d\n.json')).toBe('c-d-');
    expect(nameOf(`${'n'.repeat(242)}.swaplab.json`)).toBe('n'.repeat(200));
    expect(Buffer.byteLength(nameOf(`${'実'.repeat(80)}.json`))).toBeLessThanOrEqual(200);
  });
});

describe('arguments', () => {
  it('ask for help anywhere before "--"', async () => {
    const help = await swaplab('--help');
    expect(help.code).toBe(0);
    for (const args of [['run', '--help'], ['run', file, '-h'], ['validate', '--help']]) expect(await swaplab(...args)).toEqual(help);
    expect((await swaplab('run', '--', '--help')).code).toBe(2);
  });

  it.each([
    [['--seed', '-1'], "Option '--seed' argument is ambiguous; usage: "],
    [['--out', ''], '--out: expected the name of a folder, got nothing'],
    [['--set', `${'a.'.repeat(3000)}b=1`], 'expected a path of at most 200 characters, got 6001'],
    [['--set', `machine.swap=${'['.repeat(3000)}`], 'machine.swap: expected a list of at most 32 entries, got "[[['],
    [['--set', 'machine.swap={"__proto__":1}'], 'The key "__proto__" is not allowed.'],
    [['--set', 'machine.cpus=-0'], 'machine.cpus: expected a whole number from 1 to 512, got 0 (and 1 more).'],
    [['--set', 'kernel=constructor'], "unknown kernel 'constructor'"],
  ])('%j end with code 2 and one sentence that is not flooded', async (args, sentence) => {
    const { code, out, err } = await swaplab('run', file, ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
    expect(err.length).toBeLessThan(600);
  });
});

describe('--out', () => {
  it('is tried before the run, and leaves nothing when it cannot be', async () => {
    const taken = join(folder, 'taken');
    mkdirSync(join(taken, 'small.result.json'), { recursive: true });
    for (const [out, reason] of [[file, 'there is a file where a folder is needed'], [join(file, 'x'), 'no folder'], [taken, 'it is a folder']]) {
      const result = await swaplab('run', file, '--out', out ?? '');
      expect(result).toMatchObject({ code: 2, out: '' });
      expect(result.err).toMatch(/^swaplab run: cannot write .*\n$/);
      expect(result.err).toContain(reason);
    }
    expect(readdirSync(taken)).toEqual(['small.result.json']);
  });

  it('takes the result of a file with the longest name', async () => {
    const out = join(folder, 'long');
    expect((await swaplab('run', put(`${'n'.repeat(242)}.swaplab.json`, SPEC), '--out', out)).code).toBe(0);
    expect(readdirSync(out)).toEqual([`${'n'.repeat(200)}.result.json`]);
  });
});

describe('claims on what is not there', () => {
  it('say which metric, and what was probably meant', async () => {
    const claim = { source: 's', what: 'w', equals: 1 };
    const typo = put('typo.json', { ...SPEC, claims: [
      { ...claim, id: 'a', metric: 'out.meminfo.SwapTotal' },
      { ...claim, id: 'b', expression: '1 / (out.meminfo.SwapTotal_kB - out.meminfo.SwapTotal_kB)' },
      { ...claim, id: 'c', metric: 'quux' },
    ] });
    const { code, out } = await swaplab('run', typo);
    expect(code).toBe(1);
    const text = out.replace(/\s+/g, ' ');
    expect(text).toContain('there is no metric "out.meminfo.SwapTotal"; was "out.meminfo.SwapTotal_kB" meant?');
    expect(text).toContain('its expression gives no finite number');
    expect(text).toContain('there is no metric "quux"');
    const { claims } = resultSchema.parse(JSON.parse((await swaplab('run', typo, '--json')).out));
    expect(claims.map(({ value, holds, missing }) => [value, holds, missing])).toEqual([
      [null, false, ['out.meminfo.SwapTotal']], [null, false, undefined], [null, false, ['quux']],
    ]);
  });
});

describe('claims on several arms', () => {
  it('say which name lacks its arm, which is a text, and which is unknown in its arm', async () => {
    const claim = { source: 's', what: 'w', equals: 1 };
    const arms = put('arms.json', { ...SPEC, arms: [{ name: 'a' }, { name: 'b' }], claims: [
      { ...claim, id: 'a', metric: 'out.meminfo.SwapTotal_kB' },
      { ...claim, id: 'b', expression: 'b:out.swapon.show + 1' },
      { ...claim, id: 'c', metric: 'b:out.meminfo.Swaptotal_kB' },
      { ...claim, id: 'd', metric: 'b:out.nope' },
    ] });
    const { code, out } = await swaplab('run', arms);
    expect(code).toBe(1);
    const text = out.replace(/\s+/g, ' ');
    expect(text).toContain('"out.meminfo.SwapTotal_kB" names no arm: expected ARM:METRIC with one of a, b');
    expect(text).toContain('"b:out.swapon.show" is a text, where a number is needed');
    expect(text).toContain('there is no metric "b:out.meminfo.Swaptotal_kB"; was "b:out.meminfo.SwapTotal_kB" meant?');
    expect(text).toContain('there is no metric "b:out.nope" ');
  });
});

describe('standard output and error', () => {
  const failing = (code: string): Writable => new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  });
  const listening = (): Writable & { text: string } => {
    const stream = Object.assign(new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        stream.text += chunk.toString();
        done();
      },
    }), { text: '' });
    return stream;
  };
  const settled = (): Promise<void> => new Promise((done) => void setImmediate(done));

  it('a reader that leaves changes nothing of the exit code; a full disk is told, with code 2', async () => {
    for (const [error, code, said] of [
      ['EPIPE', 1, ''], ['ENOSPC', 2, 'swaplab: cannot write to standard output: no space is left\n'],
    ] as const) {
      const stderr = listening();
      const io = streamIo(failing(error), stderr);
      io.out('a');
      await settled();
      io.out('b');
      await settled();
      expect([io.exitCode(1), stderr.text]).toEqual([code, said]);
    }
  });

  it('nobody to hear an error changes nothing either', async () => {
    const io = streamIo(listening(), failing('ENOSPC'));
    io.err('a');
    await settled();
    io.err('b');
    expect(io.exitCode(2)).toBe(2);
  });
});
