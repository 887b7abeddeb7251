import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkExperiment, MAX_FILE_BYTES, openExperiment } from './gate';
import type { GateOutcome } from './gate';

const VALID = {
  format: 'swaplab/experiment', version: 1, title: 'T', notes: 'two\nlines', kernel: 'linux-6.18', measure: {}, seeds: [1], arms: [],
  machine: { ram_pages: 4096, cpus: 2, nodes: 1, swap: [
    { kind: 'zram', name: '/dev/zram0', size_pages: 1024, priority: 5 },
    { kind: 'partition', name: '/dev/vdc', size_pages: 4096 },
  ] },
  workload: { steps: [
    { start: { name: 'hog', program: 'memhog', size_pages: 1000, fill: 'pattern' } },
    { wait: 'hog', until: 'touched' },
    { probe: 'end' },
  ] },
  claims: [{ id: 'c', source: 's', what: 'w', metric: 'end.meminfo.SwapTotal_kB', equals: 20472 }],
};
type Json = Record<string, unknown>;
/** The valid file with a value replaced by path. */
const with_ = (path: (string | number)[], value: unknown): string => {
  const copy = structuredClone(VALID) as unknown as Json;
  let node = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) node = node[key] as Record<string | number, unknown>;
  node[path.at(-1)!] = value;
  return JSON.stringify(copy);
};
const refused = (outcome: GateOutcome): Extract<GateOutcome, { ok: false }> => {
  if (outcome.ok) throw new Error('was let through');
  return outcome;
};

/** What JSON.stringify cannot say. */
const replaced = (from: string, to: string): string => {
  const text = JSON.stringify(VALID);
  if (!text.includes(from)) throw new Error(`there is no ${from}`);
  return text.replace(from, to);
};

