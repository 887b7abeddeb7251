import { runNode } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';
import { forgetBuild } from '../setup/build.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';
import { hasDisplay } from '../setup/display.mjs';
import { electronEnv, ensureElectron } from '../setup/electron.mjs';
import { ensureSharedLibraries } from '../setup/shared-libraries.mjs';
import { checkUserNamespaces } from '../setup/user-namespaces.mjs';
import { electronSwitches } from './start.mjs';

/** `npm run dev`: the app with modules replaced as they are edited. */
export default async function dev(args) {
  if (!hasDisplay()) throw new Stop('npm run dev opens a window, and there is no display here: set DISPLAY or WAYLAND_DISPLAY.');
  await ensureDependencies();
  const electron = await ensureElectron();
  await ensureSharedLibraries(electron);
  checkUserNamespaces(electron);
  // The development build goes into the same folder.
  forgetBuild('app');
  const { code } = await runNode('node_modules/electron-vite/bin/electron-vite.js', ['dev', '--watch', '--', ...electronSwitches(), ...args], {
    show: true, env: electronEnv(electron),
  });
  return code;
}
