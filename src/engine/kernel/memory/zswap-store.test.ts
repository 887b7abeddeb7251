import { describe, expect, it } from 'vitest';
import { createMachine } from '../../create-machine';
import type { ExperimentSpec } from '../../experiment/spec';

/** Pages that do not compress, in folios of 2 MiB, on a machine that runs out of pages in the middle of storing one. */
const SPEC: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'zswap', notes: '', kernel: 'linux-6.18', measure: {}, seeds: [1], arms: [], claims: [],
  machine: {
    ram_pages: 2048, cpus: 2, nodes: 1, swap: [{ kind: 'partition', name: '/dev/vdd', size_pages: 2000 }],
    zswap: { enabled: true }, thp: { '2048kB': 'always' },
  },
  workload: { steps: [{ start: { name: 'a', program: 'memhog', size_pages: 3000, fill: 'random', hold_s: 0 } }] },
};

describe('a large folio that zswap cannot store whole', () => {
  it('leaves no charge of the pages that were stored before', () => {
    const machine = createMachine(SPEC);
    let refused = 0;
    for (let done = false; !done;) {
      done = machine.advance(Infinity, 50).done;
      expect(machine.checkInvariants()).toEqual([]);
      const counters = machine.counters();
      refused = counters['zswap.reject_alloc_fail'] ?? 0;
    }
    expect(refused).toBeGreaterThan(0);
  });
});
