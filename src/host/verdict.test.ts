import { expect, it } from 'vitest';
import { createMachine } from '../engine/create-machine';
import type { ExperimentSpec } from '../engine/experiment/spec';
import type { VerdictStatus } from '../contract/verdict';
import { Verdict } from './verdict';

/** Two zram devices under the default priority: 6.18 counts down, 7.3 takes turns. */
const SPEC: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'two devices', notes: '',
  machine: {
    ram_pages: 65536, cpus: 1, nodes: 1,
    swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 8192 }, { kind: 'zram', name: '/dev/zram1', size_pages: 8192 }],
  },
  kernel: 'linux-6.18',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'usemem', size_pages: 6000, fill: 'pattern', hold_s: 1 } },
      { wait: 'hog', until: 'touched' }, { pageout: 'hog', pages: 4088 }, { probe: 'out' },
    ],
  },
  arms: [{ name: 'before' }, { name: 'after', set: { kernel: 'linux-7.3' } }], measure: {}, seeds: [1, 2],
  claims: [
    { id: 'second', source: 's', what: 'w', expression: 'after:out.swaps.zram1.used_kB - before:out.swaps.zram1.used_kB', band: [4096, 16384] },
    { id: 'wrong', source: 's', what: 'w', metric: 'before:out.swaps.zram1.used_kB', equals: 4 },
    { id: 'report', source: 's', what: 'w', metric: 'after:out.swaps.zram0.used_kB' },
  ],
};

function make(): Verdict {
  return new Verdict({
    createMachine, now: () => performance.now(),
    schedule: (callback) => {
      const immediate = setImmediate(callback);
      return () => clearImmediate(immediate);
    },
  });
}

async function ended(verdict: Verdict): Promise<VerdictStatus> {
  while (verdict.status().state === 'running') await new Promise((resolve) => setTimeout(resolve, 5));
  return verdict.status();
}

it('runs all arms with all seeds and judges claims that speak of several arms', async () => {
  const verdict = make();
  verdict.start(SPEC);
  expect(verdict.status()).toMatchObject({ state: 'running', runs: 4, arm: 'before' });
  expect(await ended(verdict)).toEqual({ state: 'done', runs: 4, done: 4, progress: 1, arm: 'after' });
  const result = verdict.result();
  expect(result?.failures).toEqual([]);
  expect(result?.claims.map(({ id, holds }) => [id, holds])).toEqual([['second', true], ['wrong', false], ['report', true]]);
  expect(result?.claims[1]?.value).toBe(0);
  expect(result?.digest).toMatch(/^[0-9a-f]{32}$/);
});

it('names an arm that fails, and gives up when it is cancelled or the experiment is refused', async () => {
  const failing = { ...SPEC, arms: [{ name: 'bad', set: { 'machine.swap[0].on': false } }] };
  const steps = [...SPEC.workload.steps, { swapoff: '/dev/zram0' } as const];
  const verdict = make();
  verdict.start({ ...failing, workload: { steps } });
  await ended(verdict);
  expect(verdict.result()).toMatchObject({ digest: null, failures: [expect.stringMatching(/^bad: .*EINVAL/), expect.stringMatching(/^bad: /)] });
  verdict.start(SPEC);
  verdict.cancel();
  expect((await ended(verdict)).state).toBe('cancelled');
  expect(verdict.result()).toBeUndefined();
  expect(() => verdict.start({ ...SPEC, kernel: 'linux-9' })).toThrow('linux-9');
});

it('lets messages through between runs that are too short to be sliced, and can be cancelled there', async () => {
  const verdict = make();
  const seeds = Array.from({ length: 40 }, (_, i) => i);
  verdict.start({ ...SPEC, arms: [], workload: { steps: [] }, claims: [], seeds });
  expect(verdict.status()).toMatchObject({ state: 'running', runs: 40, done: 0 });
  while (verdict.status().done < 3) await new Promise((resolve) => setImmediate(resolve));
  expect(verdict.status().done).toBeLessThan(6);
  verdict.cancel();
  expect(await ended(verdict)).toMatchObject({ state: 'cancelled' });
  expect(verdict.result()).toBeUndefined();
});
