import { runNode } from '../lib/run.mjs';
import { oneCheck } from './stage.mjs';

/** Checks that read the sources: each is one check. */
export const STATIC = {
  lint: async () => oneCheck(await runNode('node_modules/eslint/bin/eslint.js', ['.', '--no-color'])),
  types: async () => oneCheck(await runNode('node_modules/vue-tsc/bin/vue-tsc.js', ['-b', 'tsconfig.json', '--pretty', 'false'])),
  layering: async () => oneCheck(await runNode('scripts/check-layers.mjs', [])),
  banned: async () => oneCheck(await runNode('scripts/check-banned.mjs', [])),
};
