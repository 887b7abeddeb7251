/** A run of milliseconds that goes through swap, memory and files: enough to tell whether the engine of a build works. */
import type { ExperimentSpec } from '../engine/experiment/spec';

export const SMOKE_EXPERIMENT: ExperimentSpec = {
  format: 'swaplab/experiment',
  version: 1,
  title: 'Smoke test',
  notes: '',
  machine: {
    ram_pages: 16384,
    cpus: 1,
    nodes: 1,
    swap: [{ kind: 'partition', name: '/dev/vda', size_pages: 8192 }],
    cgroups: [{ path: '/app', set: { 'memory.max': '8388608' } }],
  },
  kernel: 'linux-6.18',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'memhog', size_pages: 4096, fill: 'pattern', cgroup: '/app', hold_s: 1 } },
      { wait: 'hog', until: 'touched' },
      { probe: 'touched' },
    ],
  },
  arms: [],
  measure: {},
  seeds: [1],
  claims: [],
};
