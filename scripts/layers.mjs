/**
 * The layers: who may import whom. A node is a folder of src, or one file of it (without its ending) that is a layer of its own;
 * the longest one that fits is a file's node. What stands in no list is forbidden. Imports point down only, so the
 * allowed edges form no cycle; check-layers.mjs fails if they do.
 *
 * To allow an edge: 1. ask whether the code stands in the right folder; 2. add the edge with its reason; 3. run "npm run layers".
 */

/** What the engine's own parts stand on: words, not behaviour. */
const WORDS = ['engine/errno', 'engine/experiment/spec'];

/** @type {Record<string, {why: string, mayImport: readonly string[], packages: readonly string[]}>} */
export const LAYERS = {
  // The engine, from the bottom up. No package at all: it runs anywhere and gives the same numbers everywhere.
  'engine/errno': { why: 'names of errors', mayImport: [], packages: [] },
  'engine/experiment/spec': { why: 'what an experiment is, as types and constants', mayImport: [], packages: [] },
  'engine/machine': {
    why: 'what a machine is, as types; what it tells of single requests for slots', mayImport: [...WORDS, 'engine/kernel/swap'], packages: [],
  },
  'engine/simulation': { why: 'clock, order of events, random streams, recorder, digest', mayImport: WORDS, packages: [] },
  'engine/hardware': { why: 'costs, block devices', mayImport: [...WORDS, 'engine/simulation'], packages: [] },
  'engine/kernel/swap': { why: 'swap areas, clusters, slot allocators', mayImport: [...WORDS, 'engine/simulation'], packages: [] },
  'engine/kernel/memory': {
    why: 'pages, reclaim, cgroups and zswap use swap entries and devices',
    mayImport: [...WORDS, 'engine/kernel/swap', 'engine/hardware', 'engine/simulation'], packages: [],
  },
  'engine/kernel/fs': {
    why: '/proc and /sys show and steer everything else in the kernel',
    mayImport: [...WORDS, 'engine/kernel/swap', 'engine/kernel/memory', 'engine/hardware', 'engine/simulation'], packages: [],
  },
  'engine/workload': {
    why: 'programs touch memory; they see the kernel as programs do',
    mayImport: [...WORDS, 'engine/kernel/swap', 'engine/kernel/memory', 'engine/hardware', 'engine/simulation'], packages: [],
  },
  'engine/experiment': {
    why: 'arms, claims, results: what is made of a run',
    mayImport: [...WORDS, 'engine/machine', 'engine/simulation', 'engine/hardware', 'engine/kernel/swap'], packages: [],
  },
  engine: {
    why: 'the machine puts the parts together',
    mayImport: [
      ...WORDS, 'engine/machine', 'engine/simulation', 'engine/hardware', 'engine/kernel/swap', 'engine/kernel/memory', 'engine/kernel/fs',
      'engine/workload', 'engine/experiment',
    ],
    packages: [],
  },

  contract: { why: 'files and messages carry the engine\'s types', mayImport: ['engine*'], packages: ['zod'] },

  // Programs. None imports another: they meet through the contract.
  cli: { why: 'the same engine in Node', mayImport: ['engine*', 'contract'], packages: ['node:*'] },
  host: { why: 'the same engine in a utility process', mayImport: ['engine*', 'contract'], packages: ['node:*', 'birpc', 'electron'] },
  preload: { why: 'hands the app\'s API to the window', mayImport: ['contract'], packages: ['electron'] },
  main: {
    why: 'windows, files, the library, the supervisor; starts the host by its path and takes its types for messages',
    mayImport: ['engine*', 'contract', 'host'], packages: ['node:*', 'electron', 'electron-store', 'conf', 'zod', 'birpc'],
  },

  // The window, from the bottom up.
  'renderer/styles': { why: 'design tokens', mayImport: [], packages: [] },
  renderer: {
    why: 'the window knows the engine by its types and its pure functions, never by a running machine',
    mayImport: ['engine*', 'contract'],
    packages: ['vue', 'pinia', 'echarts', 'vue-echarts', 'reka-ui', '@lucide/vue', '@vueuse/core', 'birpc', 'zod', 'axe-core'],
  },
};
