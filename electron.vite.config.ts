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

function electronBuild(name: 'main' | 'preload') {
  return {
    ...electronSide,
    outDir: resolve(`out/${name}`),
    rolldownOptions: { ...electronSide.rolldownOptions, input: resolve(`src/${name}/index.ts`) },
  };
}

export default defineConfig({
  main: { build: electronBuild('main') },
  preload: { build: electronBuild('preload') },
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
