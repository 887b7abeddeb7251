import { join } from 'node:path';
import { run } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';
import { aptInstall, installCommand, isDebianLike, isRoot } from './apt.mjs';

/**
 * Shared library → Debian's package. Ubuntu 24.04 and Debian 13 renamed some for 64-bit time (t64): both names are tried.
 * A library that is not named here comes with one of those that are.
 */
const PACKAGES = [
  [/^libgtk-3\.|^libgdk-3\./, ['libgtk-3-0t64', 'libgtk-3-0']],
  [/^libnss3|^libnssutil3|^libsmime3|^libssl3/, 'libnss3'],
  [/^libnspr4|^libplc4|^libplds4/, 'libnspr4'],
  [/^libasound\./, ['libasound2t64', 'libasound2']],
  [/^libgbm\./, 'libgbm1'],
  [/^libdrm\./, 'libdrm2'],
  [/^libatk-1\./, ['libatk1.0-0t64', 'libatk1.0-0']],
  [/^libatk-bridge-2\./, ['libatk-bridge2.0-0t64', 'libatk-bridge2.0-0']],
  [/^libatspi\./, ['libatspi2.0-0t64', 'libatspi2.0-0']],
  [/^libcups\./, ['libcups2t64', 'libcups2']],
  [/^lib(glib|gobject|gio|gmodule)-2\./, ['libglib2.0-0t64', 'libglib2.0-0']],
  [/^libdbus-1\./, 'libdbus-1-3'],
  [/^libxkbcommon\./, 'libxkbcommon0'],
  [/^libpango/, 'libpango-1.0-0'],
  [/^libcairo\./, 'libcairo2'],
  [/^libexpat\./, 'libexpat1'],
  [/^libudev\./, 'libudev1'],
  [/^libX11\./, 'libx11-6'],
  [/^libX11-xcb\./, 'libx11-xcb1'],
  [/^libxcb\./, 'libxcb1'],
  [/^libxcb-dri3\./, 'libxcb-dri3-0'],
  [/^libXcomposite\./, 'libxcomposite1'],
  [/^libXdamage\./, 'libxdamage1'],
  [/^libXext\./, 'libxext6'],
  [/^libXfixes\./, 'libxfixes3'],
  [/^libXrandr\./, 'libxrandr2'],
  [/^libXtst\./, 'libxtst6'],
  [/^libxshmfence\./, 'libxshmfence1'],
];

/** Names of the shared libraries that `ldd` did not find. */
export function missingIn(lddOutput) {
  return [...lddOutput.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name);
}

/** The packages for these libraries, each once, in the order of the table. */
export function packagesFor(libraries) {
  return PACKAGES.filter(([pattern]) => libraries.some((name) => pattern.test(name))).map(([, names]) => names);
}

async function findMissing(electron) {
  const names = new Set();
  for (const file of [electron.executable, join(electron.dist, 'chrome_crashpad_handler')]) {
    const { code, out } = await run('ldd', [file]);
    if (code === 0) missingIn(out).forEach((name) => names.add(name));
  }
  return [...names];
}

/**
 * Makes sure that the shared libraries are there which Electron needs; on Linux only.
 * @throws {Stop} with the one command that installs them
 */
export async function ensureSharedLibraries(electron) {
  if (process.platform !== 'linux') return;
  let missing = await findMissing(electron);
  if (missing.length === 0) return;
  const list = missing.slice(0, 4).join(', ') + (missing.length > 4 ? `, … (${missing.length} in all)` : '');
  if (!isDebianLike()) {
    throw new Stop(`Electron needs shared libraries that are missing here (${missing.join(', ')}): install GTK 3, NSS, ALSA and GBM with this `
      + 'system\'s package manager and run the command again.');
  }
  const packages = packagesFor(missing);
  if (!isRoot()) {
    throw new Stop(`Electron needs shared libraries that are missing here (${list}): run\n  ${await installCommand(packages)}\nand the command again.`);
  }
  await aptInstall(packages, `Electron's shared libraries (${list})`);
  missing = await findMissing(electron);
  if (missing.length > 0) throw new Stop(`Electron still lacks ${missing.join(', ')}: install them by hand and run the command again.`);
}
