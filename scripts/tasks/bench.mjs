import { runNode } from '../lib/run.mjs';
import { sayOnStderr } from '../lib/say.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';

/** `npm run bench [-- --json]` */
export default async function bench(args) {
  sayOnStderr();
  await ensureDependencies();
  const program = await ensureBuilt('bench');
  const { code } = await runNode(program, args, { show: true });
  return code;
}
