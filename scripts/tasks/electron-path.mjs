import { sayOnStderr } from '../lib/say.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';
import { ensureElectron } from '../setup/electron.mjs';
import { ensureSharedLibraries } from '../setup/shared-libraries.mjs';

/** `node scripts/entry.cjs electron-path`: makes an Electron ready and prints its program. */
export default async function electronPath() {
  sayOnStderr();
  await ensureDependencies();
  const electron = await ensureElectron();
  await ensureSharedLibraries(electron);
  console.log(electron.executable);
  return 0;
}
