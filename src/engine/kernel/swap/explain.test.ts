import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { explain } from './explain';
import { policiesOf } from './registry';
import { explainTrace, replayTrace } from './replay';
import { SwapSystem } from './swap-system';
import { device, swapSystem } from './testing/swap-fixtures';
import { parseTrace } from './trace';

const trace = (file: string): ReturnType<typeof parseTrace> =>
  parseTrace(gunzipSync(readFileSync(join(import.meta.dirname, '../../../../test-data/kernel-traces', file))).toString('latin1'));

describe('one allocation in words', () => {
  it('says why a pointer is passed over, which lists are empty, and what was taken', () => {
    const { swap } = swapSystem('linux-6.18');
    swap.swapon(device(4096));
    const first = swap.alloc(0, 4);
    swap.free(first, 16);
    const { decisions, before, after } = explain(swap, () => {
      swap.alloc(0, 4);
    });
    expect(decisions).toEqual([
      `CPU 0 asks for order 4: the pointer for order 4 is at slot ${first + 16} of /dev/zram0, and passed over: its cluster is on the free list`,
      'visits /dev/zram0 (priority -2, 0 of 4095 pages used)',
      'nonfull[4] of /dev/zram0 is empty',
      'free of /dev/zram0 begins with cluster 2',
      'cluster 2 (0 of 512 used) has a free aligned run of 16 slots: took 1024; the cluster is on frag[4] now',
      'the entry is slot 1024 of type 0',
    ]);
    expect(before.map((text) => text.list)).toEqual(['free', 'nonfull[0]']);
    expect(after.find((text) => text.list === 'frag[4]')?.clusters).toEqual(['2 (order 4, 16 used)']);
  });

  it.each([
    ['linux-6.1/x-mix-0.txt.gz', 'linux-6.1'], ['linux-6.12/mix-0-2-4.txt.gz', 'linux-6.12'], ['linux-6.18/full-0-4.txt.gz', 'linux-6.18'],
  ])('of %s changes nothing of the replay', (file, kernel) => {
    const recorded = trace(file);
    const plain = replayTrace(recorded, policiesOf(kernel));
    for (let i = 100; i < recorded.count; i += 997) {
      const { result, explanation } = explainTrace(recorded, policiesOf(kernel), recorded.line[i]);
      expect(result).toEqual(plain);
      if (recorded.code[i] === 0) expect(explanation?.decisions.length).toBeGreaterThan(0);
    }
  });

  it('names the slot cache and the slot-by-slot scan of old kernels', () => {
    const swap = new SwapSystem(policiesOf('linux-6.1'), 1, 1, { isCacheOnly: () => false, reclaimCacheOnly: () => false, cacheOnlySlots: () => 0 });
    swap.swapon(device(2048));
    const words = (): string => explain(swap, () => {
      swap.alloc(0, 0);
    }).decisions.join('\n');
    expect(words()).toContain('the slot cache of CPU 0 is empty and asks for 64 slots');
    expect(words()).toBe('the slot cache of the CPU had a slot: no device was asked');
    const taken = Array.from({ length: 2000 }, () => swap.alloc(0, 0));
    for (const at of [500, 700, 900]) swap.free(taken[at] ?? 0, 1);
    expect(Array.from({ length: 60 }, words).join('\n')).toMatch(/scans slot by slot from \d+ on: slot \d+ is free/);
  });
});
