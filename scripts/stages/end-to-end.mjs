import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { startXvfb } from '../setup/xvfb.mjs';

const REPORT = join(ROOT, 'test-results', 'e2e.json');

function* testsIn(suite, path = []) {
  for (const spec of suite.specs ?? []) {
    for (const test of spec.tests) yield { title: [...path, spec.title].join(' › '), test };
  }
  for (const inner of suite.suites ?? []) yield* testsIn(inner, [...path, inner.title]);
}

/**
 * Counts from Playwright's JSON report. A flaky test counts as failed: there are no retries to be flaky in.
 * @returns {import('./stage.mjs').Outcome & {skips: string[]}}
 */
export function readReport(report) {
  let [passed, failed, skipped] = [0, 0, 0];
  const details = [];
  const skips = [];
  for (const suite of report.suites ?? []) {
    for (const { title, test } of testsIn(suite, [suite.title])) {
      if (test.status === 'expected') passed++;
      else if (test.status === 'skipped') {
        skipped++;
        const why = test.annotations?.find((annotation) => annotation.type === 'skip')?.description;
        skips.push(`${title}: ${why ?? 'no reason given'}`);
      } else {
        failed++;
        const errors = test.results.flatMap((result) => result.errors ?? []).map((error) => error.message ?? String(error.value));
        details.push(`${title}\n${errors.join('\n')}`);
      }
    }
  }
  for (const error of report.errors ?? []) {
    failed++;
    details.push(error.message ?? String(error.value));
  }
  return { passed, failed, skipped, details: details.join('\n\n'), skips };
}

/** End-to-end tests: the real app in a real Electron, under a virtual display of their own. */
export async function endToEnd(wrap, env) {
  mkdirSync(join(ROOT, 'test-results'), { recursive: true });
  rmSync(REPORT, { force: true });
  const xvfb = process.platform === 'linux' ? await startXvfb() : undefined;
  try {
    const [file, args] = wrap(process.execPath, [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=json']);
    const { code, out, err } = await run(file, args, {
      env: { ...env, ...(xvfb && { DISPLAY: xvfb.display, WAYLAND_DISPLAY: '' }), PLAYWRIGHT_JSON_OUTPUT_NAME: REPORT, NO_COLOR: '1' },
    });
    if (!existsSync(REPORT)) return { passed: 0, failed: 1, details: `${out}${err}\nPlaywright wrote no report (code ${code}).` };
    const outcome = readReport(JSON.parse(readFileSync(REPORT, 'utf8')));
    for (const skip of outcome.skips) say(`  skipped: ${skip}`);
    if (code !== 0 && outcome.failed === 0) return { ...outcome, failed: 1, details: `${err}\nPlaywright ended with ${code}.` };
    return outcome;
  } finally {
    await xvfb?.stop();
  }
}