describe('the gate', () => {
  it('lets a valid file through, from text and from bytes, and estimates its cost', () => {
    const outcome = openExperiment(JSON.stringify(VALID));
    expect(outcome).toMatchObject({ ok: true, estimatedOps: 1003, spec: VALID });
    expect(openExperiment(new TextEncoder().encode(`\ufeff${JSON.stringify(VALID)}`)).ok).toBe(true);
  });

  it.each<[(string | number)[], unknown, string]>([
    [['machine', 'swap', 1, 'priority'], 'ten', 'machine.swap[1].priority: expected a whole number from 0 to 32767, got "ten"'],
    [['machine', 'swap', 0, 'priority'], 32768, 'machine.swap[0].priority: expected a whole number from 0 to 32767, got 32768'],
    [['machine', 'swap', 0, 'node'], 64, 'machine.swap[0].node: expected a whole number from 0 to 63, got 64'],
    [['machine', 'swap', 0, 'node'], 1, 'machine.swap[0].node: expected a node of the machine, 0 to 0, got 1'],
    [['machine', 'swap', 0], { kind: 'xswap', name: 'xswap0', node: 0 },
      'machine.swap[0].node: expected nothing: an xswap device is attached to no node, got 0'],
    [['machine', 'ram_pages'], 511, 'machine.ram_pages: expected a whole number from 512 to 268435456, got 511'],
    [['machine', 'ram_pages'], 1000.5, 'machine.ram_pages: expected a whole number from 512 to 268435456, got 1000.5'],
    [['machine', 'swap', 0, 'kind'], 'floppy', 'machine.swap[0].kind: expected one of "zram", "partition", "file", "xswap", got "floppy"'],
    [['machine', 'swap', 1, 'name'], '/dev/zram0', 'machine.swap[1].name: expected a name that no other device has, got "/dev/zram0"'],
    [['machine', 'swap', 0, 'name'], '/dev/sda', 'machine.swap[0].name: expected for kind "zram" "/dev/zram0", "/dev/zram1", …, got "/dev/sda"'],
    [['machine', 'swap', 0, 'size_pages'], undefined, 'machine.swap[0].size_pages: expected a whole number from 10 to 134217728, got nothing'],
    [['machine', 'nodes'], 3, 'machine.nodes: expected at most as many nodes as CPUs (2), got 3'],
    [['machine', 'thp'], { '4kB': 'always' }, 'machine.thp: expected a size from "16kB" to "2048kB", got "4kB"'],
    [['machine', 'thp'], { '64kB': 'yes' }, 'machine.thp[64kB]'],
    [['kernel'], 7, 'kernel: expected a kernel id, or {"base": kernel id, "set": {policy: value}}, got 7'],
    [['kernel'], { base: 'linux-6.18', sets: {} }, 'kernel: expected one of the keys "base", "set", got "sets"'],
    [['kernel'], 'linux-9', "kernel: unknown kernel 'linux-9': expected one of "],
    [['title'], 'a\nb', 'title: expected one line of text'],
    [['extra'], 1, '"seeds", "claims", got "extra"'],
    [['seeds'], [], 'seeds: expected a list of 1 to 1000 entries, got a list of 0'],
    [['seeds', 0], 1.5, 'seeds[0]: expected a whole number from 0 to 9007199254740991, got 1.5'],
    [['workload', 'steps', 1, 'until'], 'over', 'workload.steps[1].until: expected one of "touched", "done", "ended", got "over"'],
    [['workload', 'steps', 1, 'wait'], 'cat', 'workload.steps[1].wait: expected a program that a step before has started, got "cat"'],
    [['workload', 'steps', 0, 'start', 'cpu'], 2, 'workload.steps[0].start.cpu: expected a CPU of the machine, 0 to 1, got 2'],
    [['workload', 'steps', 1], { jump: 3 }, 'workload.steps[1]: expected one of the keys "write", "mkdir", "rmdir"'],
    [['workload', 'steps', 1], { write: '/x', text: 5 },
      'workload.steps[1].text: expected a text of at most 4096 characters without control characters, got 5'],
    [['workload', 'events'], [{ at: 5, step: { sleep: 1 } }], 'workload.events[0].step'],
    [['claims', 0, 'band'], [1, 2], 'claims[0]: expected "band" or "equals", or neither: a report'],
    [['workload', 'steps', 0, 'start', 'churn'], {}, 'workload.steps[0].start.churn: expected nothing: it belongs to thp_swap_allocator_test'],
    [['workload', 'steps', 0, 'start', 'program'], 'random_access', 'workload.steps[0].start.access: expected for random_access'],
    [['workload', 'steps', 0, 'start', 'program'], 'thp_swap_allocator_test', 'for thp_swap_allocator_test a multiple of 240'],
    [['workload', 'steps', 0, 'start', 'copies'], 0, 'workload.steps[0].start.copies: expected a whole number from 1 to 1024'],
    [['workload', 'steps', 2], { fork: 'nobody', as: 'child' }, 'workload.steps[2].fork: expected a program that a step before has started'],
    [['workload', 'steps', 2], { fork: 'hog', as: 'hog' }, 'workload.steps[2].as: expected another name than that of the parent'],
    [['workload', 'steps', 2], { fork: 'hog', as: 'child', cpu: 2 }, 'workload.steps[2].cpu: expected a CPU of the machine, 0 to 1'],
    [['scale'], 0.5, 'scale: expected a whole number from 1 to 1000000'],
    [['claims', 0], { id: 'c', source: 's', what: 'w', expression: '1 +', equals: 1 },
      'claims[0].expression: expected a number, a metric or "(" at character 4, got the end'],
    [['arms'], [{ name: 'a', set: { 'machine.ram_pages': 'x' } }],
      'arms[0] makes machine.ram_pages: expected a whole number from 512 to 268435456, got "x"'],
    [['arms'], [{ name: 'a', set: { 'machine.foo.bar': 1 } }], 'arms[0].set: "machine.foo.bar" leads nowhere at "foo"'],
  ])('names the place and what was expected: %j = %j', (path, value, problem) => {
    const { reason, problems } = refused(openExperiment(with_(path, value)));
    expect(reason).toBe('shape');
    expect(problems.join('\n').replaceAll('thp["64kB"]', 'thp[64kB]')).toContain(problem);
  });

  it('refuses hostile files with their reason', { timeout: 20_000 }, () => {
    expect(refused(openExperiment(' '.repeat(MAX_FILE_BYTES + 1))).reason).toBe('size');
    expect(refused(openExperiment(new Uint8Array([0x7b, 0xff, 0xfe])))).toMatchObject({ reason: 'encoding' });
    expect(refused(openExperiment('['.repeat(20_000) + ']'.repeat(20_000)))).toMatchObject({ reason: 'depth' });
    expect(refused(openExperiment('{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000))).reason).toBe('depth');
    expect(refused(openExperiment(with_(['seeds'], Array.from({ length: 1_000_000 }, () => 'x')))).message).toContain('more than 200000 values');
    expect(refused(openExperiment(with_(['seeds'], Array.from({ length: 150_000 }, () => 'x')))).problems.length).toBeLessThan(25);
    expect(refused(openExperiment(with_(['notes'], 'x'.repeat(10_000_000)))).problems[0]).toMatch(/^notes: expected a text of at most 20000 characters.*x…$/);
    const polluted = JSON.stringify(VALID).replace('"notes"', '"__proto__":{"polluted":1},"notes"');
    expect(refused(openExperiment(polluted)).message).toContain('"__proto__" is not allowed');
    expect(refused(openExperiment(JSON.stringify(VALID).replace('"ram_pages"', '"constructor":1,"ram_pages"'))).message).toContain('(at machine)');
    expect(refused(openExperiment(JSON.stringify(VALID).replace('4096', 'NaN'))).message).toContain('NaN and Infinity are no numbers of JSON');
    const infinite = JSON.stringify(VALID).replace('4096', '1e999');
    expect(refused(openExperiment(infinite)).problems[0]).toContain('machine.ram_pages: expected a whole number');
    expect(refused(openExperiment('{"format": "swaplab/experiment", "vers')).message).toContain('it ends too early');
    expect(refused(openExperiment('')).message).toBe('The file is empty.');
    expect(refused(openExperiment('[1, 2]')).message).toContain('got a list of 2');
    expect(refused(openExperiment(with_(['format'], 'swaplab/result'))).message).toContain('a result, not an experiment');
    expect(({} as Json)['polluted']).toBeUndefined();
  });

  it('refuses a key that stands twice, wherever, and nothing that only looks like one', () => {
    expect(refused(openExperiment(replaced('"version":1', '"version":1,"title":"a"'))).message).toBe('The key "title" stands twice (at the top).');
    expect(refused(openExperiment(replaced('"size_pages":4096', '"size_pages":4096,"\\u0073ize_pages":9'))).message)
      .toBe('The key "size_pages" stands twice (at machine.swap[1]).');
    const notes = with_(['notes'], '{"title": "title"}, "title": \\" [');
    expect(openExperiment(notes).ok).toBe(true);
  });

  it.each([['a C1 control', '\u009b31m'], ['a line separator', '\u2028'], ['a bidi override', '\u202e'], ['a bidi isolate', '\u2066'],
    ['half a surrogate pair', '\ud800'], ['an escape', '\u001b[2J']])('refuses %s in every text', (_, mark) => {
    for (const path of [['title'], ['notes'], ['claims', 0, 'what'], ['claims', 0, 'equals'], ['claims', 0, 'metric']]) {
      expect(refused(openExperiment(with_(path, `a${mark}b`))).problems[0]).toContain(': expected ');
    }
    for (const step of [{ write: `/proc/${mark}`, text: '' }, { write: '/proc/x', text: mark }, { swapon: `/dev/${mark}` }]) {
      expect(refused(openExperiment(with_(['workload', 'steps', 1], step))).reason).toBe('shape');
    }
    const named = refused(openExperiment(with_([`a${mark}b`], 1))).problems.join('');
    expect(named).toContain('"claims", got "a\\u');
  });

  it('lets texts of all scripts through', () => {
    expect(openExperiment(with_(['title'], 'Ünï 実験 🙂 עברית عربي e\u0301')).ok).toBe(true);
  });

  it('takes -0 for 0, which is what it is in a file', () => {
    for (const from of ['"seeds":[1]', '"priority":5']) {
      const outcome = openExperiment(replaced(from, from.replace(/\d/, '-0')));
      if (!outcome.ok) throw new Error(outcome.message);
      expect(Object.is(outcome.spec.seeds[0], -0) || Object.is(outcome.spec.machine.swap[0]?.priority, -0)).toBe(false);
    }
  });

  it('bounds what events start, what probes keep, and what a repeat pages out or switches on and off', () => {
    const event = (i: number): object => ({ at: i, step: { start: { name: `p${i}`, program: 'hog', size_pages: 2 ** 25, fill: 'zero' } } });
    const started = refused(openExperiment(with_(['workload', 'events'], [event(0), event(1)])));
    expect(started.message).toContain('programs of at most 33554432 pages at a time');
    const machine = { ...VALID.machine, cgroups: Array.from({ length: 256 }, (_, i) => ({ path: `/c${i}` })) };
    const probing = { ...VALID, machine, workload: { steps: Array.from({ length: 3000 }, (_, i) => ({ probe: `q${i}` })) }, claims: [] };
    expect(refused(checkExperiment(probing, { allowLong: true }))).toMatchObject({ reason: 'limit' });
    const repeating = (step: object): object => ({
      ...VALID, claims: [],
      machine: { ...VALID.machine, swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 2 ** 27 }] },
      workload: { steps: [{ start: { name: 'hog', program: 'hog', size_pages: 2 ** 18, fill: 'zero' } }, { repeat: 1e6, steps: [step] }] },
    });
    expect(refused(checkExperiment(repeating({ swapoff: '/dev/vdc' }))).reason).toBe('cost');
    expect(refused(checkExperiment(repeating({ pageout: 'hog', pages: 10 }))).reason).toBe('cost');
    const holding = { start: { name: 'hog', program: 'hog', size_pages: 1, fill: 'zero', hold_s: 1e6 } };
    const again = { ...VALID, claims: [], workload: { steps: Array.from({ length: 20 }, () => holding) } };
    expect(refused(checkExperiment(again)).message).toContain('days of simulated time');
  });

  it('keeps the names of copies apart from those of other programs', () => {
    const [, , probe] = VALID.workload.steps;
    const start = (name: string, copies?: number): object => (
      { start: { name, program: 'memhog', size_pages: 10, fill: 'zero', ...(copies === undefined ? {} : { copies }) } }
    );
    const steps = (...list: object[]): string => with_(['workload', 'steps'], [...list, probe]);
    expect(openExperiment(steps(start('hog', 2), start('hog.3'), start('hog.02'), start('hog.x'), start('other.1'), start('hog', 2))).ok).toBe(true);
    expect(refused(openExperiment(steps(start('hog.2'), start('hog', 2)))).message)
      .toContain('workload.steps[0].start.name: expected another name: a copy of "hog" is called so, got "hog.2"');
    const event = { at: 5, step: start('hog', 1) };
    expect(refused(openExperiment(with_(['workload'], { steps: [start('hog.1'), probe], events: [event] }))).message)
      .toContain('workload.steps[0].start.name');
    expect(refused(openExperiment(with_(['workload'], { steps: [start('hog', 3), probe], events: [{ at: 5, step: start('hog.3') }] }))).message)
      .toContain('workload.events[0].step.start.name');
  });

  it('names the place of a claim that cannot be read', () => {
    const deep = `${'('.repeat(200)}1${')'.repeat(200)}`;
    expect(refused(openExperiment(with_(['claims', 0], { id: 'c', source: 's', what: 'w', expression: deep, equals: 1 }))).message)
      .toBe('A claim cannot be read: claims[0].expression: nests more than 32 deep.');
  });

  it('refuses a newer version and says so', () => {
    const outcome = refused(openExperiment(with_(['version'], 2)));
    expect(outcome.reason).toBe('newer');
    expect(outcome.message).toBe('The file has version 2 of the format, written by a newer Swaplab; this one reads version 1.');
  });

  it('counts the walks of the invariant checker as work', () => {
    const file = (check_every: number): string => JSON.stringify({
      ...VALID, measure: { check_every },
      workload: { steps: [{ start: { name: 'hog', program: 'memhog', size_pages: 1 << 20, fill: 'zero' } }, ...VALID.workload.steps.slice(1)] },
    });
    expect(openExperiment(file(1 << 20)).ok).toBe(true);
    expect(refused(openExperiment(file(1)))).toMatchObject({ reason: 'cost' });
    expect(openExperiment(file(1), { allowLong: true }).ok).toBe(true);
  });

  it('refuses a run that would take a week, unless it was asked for', () => {
    const week = structuredClone(VALID) as unknown as { seeds: number[]; workload: { steps: { start?: { size_pages: number } }[] } };
    week.seeds = Array.from({ length: 1000 }, (_, i) => i);
    week.workload.steps[0].start!.size_pages = 2 ** 25;
    const outcome = refused(checkExperiment(week));
    expect(outcome.reason).toBe('cost');
    expect(outcome.message).toBe('The run would take about 3.4e+10 page operations, about 5 hours of work; the limit is 2e+10.');
    expect(checkExperiment(week, { allowLong: true }).ok).toBe(true);
    const busy = with_(['workload', 'steps'], Array.from({ length: 100 }, () => ({ repeat: 1e6, steps: [{ swapoff: '/dev/vdc' }] })));
    expect(refused(openExperiment(busy)).message).toMatch(/^The run would take about 3\.0e\+10 page operations/);
    const many = { ...VALID, seeds: Array.from({ length: 600 }, (_, i) => i), arms: [{ name: 'a' }, { name: 'b' }] };
    expect(refused(checkExperiment(many)).message).toContain('1200 runs');
    const sleepy = with_(['workload', 'steps'], [{ repeat: 20, steps: [{ sleep: 1e6 }] }]);
    expect(refused(openExperiment(sleepy)).message).toContain('days of simulated time');
  });

  it('takes data that nests without end, or texts of any kind, without throwing', { timeout: 60_000 }, () => {
    const loop: Record<string, unknown> = { ...VALID };
    loop['notes'] = loop;
    expect(refused(checkExperiment(loop)).reason).toBe('keys');
    fc.assert(fc.property(fc.json({ maxDepth: 5 }), (text) => !openExperiment(text).ok), { numRuns: 300 });
    const keys = ['machine', 'workload', 'kernel', 'claims', 'arms', 'seeds', 'measure', 'title', 'notes', 'version'];
    fc.assert(fc.property(fc.constantFrom(...keys), fc.jsonValue(), (key, value) => {
      const outcome = openExperiment(with_([key], value));
      if (!outcome.ok) expect(outcome.message.length).toBeLessThan(600);
    }), { numRuns: 400 });
    const text = JSON.stringify(VALID);
    fc.assert(fc.property(fc.nat(text.length - 1), fc.nat(255), (at, byte) => {
      const bytes = new TextEncoder().encode(text);
      bytes[at] = byte;
      const outcome = openExperiment(bytes);
      expect(typeof outcome.ok).toBe('boolean');
    }), { numRuns: 400 });
  });
});
