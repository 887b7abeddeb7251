import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';

const REPORT = join(ROOT, 'test-results', 'unit.json');

/** Folders whose tests must not vanish: one without a single test that ran is a failure. */
const GROUPS = ['src/engine', 'src/contract', 'src/cli', 'src/main', 'src/host', 'src/renderer', 'scripts'];

/** A test that ran out of time has the place where it was written in the place of a message. */
function why({ failureMessages = [] }) {
  return failureMessages.map((message) => (message.startsWith('Error: STACK_TRACE_ERROR') ? 'It ran out of time.' : message)).join('\n');
}

/**
 * Counts from vitest's JSON report.
 * @param {{testResults: readonly {name: string, status: string, message?: string,
 *   assertionResults: readonly {status: string, fullName: string, failureMessages?: readonly string[]}[]}[]}} report
 * @returns {import('./stage.mjs').Outcome & {groups: Record<string, number>}}
 */
export function readReport(report, { root = ROOT, groups = GROUPS } = {}) {
  let [passed, failed, skipped] = [0, 0, 0];
  const details = [];
  const byGroup = Object.fromEntries(groups.map((group) => [group, 0]));
  for (const file of report.testResults) {
    const path = relative(root, file.name).split(sep).join('/');
    const group = groups.find((folder) => path.startsWith(`${folder}/`));
    for (const test of file.assertionResults) {
      if (test.status === 'passed') passed++;
      else if (test.status === 'failed') failed++;
      else skipped++;
      if (test.status === 'failed') details.push(`${path}: ${test.fullName}\n${why(test)}`);
      if (group && (test.status === 'passed' || test.status === 'failed')) byGroup[group]++;
    }
    // A file that could not be loaded has no tests, but it has failed.
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) {
      failed++;
      details.push(`${path}: ${file.message ?? 'the file did not load'}`);
    }
  }
  for (const [group, count] of Object.entries(byGroup)) {
    if (count > 0) continue;
    failed++;
    details.push(`No test ran in ${group}.`);
  }
  return { passed, failed, skipped, details: details.join('\n\n'), groups: byGroup };
}

/** Unit, property, golden and trace tests (vitest). `wrap` makes the command of the program, for example without network. */
export async function unit(wrap, env = process.env) {
  mkdirSync(join(ROOT, 'test-results'), { recursive: true });
  rmSync(REPORT, { force: true });
  const [file, args] = wrap(process.execPath, [
    join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${REPORT}`, '--no-color',
  ]);
  const { code, out, err } = await run(file, args, { env: { ...env, NO_COLOR: '1' } });
  if (!existsSync(REPORT)) return { passed: 0, failed: 1, details: `${out}${err}\nvitest wrote no report (code ${code}).` };
  const outcome = readReport(JSON.parse(readFileSync(REPORT, 'utf8')));
  say(`  ${Object.entries(outcome.groups).map(([group, count]) => `${group} ${count}`).join(', ')}`);
  if (code !== 0 && outcome.failed === 0) {
    return { ...outcome, failed: 1, details: `${err}\nvitest ended with ${code}: an error outside of a test.` };
  }
  return outcome;
}
