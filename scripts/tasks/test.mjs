import { say } from '../lib/say.mjs';
import { Stop, explain } from '../lib/stop.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { electronEnv } from '../setup/electron.mjs';
import { whyNotWithoutNetwork, withoutNetwork } from '../setup/network-off.mjs';
import { PROGRAMS_TESTED, prepareTestMachine } from '../setup/test-machine.mjs';
import { endToEnd } from '../stages/end-to-end.mjs';
import { packaged } from '../stages/packaged.mjs';
import { counts, runStage, sum } from '../stages/stage.mjs';
import { STATIC } from '../stages/static.mjs';
import { unit } from '../stages/unit.mjs';

const STAGES = ['build', ...Object.keys(STATIC), 'unit', 'e2e', 'package'];

async function build(env) {
  const details = [];
  for (const name of PROGRAMS_TESTED) {
    try {
      await ensureBuilt(name, { env });
    } catch (error) {
      details.push(explain(error));
    }
  }
  return { passed: PROGRAMS_TESTED.length - details.length, failed: details.length, details: details.join('\n') };
}

/**
 * `npm test [-- STAGE …]`: all the set-up that is missing, then every check and test. The checks of the sources run beside
 * the unit tests; the end-to-end tests run alone, because they wait for windows.
 */
export default async function test(names) {
  const unknown = names.find((name) => !STAGES.includes(name));
  if (unknown) throw new Stop(`There is no stage "${unknown}": expected some of ${STAGES.join(', ')}.`);
  const wanted = (name) => names.length === 0 || names.includes(name);

  const electron = await prepareTestMachine();
  const env = electronEnv(electron);
  const networkStays = await whyNotWithoutNetwork();
  const wrap = networkStays === undefined ? withoutNetwork : (file, args) => [file, args];
  say(networkStays === undefined
    ? 'From here on without network: the tests run in a network namespace that has only the loopback interface.'
    : `skipped: running the tests without network (${networkStays})`);

  const outcomes = [{ passed: 0, failed: 0, skipped: networkStays === undefined ? 0 : 1 }];
  const stage = async (name, run) => {
    if (wanted(name)) outcomes.push(await runStage(name, run));
  };
  const readSources = async () => {
    for (const [name, check] of Object.entries(STATIC)) await stage(name, check);
  };
  // Most of what is tested is a program that was built: it is built first, and a program that does not build has failed.
  await stage('build', () => build(env));
  await Promise.all([readSources(), stage('unit', () => unit(wrap, env))]);
  await stage('e2e', () => endToEnd(wrap, env));
  await stage('package', () => packaged(wrap, env));

  const total = sum(outcomes);
  say(counts(total));
  return total.failed > 0 ? 1 : 0;
}
