import { ensureBuilt } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { electronEnv, ensureElectron } from './electron.mjs';
import { ensureSharedLibraries } from './shared-libraries.mjs';
import { checkUserNamespaces } from './user-namespaces.mjs';
import { aptInstall, installCommand, isDebianLike, isRoot } from './apt.mjs';
import { run } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';

/** Programs that tests start → their package. Without a `needed` one tests cannot run; without another they skip and say so. */
const PROGRAMS = [
  { program: 'Xvfb', package: 'xvfb', needed: true },
  { program: 'xdg-mime', package: 'xdg-utils', needed: false },
  { program: 'update-mime-database', package: 'shared-mime-info', needed: false },
  { program: 'desktop-file-validate', package: 'desktop-file-utils', needed: false },
  { program: 'gio', package: 'libglib2.0-bin', needed: false },
  { program: 'ip', package: 'iproute2', needed: false },
];

/** Text in pictures of the window needs fonts; without any, Chromium draws boxes. */
const FONTS = ['fonts-dejavu-core', 'fonts-liberation'];

async function isThere(program) {
  const { code } = await run('sh', ['-c', `command -v ${program}`]);
  return code === 0;
}

async function hasFonts() {
  const { code, out } = await run('fc-list', [':family=DejaVu Sans']);
  return code === 0 && out.trim() !== '';
}

async function ensurePrograms() {
  const missing = [];
  for (const entry of PROGRAMS) if (!await isThere(entry.program)) missing.push(entry);
  const packages = [...missing.map((entry) => entry.package), ...(await hasFonts() ? [] : FONTS)];
  if (packages.length === 0) return;
  if (isRoot() && isDebianLike()) {
    await aptInstall(packages, 'the end-to-end tests');
    return;
  }
  const blocking = missing.filter((entry) => entry.needed).map((entry) => entry.program);
  if (blocking.length === 0) return;
  const advice = isDebianLike() ? `run\n  ${await installCommand(packages)}\nand the command again.` : 'install it and run the command again.';
  throw new Stop(`The end-to-end tests need ${blocking.join(' and ')}, which is missing here: ${advice}`);
}

/**
 * Programs, fonts and shared libraries for starting the app on a display of its own.
 * @returns {Promise<import('./electron.mjs').Electron>}
 * @throws {Stop}
 */
export async function prepareTestMachine() {
  await ensureDependencies();
  const electron = await ensureElectron();
  if (process.platform === 'linux') await ensurePrograms();
  await ensureSharedLibraries(electron);
  checkUserNamespaces(electron);
  return electron;
}

/** The programs that tests start. */
export const PROGRAMS_TESTED = ['cli', 'bench', 'app'];

/** Builds them where they are stale. @throws {Stop} */
export async function buildForTests(electron) {
  for (const name of PROGRAMS_TESTED) await ensureBuilt(name, { env: electronEnv(electron) });
}
