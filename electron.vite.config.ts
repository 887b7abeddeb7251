import { resolve } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'electron-vite';

// The oldest Electron that the app runs on is 25 (Node 18.15, Chrome 114). The targets are written down here, otherwise
// electron-vite takes them from the Electron that happens to be installed.
// Everything is bundled (externalizeDeps: false): electron-store and conf are ES modules and cannot be required by CommonJS.
const electronSide = {
  target: 'node18.15',
  externalizeDeps: false,
  rolldownOptions: { output: { format: 'cjs' as const } },
};

export default defineConfig({
  main: {
    build: { ...electronSide, outDir: resolve('out/main'), rolldownOptions: { ...electronSide.rolldownOptions, input: resolve('src/main/index.ts') } },
  },
  preload: {
    build: {
      ...electronSide,
      outDir: resolve('out/preload'),
      rolldownOptions: { ...electronSide.rolldownOptions, input: resolve('src/preload/index.ts') },
    },
  },
  renderer: {
    root: 'src/renderer',
    build: {
      target: 'chrome114',
      outDir: resolve('out/renderer'),
      // Fonts and images as files: the content security policy has no data: for scripts and styles.
      assetsInlineLimit: 0,
      rolldownOptions: { input: resolve('src/renderer/index.html') },
    },
    plugins: [vue()],
  },
});
