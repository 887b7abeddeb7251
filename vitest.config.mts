import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    passWithNoTests: false,
    // A test that has not ended by then hangs, even on a busy machine; property tests with thousands of sequences set their own.
    testTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'engine', environment: 'node', include: ['src/engine/**/*.test.ts'] } },
      { extends: true, test: { name: 'contract', environment: 'node', include: ['src/contract/**/*.test.ts'] } },
      { extends: true, test: { name: 'cli', environment: 'node', include: ['src/cli/**/*.test.ts', 'bench/**/*.test.ts'] } },
      { extends: true, test: { name: 'app', environment: 'node', include: ['src/{main,preload,host}/**/*.test.ts'] } },
      { extends: true, plugins: [vue()], test: { name: 'renderer', environment: 'happy-dom', include: ['src/renderer/**/*.test.ts'] } },
      { extends: true, test: { name: 'scripts', environment: 'node', include: ['scripts/**/*.test.mjs'], testTimeout: 120_000 } },
    ],
  },
});
