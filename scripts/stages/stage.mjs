import { performance } from 'node:perf_hooks';
import { say } from '../lib/say.mjs';

/**
 * Outcome of a stage: numbers of checks, and what to show of those that failed.
 * @typedef {{passed: number, failed: number, skipped?: number, details?: string}} Outcome
 */

/** One check that is a program: it passes when the program ends with 0. */
export function oneCheck({ code, out, err }) {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, details: out + err };
}

/** A stage in which nothing ran has failed: something that should have been checked was not. */
export function judge(outcome) {
  const { passed, failed, skipped = 0, details = '' } = outcome;
  if (passed + failed > 0) return { passed, failed, skipped, details };
  return { passed, failed: 1, skipped, details: `${details}\nNo check ran in this stage.` };
}

export function counts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export function sum(outcomes) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const outcome of outcomes) for (const key of Object.keys(total)) total[key] += outcome[key];
  return total;
}

/** Runs a stage, prints its line, and returns its outcome. An error inside is a failure of the stage, not of the others. */
export async function runStage(name, stage) {
  const start = performance.now();
  let outcome;
  try {
    outcome = judge(await stage());
  } catch (error) {
    outcome = judge({ passed: 0, failed: 1, details: error?.stack ?? String(error) });
  }
  if (outcome.failed > 0 && outcome.details) say(`\n── ${name} ──\n${outcome.details.trim()}\n`);
  say(`${name}: ${counts(outcome)} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return outcome;
}
