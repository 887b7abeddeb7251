/** Built-in experiments with bytes flipped and values replaced: the gate answers, keeps what it takes, and what it takes runs. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText, experimentText } from '../contract/canonical';
import { openExperiment } from '../contract/gate';
import { resultSchema } from '../contract/result';
import { createMachine, MachineBuildError } from '../engine/create-machine';
import { armNames } from '../engine/experiment/arms';
import { assembleResult, seedRun } from '../engine/experiment/result';
import type { ExperimentSpec } from '../engine/experiment/spec';
import type { Machine } from '../engine/machine';

const FOLDER = new URL('../../resources/experiments/', import.meta.url);
const TEXTS = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).sort().map((name) => readFileSync(new URL(name, FOLDER), 'utf8'));

/** Milliseconds of the CPU for one file; a hundred times what the largest built-in takes. */
const AT_ONCE = 1000;
/** Page operations of each machine that came through. */
const OPERATIONS = 1000;
const RUNS = 60;

const build = (spec: ExperimentSpec, arm: string): Machine | undefined => {
  try {
    return createMachine(spec, spec.seeds[0], arm);
  } catch (error) {
    if (error instanceof MachineBuildError) return undefined;
    throw error;
  }
};

/** Returns whether it was let through. */
const check = (source: Uint8Array | string): boolean => {
  const begun = process.cpuUsage();
  const outcome = openExperiment(source);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1000).toBeLessThan(AT_ONCE);
  if (!outcome.ok) {
    expect(outcome.message).toMatch(/^[^\p{Cc}\p{Surrogate}\u2028-\u202e\u2066-\u2069]{1,700}$/u);
    return false;
  }
  const { spec } = outcome;
  const text = experimentText(spec);
  const again = openExperiment(text);
  if (!again.ok) throw new Error(`what the gate let through and the writer wrote is refused: ${again.message}`);
  expect(again.spec).toEqual(spec);
  expect(experimentText(again.spec)).toBe(text);
  const [arm = ''] = armNames(spec);
  const machine = build(spec, arm);
  if (!machine) return true;
  machine.advance(Infinity, OPERATIONS);
  expect(machine.checkInvariants()).toEqual([]);
  const result = assembleResult(spec, [{ name: arm, kernel: spec.kernel, runs: [seedRun(machine)] }]);
  expect(() => resultSchema.parse(JSON.parse(canonicalText(result)))).not.toThrow();
  return true;
};

const ODD: readonly unknown[] = [
  0, -0, 1, -1, 2, 0.5, 511, 512, 1e308, 2 ** 31, 2 ** 53, true, null, '', '0', '-1', 'max', '1G', '\n', '99999999999999999999', [], {},
  '/', '//', '/..', '/app', 'hog', '/dev/vdc', 'xswap0', 'xswap', 'linux-6.18', 'EINVAL', '/proc/swaps', 'always', 'constructor', 'a\u202eb',
];

type Json = Record<string | number, unknown>;
type Path = readonly (string | number)[];
const pathsIn = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...path, Array.isArray(value) ? Number(key) : key]));
  return path.length ? [path, ...inner] : inner;
};

describe('built-in experiments', { timeout: 120_000 }, () => {
  it('as they are, and with some bytes flipped', () => {
    for (const text of TEXTS) expect(check(text)).toBe(true);
    const flips = fc.array(fc.tuple(fc.nat(1e6), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(fc.property(fc.constantFrom(...TEXTS), flips, (text, at) => {
      const bytes = new TextEncoder().encode(text);
      for (const [place, byte] of at) bytes[place % bytes.length] = byte;
      check(bytes);
    }), { numRuns: RUNS });
  });

  it('with values left out, doubled and replaced', () => {
    const edit = fc.record({ place: fc.nat(1e6), value: fc.constantFrom(...ODD), how: fc.constantFrom('drop', 'double', 'replace') });
    const edits = fc.array(edit, { minLength: 1, maxLength: 2 });
    fc.assert(fc.property(fc.constantFrom(...TEXTS), edits, (text, changes) => {
      const experiment = JSON.parse(text) as Json;
      for (const { place, value, how } of changes) {
        const paths = pathsIn(experiment);
        const path = paths[place % paths.length] ?? [];
        let node = experiment;
        for (const key of path.slice(0, -1)) node = node[key] as Json;
        const key = path.at(-1) ?? '';
        if (Array.isArray(node) && how === 'drop') node.splice(Number(key), 1);
        else if (Array.isArray(node) && how === 'double') node.splice(Number(key), 0, structuredClone<unknown>(node[Number(key)]));
        else if (how === 'drop') delete node[key];
        else node[key] = structuredClone(value);
      }
      check(JSON.stringify(experiment));
    }), { numRuns: RUNS });
  });
});
