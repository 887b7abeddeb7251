import { runNode } from '../lib/run.mjs';
import { sayOnStderr } from '../lib/say.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';

/** `npm run --silent swaplab -- …`: the command line, in the folder where the user typed it. */
export default async function swaplab(args) {
  sayOnStderr();
  await ensureDependencies();
  const program = await ensureBuilt('cli');
  const { code } = await runNode(program, args, { show: true, cwd: process.env.INIT_CWD ?? process.cwd() });
  return code;
}
