import { defineConfig } from 'vite';

// Plain Node programs, each bundled into one self-contained file: `--mode cli` and `--mode bench`.
const PROGRAMS: Record<string, { input: string; outDir: string; file: string }> = {
  cli: { input: 'src/cli/main.ts', outDir: 'out/cli', file: 'swaplab.cjs' },
  bench: { input: 'bench/main.ts', outDir: 'out/bench', file: 'main.cjs' },
};

export default defineConfig(({ mode }) => {
  const program = PROGRAMS[mode];
  if (!program) throw new Error(`unknown mode "${mode}": expected ${Object.keys(PROGRAMS).join(' or ')}`);
  return {
    publicDir: false,
    build: {
      ssr: true,
      target: 'node20',
      outDir: program.outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input: program.input,
        output: { format: 'cjs', entryFileNames: program.file, codeSplitting: false },
      },
    },
    ssr: { noExternal: true, target: 'node' },
  };
});
