import { ensureBuilt } from '../setup/build.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';

/** `npm run build [-- app|cli|bench …]`: builds everything anew, or only what is named. */
export default async function build(names) {
  await ensureDependencies();
  for (const name of names.length > 0 ? names : ['cli', 'bench', 'app']) await ensureBuilt(name, { force: true });
  return 0;
}
