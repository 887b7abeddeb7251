import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayCommand } from './replay';

const TRACES = join(import.meta.dirname, '../../test-data/kernel-traces/linux-6.18');
const textOf = (name: string): string => gunzipSync(readFileSync(join(TRACES, name))).toString('latin1');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'swaplab-replay-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function replay(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await replayCommand(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

function written(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** One sentence: one line, with something in it. */
const ONE_LINE = /^swaplab replay: [^\n]+\n$/;

describe('swaplab replay', () => {
  it('matches a trace, compressed or not, and says so as text and as JSON', async () => {
    expect(await replay(join(TRACES, 'd-fullpc.txt.gz'), '--json')).toEqual({
      code: 0, out: '{"events":1023,"matched":1023,"firstMismatch":null}\n', err: '',
    });
    const plain = written('plain.txt', textOf('d-fullpc.txt.gz'));
    const result = await replay(plain);
    expect(result.code).toBe(0);
    expect(result.out).toContain('1023 of 1023 events match linux-6.18');
  });

  it('counts A, X, U and N lines as events', async () => {
    for (const name of ['frag-order4.txt.gz', 'x-full-0.txt.gz', 'seq-order9-256M.txt.gz']) {
      const events = textOf(name).split('\n').filter((line) => /^[AXUN] /.test(line)).length;
      const result = await replay(join(TRACES, name), '--json');
      expect(JSON.parse(result.out)).toEqual({ events, matched: events, firstMismatch: null });
    }
  });

  it('reports one changed slot at its line, whatever the order and wherever the slot leads', { timeout: 60_000 }, async () => {
    for (const name of readdirSync(TRACES).filter((file) => file.endsWith('.gz'))) {
      const lines = textOf(name).split('\n');
      const singles = lines.flatMap((line, at) => (line.startsWith('A ') ? [at] : []));
      for (const share of [0.1, 0.5, 0.99]) {
        const at = singles[Math.floor(singles.length * share)];
        const words = lines[at].split(' ');
        for (const slot of [Number(words[3]) + 1, 134217728 + Number(words[3])]) {
          if (inSet(lines, at)) continue;
          const changed = [...lines];
          changed[at] = [...words.slice(0, 3), slot].join(' ');
          const result = await replay(written('changed.txt', changed.join('\n')), '--json');
          expect(result.code, name).toBe(1);
          expect(JSON.parse(result.out).firstMismatch).toEqual({ line: at + 1, expected: changed[at], got: lines[at] });
        }
      }
    }
  });

  it('reports a changed slot inside a set', async () => {
    const lines = textOf('frag-order4.txt.gz').split('\n');
    const at = lines.findIndex((line) => line.startsWith('U ')) + 5;
    lines[at] = 'A 0 0 3000';
    const result = await replay(written('set.txt', lines.join('\n')), '--json');
    expect(result.code).toBe(1);
    expect(JSON.parse(result.out).firstMismatch.line).toBe(at + 1);
  });

  it('reports slots freed that are not in use', async () => {
    const lines = textOf('x-mix-0.txt.gz').split('\n');
    const at = lines.findIndex((line) => line.startsWith('F '));
    lines.splice(at, 0, lines[at]);
    const result = await replay(written('twice.txt', lines.join('\n')), '--json');
    expect(result.code).toBe(1);
    expect(JSON.parse(result.out).firstMismatch.line).toBe(at + 2);
  });

  it('answers code 2 and one sentence for what is no trace', async () => {
    const good = readFileSync(join(TRACES, 'seq-2dev-equal.txt.gz'));
    const text = textOf('frag-order4.txt.gz');
    const set = text.indexOf('\nU ');
    const bad: [string, string | Uint8Array][] = [
      ['torn.gz', good.subarray(0, 9000)],
      ['damaged.gz', Buffer.concat([good.subarray(0, 5000), Buffer.alloc(200, 7), good.subarray(5200)])],
      ['empty.txt', ''],
      ['foreign.txt', '{"format": "swaplab/experiment"}\n'],
      ['binary.bin', Uint8Array.from({ length: 4000 }, (_, i) => (i * 7919) & 0xff)],
      ['cut.txt', text.slice(0, 3001)],
      ['cut-in-set.txt', text.slice(0, text.indexOf('\n', set + 40) + 1)],
      ['no-table.txt', '# linux 6.18.44 x86_64\nA 0 0 1\n'],
      ['no-events.txt', text.slice(0, text.indexOf('\nA ') + 1)],
      ['words.txt', `${text.slice(0, text.indexOf('\nA ') + 1)}A 0 zero 1\n`],
      ['order.txt', `${text.slice(0, text.indexOf('\nA ') + 1)}A 10 0 1\n`],
      ['device.txt', `${text.slice(0, text.indexOf('\nA ') + 1)}O /dev/sda1 0\n`],
    ];
    for (const [name, content] of bad) {
      const result = await replay(written(name, content));
      expect(result.code, name).toBe(2);
      expect(result.err, name).toMatch(ONE_LINE);
      expect(result.out, name).toBe('');
    }
  });

  it.runIf(process.platform !== 'win32')('does not wait for a pipe that nobody writes to', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { code, err } = await replay(pipe);
    expect([code, err.trim()]).toEqual([2, expect.stringContaining(`${pipe} is no file`)]);
  });

  it('answers code 2 and one sentence for wrong usage', async () => {
    const good = join(TRACES, 'd-fullpc.txt.gz');
    const foreignKernel = written('old.txt', textOf('d-fullpc.txt.gz').replace('linux 6.18.15', 'linux 5.4.1'));
    for (const args of [
      [], [good, '--kernel', 'linux-9.9'], [good, '--kernel'], [good, '--explain', '3'], [good, good], [join(folder, 'absent')], [folder],
      [foreignKernel],
    ]) {
      const result = await replay(...args);
      expect(result.code, args.join(' ')).toBe(2);
      expect(result.err, args.join(' ')).toMatch(ONE_LINE);
    }
  });

  it('goes on after a difference: one changed slot costs one event', async () => {
    const lines = textOf('x-mix-0.txt.gz').split('\n');
    const events = lines.filter((line) => /^[AXUN] /.test(line)).length;
    const at = lines.findIndex((line, index) => index > 5000 && line.startsWith('A '));
    lines[at] = 'A 0 0 77';
    const result = await replay(written('one.txt', lines.join('\n')), '--json');
    expect(JSON.parse(result.out)).toMatchObject({ events, matched: events - 1, firstMismatch: { line: at + 1 } });
  });

  it('answers every damaged trace with a code of its own, never with a crash', { timeout: 60_000 }, async () => {
    const texts = ['swapoff-2dev.txt.gz', 'disk-ssd-full-0-4.txt.gz', 'twocpu-2dev.txt.gz', 'frag-order4.txt.gz'].map(textOf);
    const damaged = fc.tuple(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.nat(9999), fc.nat(9999), fc.constantFrom('copy', 'drop', 'words')), { minLength: 1, maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async ([text, changes]) => {
        const lines = text.split('\n').slice(0, 4000);
        for (const [from, to, how] of changes) {
          const [a, b] = [from % lines.length, to % lines.length];
          if (how === 'copy') lines.splice(b, 0, lines[a]);
          else if (how === 'drop') lines.splice(a, 1 + (to % 40));
          else lines[a] = [...lines[a].split(' ').slice(0, 1), ...lines[b].split(' ').slice(1)].join(' ');
        }
        const result = await replay(written('damaged.txt', `${lines.join('\n')}\n`), '--json');
        expect([0, 1, 2]).toContain(result.code);
        if (result.code === 2) expect(result.err).toMatch(ONE_LINE);
        else expect(JSON.parse(result.out).firstMismatch === null).toBe(result.code === 0);
      }),
      { numRuns: 150, seed: 5 },
    );
  });

  it('--explain tells how one line was served, with the lists before and after', async () => {
    const file = join(TRACES, 'full-0-4.txt.gz');
    const line = textOf('full-0-4.txt.gz').split('\n').findIndex((text, i) => i > 3000 && text.startsWith('A 4 ')) + 1;
    const slot = textOf('full-0-4.txt.gz').split('\n')[line - 1].split(' ')[3];
    const text = await replay(file, '--explain', String(line));
    expect(text.code).toBe(0);
    expect(slot).toBe('512');
    expect(text.out.split('\n').slice(1)).toEqual([
      '', `Line ${line}:`,
      '  per-CPU cluster 4 of order 4 on /dev/zram0 has 72 free slots and no aligned run of 16 slots from slot 2528 on: it is on frag[4] now',
      '  asked /dev/zram0 (priority -2, 2957 of 4095 pages in use)',
      '  took slots 512 to 527 in cluster 1 of /dev/zram0, from nonfull[4]; the cluster is on frag[4] now',
      '', 'Lists before:', '  /dev/zram0 nonfull[0]: 0 3 7 5', '  /dev/zram0 nonfull[4]: 1 2 6 4',
      '', 'Lists after:', '  /dev/zram0 nonfull[0]: 0 3 7 5', '  /dev/zram0 nonfull[4]: 2 6', '  /dev/zram0 frag[4]: 4 1', '',
    ]);
    const json = JSON.parse((await replay(file, `--explain=${line}`, '--json')).out);
    expect(json.explanation).toMatchObject({ line, decisions: { length: 3 } });
    expect(json.explanation.after[0].lists[2]).toEqual({ name: 'frag[4]', clusters: [4, 1], more: false });
    expect(json.firstMismatch).toBeNull();
    const free = textOf('full-0-4.txt.gz').split('\n').findIndex((written) => written.startsWith('F ')) + 1;
    expect((await replay(file, '--explain', String(free))).out).toMatch(/\n {2}cluster \d+ of \/dev\/zram0, \d+ slots in use, (went from|stays on) /);
    const disk = textOf('disk-ssd-0-4.txt.gz').split('\n').map((written) => written.split(' '));
    const folios = new Set(disk.flatMap(([what, order, , at]) => (what === 'A' && order === '4' ? [Math.floor(Number(at) / 16)] : [])));
    const part = disk.findIndex(([what, , at, count]) => what === 'F' && folios.has(Math.floor(Number(at) / 16)) && Number(count) < 16) + 1;
    expect((await replay(join(TRACES, 'disk-ssd-0-4.txt.gz'), '--explain', String(part))).out).toContain(
      `Line ${part}:\n  nothing is freed yet: the folio stays in the swap cache until the last of its slots is dropped\n`,
    );
    await expect(replay(file, '--explain', '1')).resolves.toMatchObject({ code: 2, err: expect.stringMatching(ONE_LINE) });
    await expect(replay(file, '--explain', 'x')).resolves.toMatchObject({ code: 2 });
  });

  it('says beside a difference when the recording itself cannot be whole', async () => {
    const lines = textOf('x-mix-0.txt.gz').split('\n');
    const freed = lines.findIndex((line) => line.startsWith('F '));
    const [, type, offset] = lines[freed].split(' ');
    const taken = lines.indexOf(`A 0 ${type} ${offset}`);
    const again = lines.indexOf(`A 0 ${type} ${offset}`, freed);
    expect([freed, taken, again].every((line) => line > 0)).toBe(true);
    const whole = await replay(join(TRACES, 'x-mix-0.txt.gz'), '--kernel', 'linux-6.12');
    expect(whole.code).toBe(1);
    expect(whole.out).not.toContain('note:');
    lines.splice(freed, 1);
    const { code, out } = await replay(written('gap.txt', lines.join('\n')));
    expect(code).toBe(1);
    expect(out).toContain(
      `note:   the recording is not whole, by line ${again}: slot ${offset} of type ${type} is taken again, which line ${taken + 1} took and no line freed\n`,
    );
    const used = await replay(written('used.txt', lines.join('\n').replace(/\t0\t/, '\t40\t')));
    expect(used.out).toContain('40 KiB in use at the start');
  });

  it('takes a recording without its first line when --kernel names the kernel', async () => {
    const text = textOf('d-fullpc.txt.gz');
    const file = written('nameless.txt', text.slice(text.indexOf('# Filename')));
    const named = await replay(file, '--kernel', 'linux-6.18', '--json');
    expect(named).toMatchObject({ code: 0, out: '{"events":1023,"matched":1023,"firstMismatch":null}\n' });
    const { code, err } = await replay(file);
    expect([code, err]).toEqual([2, expect.stringMatching(/^swaplab replay: the trace does not name its kernel; [^\n]+ with --kernel\n$/)]);
  });

  it('takes another kernel with --kernel', async () => {
    const result = await replay(join(TRACES, 'seq-4dev-default.txt.gz'), '--kernel', 'xswap', '--json');
    expect(result.code).toBe(1);
    expect(JSON.parse(result.out).firstMismatch.expected).toMatch(/^A 0 0 /);
  });
});

/** Does the A line belong to a set that an X or U line announced? Goes back over at most 512 A lines. */
function inSet(lines: readonly string[], at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back <= 512; back--) {
    const words = lines[back].split(' ');
    if (words[0] === 'U') return at - back <= Number(words[1]);
    if (words[0] === 'X') return at - back <= 1 << Number(words[1]);
    if (words[0] !== 'A' || words[1] !== '0') return false;
  }
  return false;
}
