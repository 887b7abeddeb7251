import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runNode } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';

/** How long the download may take to begin, and to stand still. */
const CONNECT_MS = 20_000;

/**
 * Downloads the Electron of package.json with its own tools and unpacks it into node_modules/electron/dist.
 * @returns {Promise<string | undefined>} why it failed; undefined when it is there.
 */
export async function downloadOfficialElectron(root) {
  const fromElectron = createRequire(join(root, 'node_modules', 'electron', 'package.json'));
  const { version } = fromElectron('./package.json');
  say(`Downloading Electron ${version} (once) …`);
  const stalled = new AbortController();
  let timer;
  const progress = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(), CONNECT_MS);
  };
  progress();
  try {
    const { downloadArtifact } = fromElectron('@electron/get');
    // The file goes into the cache of @electron/get, where Electron's installer finds it.
    await downloadArtifact({
      version,
      artifactName: 'electron',
      platform: process.platform,
      arch: process.arch,
      cacheRoot: process.env.electron_config_cache,
      checksums: JSON.parse(readFileSync(fromElectron.resolve('./checksums.json'), 'utf8')),
      downloadOptions: { quiet: true, signal: stalled.signal, getProgressCallback: progress },
    });
  } catch (error) {
    if (stalled.signal.aborted) return `no answer within ${CONNECT_MS / 1000} s`;
    return error?.cause?.code ?? error?.code ?? error?.message ?? String(error);
  } finally {
    clearTimeout(timer);
  }
  const { code, err } = await runNode(fromElectron.resolve('./install.js'), []);
  return code === 0 ? undefined : err.split('\n')[0];
}
