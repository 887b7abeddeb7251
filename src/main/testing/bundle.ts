/** Bundles a TypeScript entry so that a child process of Node can run it, as the app's build does for its own processes. */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'vite';

export interface Bundle {
  readonly file: string;
  readonly folder: string;
}

export async function bundleForNode(entry: string): Promise<Bundle> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'swaplab-bundle-'));
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: entry, outDir: folder, target: 'node18.15', minify: false,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'entry.cjs' } },
    },
  });
  return { file: path.join(folder, 'entry.cjs'), folder };
}
