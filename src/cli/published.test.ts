/**
 * Every built-in experiment runs to its end and holds every one of its claims; among them the published results of the issue,
 * step by step. The files stand in the canonical form.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { experimentText } from '../contract/canonical';
import { openExperiment } from '../contract/gate';
import { createMachine } from '../engine/create-machine';
import { armNames } from '../engine/experiment/arms';
import { builtinIds } from './load';
import { runExperiment } from './run';
import { recordedIo } from './testing/io';

const FOLDER = join(import.meta.dirname, '../../resources/experiments');
const read = (id: string): string => readFileSync(join(FOLDER, `${id}.swaplab.json`), 'utf8');
const specOf = (id: string) => {
  const outcome = openExperiment(read(id));
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.spec;
};

describe.each(builtinIds())('builtin:%s', (id) => {
  it('is in the canonical form and names a source for every claim', () => {
    const spec = specOf(id);
    expect(experimentText(spec)).toBe(read(id));
    expect(spec.claims.length).toBeGreaterThan(0);
    expect(spec.notes.length).toBeGreaterThan(50);
  });

  it('runs to its end, holds its claims, and leaves a sound machine', { timeout: 180_000 }, () => {
    const spec = specOf(id);
    const { result } = runExperiment(spec, [], recordedIo());
    expect(result.arms.flatMap((arm) => arm.runs.map((run) => run.failure)).filter((failure) => failure !== undefined)).toEqual([]);
    expect(result.claims.filter((claim) => !claim.holds).map(({ id: claim, value }) => [claim, value])).toEqual([]);
    expect(result.complete).toBe(true);
  });
});

describe('the same run', () => {
  it.each(['priorities-three-devices', 'zswap-in-front-of-a-disk', 'memcg-oom'])('%s comes to the same digest however it is sliced', (id) => {
    const spec = specOf(id);
    const arm = armNames(spec)[0];
    const run = (until: (now: number) => number, operations: number): string => {
      const machine = createMachine(spec, 1, arm);
      for (let i = 0; ; i++) {
        const { done, now } = machine.advance(until(machine.now()), operations);
        if (done) break;
        if (i % 7 === 0) machine.series(machine.columns(), 50);
        expect(now).toBe(machine.now());
      }
      expect(machine.checkInvariants()).toEqual([]);
      return machine.digest();
    };
    const whole = run(() => Infinity, Infinity);
    expect(whole).toMatch(/^[0-9a-f]{32}$/);
    expect(run(() => Infinity, 97)).toBe(whole);
    expect(run((now) => now + 3_700_000, 1e6)).toBe(whole);
    expect(run((now) => now + 50_000_000, 1013)).toBe(whole);
  });
});
