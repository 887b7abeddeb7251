import { runNode } from '../lib/run.mjs';
import { hasDisplay } from '../setup/display.mjs';
import { electronEnv } from '../setup/electron.mjs';
import { buildForTests, prepareTestMachine } from '../setup/test-machine.mjs';
import { startXvfb } from '../setup/xvfb.mjs';

/** `npm run e2e [-- PLAYWRIGHT-ARGUMENTS]`: end-to-end tests alone, under a display of their own where there is none. */
export default async function e2e(args) {
  const electron = await prepareTestMachine();
  await buildForTests(electron);
  const xvfb = hasDisplay() ? undefined : await startXvfb();
  try {
    const env = electronEnv(electron, { ...process.env, ...(xvfb && { DISPLAY: xvfb.display }) });
    const { code } = await runNode('node_modules/@playwright/test/cli.js', ['test', ...args], { show: true, env });
    return code;
  } finally {
    await xvfb?.stop();
  }
}
