/** Experiments that the tests open as files: small enough to end in a moment. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ExperimentSpec } from '../src/engine/experiment/spec';

/** An xswap device, a cgroup and a hog that pushes a good part of its memory out. */
export const XSWAP: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'A small xswap run', notes: '',
  machine: {
    ram_pages: 65536, cpus: 1, nodes: 1, zswap: { enabled: true }, swap: [{ kind: 'xswap', name: 'xswap0' }],
    cgroups: [{ path: '/app', set: { 'memory.max': '67108864' } }],
  },
  kernel: 'xswap',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'memhog', size_pages: 48000, fill: 'pattern', cgroup: '/app', hold_s: 2 } },
      { wait: 'hog', until: 'touched' },
      { probe: 'touched' },
      { sleep: 1 },
      { probe: 'end' },
    ],
  },
  arms: [], measure: {}, seeds: [1], claims: [],
};

export function writeExperiment(folder: string, name: string, spec: ExperimentSpec): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(spec));
  return file;
}
