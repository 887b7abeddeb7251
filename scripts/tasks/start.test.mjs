import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { electronEnv, findElectron } from '../setup/electron.mjs';
import { startXvfb } from '../setup/xvfb.mjs';
import { isolatedEnv, removeTemporary, temporaryFolder } from '../testing/in-a-copy.mjs';

afterAll(removeTemporary);

const ENTRY = join(ROOT, 'scripts/entry.cjs');

describe('npm start', () => {
  it('without a display: runs the default experiment in Node, and needs no Electron', async () => {
    const env = isolatedEnv();
    const { code, out } = await run(process.execPath, [ENTRY, 'start'], { env });
    expect(code).toBe(0);
    const [first, ...rest] = out.split('\n');
    expect(first).toBe('No display here (neither DISPLAY nor WAYLAND_DISPLAY is set): running the experiment in Node, without the window.');
    expect(rest.join('\n')).toMatch(/xswap: the cap holds[^]*SwapTotal[^]*8140796 kB[^]*claims hold/);
    expect(out).not.toMatch(/Electron|Debian packages/);
    expect(existsSync(join(env.XDG_CACHE_HOME, 'swaplab'))).toBe(false);
  }, 180_000);

  it('without a display: a file that is not there ends with its sentence and code 2', async () => {
    const env = isolatedEnv({ INIT_CWD: temporaryFolder() });
    const { code, err } = await run(process.execPath, [ENTRY, 'start', 'nowhere.swaplab.json'], { env });
    expect(code).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain('nowhere.swaplab.json');
  });

  it.skipIf(process.platform !== 'linux')('with a display: opens the app, and passes switches on', async () => {
    const xvfb = await startXvfb();
    try {
      const env = electronEnv(findElectron(), isolatedEnv({ DISPLAY: xvfb.display }));
      const folder = temporaryFolder();
      const { code, out } = await run(process.execPath, [ENTRY, 'start', '--smoke', `--user-data-dir=${folder}`], { env });
      const answer = JSON.parse(out.split('\n').find((line) => line.startsWith('{')) ?? '{}');
      expect(answer).toMatchObject({ ok: true });
      expect(code).toBe(0);
    } finally {
      await xvfb.stop();
    }
  }, 180_000);
});
