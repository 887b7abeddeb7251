/**
 * Builds a small experiment, runs it and returns its digest. Self-contained, so that a browser, the window's renderer, the
 * utility process and Node can each run it and must come to the same 32 digits.
 */
import { createMachine } from './create-machine';
import type { ExperimentSpec } from './experiment/spec';

const SPEC: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'digest probe', notes: '', kernel: 'xswap', arms: [], measure: { bucket_ms: 1, buckets: 64 },
  seeds: [1], claims: [],
  machine: {
    ram_pages: 16384, cpus: 2, nodes: 1, zswap: { enabled: true }, thp: { '64kB': 'always' },
    swap: [
      { kind: 'zram', name: '/dev/zram0', size_pages: 2048, priority: 10 },
      { kind: 'partition', name: '/dev/vdc', size_pages: 8192 },
      { kind: 'xswap', name: 'xswap2' },
    ],
    cgroups: [{ path: '/app', set: { 'memory.max': '16777216' } }],
  },
  workload: {
    steps: [
      { start: { name: 'a', program: 'memhog', size_pages: 6000, fill: 'pattern', cgroup: '/app', hold_s: 5 } },
      { start: { name: 'b', program: 'usemem', size_pages: 1000, fill: 'random', cgroup: '/app', cpu: 1 } },
      {
        start: {
          name: 'c', program: 'random_access', size_pages: 1500, fill: 'pattern', cgroup: '/app', copies: 2,
          access: { count: 4000, write_percent: 40, law: 'zipf' },
        },
      },
      { wait: 'a', until: 'touched' },
      { probe: 'touched' },
      { write: '/sys/kernel/mm/xswap/type2/limit', text: '4000\n' },
      { swapoff: '/dev/zram0' },
      { wait: 'c', until: 'done' },
      { kill: 'a' },
      { sleep: 1 },
      { probe: 'end' },
    ],
    events: [{ at: 1_000_000, step: { write: '/sys/fs/cgroup/app/memory.max', text: '12582912\n' } }],
  },
};

/** 32 hexadecimal digits. `slice`: page operations an advance(), which must not matter. */
export const digestProbe = (slice = 1000): string => {
  const machine = createMachine(SPEC);
  while (!machine.advance(Infinity, slice).done);
  const failure = machine.failure();
  if (failure !== undefined) throw new Error(failure);
  return machine.digest();
};
