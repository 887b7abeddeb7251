import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { runNode } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { Stop } from '../lib/stop.mjs';
import { readFuses, splitFuses, wrongFuses } from '../packaging/fuses.mjs';
import { smokeTest } from '../packaging/smoke.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { electronEnv } from '../setup/electron.mjs';
import { prepareTestMachine } from '../setup/test-machine.mjs';

const TEST_BUILD = `swaplab-TEST-BUILD-${process.platform}-${process.arch}`;
const require = createRequire(join(ROOT, 'package.json'));
const MARKER = 'TEST-BUILD.txt';

/** Folder of the unpacked app, as electron-builder names it. */
function unpackedFolder(dist) {
  const name = readdirSync(dist).find((entry) => /-unpacked$|^mac/.test(entry));
  if (!name) throw new Stop('electron-builder made no unpacked app: its output above says why.');
  return join(dist, name);
}

function programIn(folder) {
  if (process.platform === 'darwin') return join(folder, 'Swaplab.app', 'Contents', 'MacOS', 'Swaplab');
  return join(folder, process.platform === 'win32' ? 'Swaplab.exe' : 'swaplab');
}

/** The one that comes with the npm package 7zip-bin: electron-builder would fetch its own from elsewhere. */
function sevenZip() {
  const { path7za } = require('7zip-bin');
  // The package has it without the right to be executed.
  if (process.platform !== 'win32') chmodSync(path7za, 0o755);
  return path7za;
}

/**
 * electron-builder with the configuration of electron-builder.yml, the Electron at hand and the fuses that it has. The
 * configuration goes through a file: options given otherwise are merged, and merging cannot take a fuse out.
 */
async function electronBuilder(dist, electron, config, targets) {
  const file = join(dist, 'electron-builder.json');
  mkdirSync(dist, { recursive: true });
  writeFileSync(file, JSON.stringify({
    ...config, directories: { ...config.directories, output: dist }, electronDist: electron.dist, electronVersion: electron.version,
  }));
  const platform = { darwin: '--mac', win32: '--win' }[process.platform] ?? '--linux';
  const { code, out, err } = await runNode(
    join(ROOT, 'node_modules/electron-builder/cli.js'), [platform, ...targets, '--config', file, '--publish', 'never'],
    { env: { ...process.env, ELECTRON_BUILDER_7ZIP_PATH: sevenZip(), USE_HARD_LINKS: 'false' } });
  rmSync(file, { force: true });
  if (code === 0) return;
  if (/ENOSPC|No space left/.test(out + err)) {
    throw new Stop(`There is no room left on the disk for the package in ${dist} (about 700 MB): free some space and run the command again.`);
  }
  throw new Stop(`${out}${err}\nelectron-builder failed: the lines above say why.`);
}

/** The stand-in is not ours to ship: what is built with it says so by its name and by a file inside. */
function markTestBuild(folder, electron) {
  const marked = join(dirname(folder), TEST_BUILD);
  renameSync(folder, marked);
  writeFileSync(join(marked, MARKER),
    `A test build of Swaplab with a stand-in Electron ${electron.version}, repackaged by a third party. For trying out; not to be passed on.\n`);
  return marked;
}

async function check(folder, settable) {
  const program = programIn(folder);
  const wrong = wrongFuses(settable, await readFuses(program, ROOT));
  if (wrong.length > 0) throw new Stop(`The packaged program has other fuses than wanted: ${wrong.join('; ')}.`);
  const { ok, answer, why } = await smokeTest(program);
  if (!ok) throw new Stop(`The packaged program ${relative(ROOT, program)} does not work: ${why}`);
  say(`Smoke test: ${JSON.stringify(answer)}`);
}

/**
 * `npm run package [-- --dir] [--out FOLDER]`: the unpacked app, and with the official Electron an archive; both checked by
 * running the program. --dir: no archive. --out: into that folder of the repository, not into dist.
 */
export default async function makePackage(args) {
  const outAt = args.indexOf('--out');
  const dist = join(ROOT, outAt >= 0 ? args[outAt + 1] ?? 'dist' : 'dist');
  const electron = await prepareTestMachine();
  await ensureBuilt('app', { env: electronEnv(electron) });
  const config = require('js-yaml').load(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8'));
  const { settable, lacking } = splitFuses(config.electronFuses, await readFuses(electron.executable, ROOT));
  const standIn = electron.kind === 'stand-in' || existsSync(join(electron.dist, 'STAND-IN.txt'));
  const targets = standIn || args.includes('--dir') ? ['dir'] : ['dir', 'tar.gz'];
  rmSync(dist, { recursive: true, force: true });
  say(`Packaging with Electron ${electron.version} …`);
  try {
    await electronBuilder(dist, electron, { ...config, electronFuses: settable }, targets);
    let folder = unpackedFolder(dist);
    if (standIn) folder = markTestBuild(folder, electron);
    await check(folder, settable);
    say(`Fuses: ${Object.entries(settable).map(([name, on]) => `${name} ${on ? 'on' : 'off'}`).join(', ')}`
      + (lacking.length > 0 ? `; this Electron lacks ${lacking.join(', ')}` : ''));
    for (const name of readdirSync(dist).filter((entry) => !/^builder-/.test(entry))) say(relative(ROOT, join(dist, name)));
    if (standIn) say('A test build, because of the stand-in Electron: no archive is made of it.');
    return 0;
  } catch (error) {
    // A package that was not checked to the end is none.
    rmSync(dist, { recursive: true, force: true });
    throw error;
  }
}
