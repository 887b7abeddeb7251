import { accessSync, constants, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { runNpm } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { Stop, fileSystemSentence } from '../lib/stop.mjs';

/** node_modules takes about 435 MB. */
const NEEDED_BYTES = 500e6;

/** npm would wait more than a minute for a network that is not there. */
const IMPATIENT = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000'];

const STAGING = /^install-(\d+)$/;

/**
 * Whether node_modules holds what the lock file says. npm writes node_modules/.package-lock.json last, so a torn
 * installation has none.
 */
export function dependenciesAreCurrent(root = ROOT) {
  let wanted;
  let installed;
  try {
    wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    installed = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages;
  } catch {
    return false;
  }
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed[path];
    // An optional package is for another platform when it is absent.
    return found ? found.version === entry.version : entry.optional === true;
  });
}

/** The sentence for what npm printed when it failed. */
export function npmSentence(output) {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(output)?.[1] ?? '';
  if (/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR)$/.test(code)) {
    return 'The npm registry cannot be reached, and Swaplab needs it once to fetch its packages: connect this machine to the network '
      + '(or set npm\'s proxy or registry) and run the command again.';
  }
  if (code === 'EUSAGE' || code === 'EJSONPARSE' || code === 'EINTEGRITY' || /lockfile|package-lock\.json/i.test(output)) {
    return `package-lock.json is broken or does not fit package.json (npm: ${code || 'no code'}): ${RESTORE}`;
  }
  if (code === 'ENOSPC' || /ENOSPC/.test(output)) {
    return `There is no room left on the disk for Swaplab's packages (about ${NEEDED_BYTES / 1e6} MB): free some space and run the command again.`;
  }
  const known = fileSystemSentence({ code, path: /npm (?:error|ERR!) path (.+)/.exec(output)?.[1] });
  if (known) return known;
  const reason = output.split('\n').filter((line) => /npm (?:error|ERR!)/.test(line)).map((line) => line.replace(/^npm (?:error|ERR!) ?/, ''));
  return `npm ci failed (${reason.slice(0, 2).join('; ') || 'no reason given'}): run "npm ci" yourself to see all of it.`;
}

function checkFolder(root) {
  try {
    accessSync(root, constants.W_OK);
  } catch (error) {
    throw new Stop(
      `The folder ${root} cannot be written (${error.code}), and Swaplab's packages are to be installed there: `
      + 'use a copy in a folder of your own.', { cause: error });
  }
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < NEEDED_BYTES) {
    throw new Stop(
      `There is no room left on the disk: Swaplab's packages take about ${NEEDED_BYTES / 1e6} MB and ${root} has `
      + `${Math.floor((bavail * bsize) / 1e6)} MB: free some space and run the command again.`);
  }
}

const RESTORE = 'restore it with "git checkout package-lock.json" and run the command again.';

function readJson(file) {
  if (!existsSync(file)) throw new Stop(`${basename(file)} is missing: ${RESTORE.replace('package-lock.json', basename(file))}`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Stop(`${basename(file)} is broken (no JSON): ${RESTORE.replace('package-lock.json', basename(file))}`, { cause: error });
  }
}

function checkLockFile(root) {
  const wanted = readJson(join(root, 'package.json'));
  const locked = readJson(join(root, 'package-lock.json')).packages?.[''];
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const names = new Set([...Object.keys(wanted[kind] ?? {}), ...Object.keys(locked?.[kind] ?? {})]);
    const differs = [...names].find((name) => wanted[kind]?.[name] !== locked?.[kind]?.[name]);
    if (differs) throw new Stop(`package-lock.json does not fit package.json (${differs} differs): ${RESTORE}`);
  }
}

/** Removes what an installation left behind that was killed. */
function removeTornInstallations(cache) {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache)) {
    const pid = STAGING.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Installs the packages of the lock file where node_modules does not hold them. They are installed aside and moved into
 * place when they are complete, so a failure leaves what was there before.
 * @throws {Stop}
 */
export async function ensureDependencies(root = ROOT) {
  checkLockFile(root);
  if (dependenciesAreCurrent(root)) return;
  checkFolder(root);
  const cache = join(root, '.cache');
  const staging = join(cache, `install-${process.pid}`);
  removeTornInstallations(cache);
  const hadCache = existsSync(cache);
  const cleanUp = () => {
    rmSync(staging, { recursive: true, force: true });
    if (!hadCache && existsSync(cache) && readdirSync(cache).length === 0) rmSync(cache, { recursive: true });
  };
  const interrupted = (signal) => {
    cleanUp();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    mkdirSync(staging, { recursive: true });
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(root, file), join(staging, file));
    say('Installing packages from the lock file (once, about a minute) …');
    const { code, out, err } = await runNpm(
      ['ci', '--prefix', staging, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...IMPATIENT], { cwd: staging });
    if (code !== 0) throw new Stop(npmSentence(err + out));
    const target = join(root, 'node_modules');
    const old = join(staging, 'old');
    if (existsSync(target)) renameSync(target, old);
    renameSync(join(staging, 'node_modules'), target);
  } catch (error) {
    const sentence = fileSystemSentence(error);
    throw sentence ? new Stop(sentence, { cause: error }) : error;
  } finally {
    process.removeListener('SIGINT', interrupted).removeListener('SIGTERM', interrupted);
    cleanUp();
  }
}
