import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { oneCheck } from './stage.mjs';

const FOLDER = 'test-results/package';

/** Packages the app unpacked, with its fuses, and starts the packaged program: one check. */
export async function packaged(wrap, env) {
  const [file, args] = wrap(process.execPath, [join(ROOT, 'scripts/entry.cjs'), 'package', '--dir', '--out', FOLDER]);
  try {
    return oneCheck(await run(file, args, { env }));
  } finally {
    rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  }
}
