import { spawn } from 'node:child_process';
import { ROOT, fromUser } from '../lib/paths.mjs';
import { runNode } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { isRoot } from '../setup/apt.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';
import { hasDisplay } from '../setup/display.mjs';
import { electronEnv, ensureElectron } from '../setup/electron.mjs';
import { ensureSharedLibraries } from '../setup/shared-libraries.mjs';
import { checkUserNamespaces } from '../setup/user-namespaces.mjs';

const DEFAULT_EXPERIMENT = 'builtin:xswap-cap';

/** Without a display: the experiment in plain Node, with progress and a table. */
async function runHeadless(files) {
  say('No display here (neither DISPLAY nor WAYLAND_DISPLAY is set): running the experiment in Node, without the window.');
  await ensureDependencies();
  const swaplab = await ensureBuilt('cli');
  const { code } = await runNode(swaplab, ['run', ...(files.length > 0 ? files : [DEFAULT_EXPERIMENT])], { show: true });
  return code;
}

/** Switches that Electron needs on this machine. */
export function electronSwitches({ root = isRoot(), env = process.env, platform = process.platform } = {}) {
  if (platform !== 'linux') return [];
  return [
    // Chromium refuses to make its sandbox for root.
    ...(root ? ['--no-sandbox'] : []),
    ...(!env.DISPLAY && env.WAYLAND_DISPLAY ? ['--ozone-platform-hint=auto'] : []),
  ];
}

async function openApp(args) {
  await ensureDependencies();
  const electron = await ensureElectron();
  await ensureSharedLibraries(electron);
  checkUserNamespaces(electron);
  await ensureBuilt('app', { env: electronEnv(electron) });
  const child = spawn(electron.executable, [...electronSwitches(), ROOT, ...args], { stdio: 'inherit', env: electronEnv(electron) });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** `npm start [-- FILE] [-- --run]`: all the set-up that is missing, then the app, or without a display the experiment in Node. */
export default async function start(words) {
  const files = words.filter((word) => !word.startsWith('-')).map((word) => fromUser(word));
  const switches = words.filter((word) => word.startsWith('-'));
  if (!hasDisplay()) return runHeadless(files);
  // The app itself opens with the default experiment where it is given no file.
  return openApp([...switches, ...files]);
}
