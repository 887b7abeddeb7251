import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Decision } from './decisions';
import { explain, explanationText } from './explain';
import { ObservedSwapSystem } from './observed-swap-system';
import { policiesOf } from './registry';
import { explainTrace, replayTrace } from './replay';
import { device } from './testing/swap-fixtures';
import { EVENT, parseTrace } from './trace';
import { entryOf, type Entry } from './types';

const TRACES = join(import.meta.dirname, '../../../../test-data/kernel-traces');
const trace = (file: string): ReturnType<typeof parseTrace> =>
  parseTrace(gunzipSync(readFileSync(join(TRACES, file))).toString('latin1'));

/** The words for one line of a trace, request after request. */
function told(file: string, line: number): readonly string[] {
  const kernel = file.split('/')[0] ?? '';
  const { explained } = explainTrace(trace(file), policiesOf(kernel), (first, last) => first <= line && line <= last);
  return explained.flatMap(({ explanation }) => explanationText(explanation)?.decisions ?? []);
}

describe('lines of recorded kernels in words', () => {
  it.each([
    ['linux-6.1/seq-1dev.txt.gz', 16386, [
      'asked /dev/zram0 (priority -2, 16382 of 16383 pages in use)',
      'CPU 0 remembers no cluster of order 0 on /dev/zram0',
      'free of /dev/zram0 is empty',
      'scanned /dev/zram0 slot by slot from 261 on: passed 0 slots, slot 261 is free',
      'took slot 261 in cluster 0 of /dev/zram0; the cluster stands on no list',
      '/dev/zram0 is full now and is passed over until a slot of it is freed',
    ]],
    ['linux-6.1/seq-1dev.txt.gz', 16387, ['every device is full or going']],
    ['linux-6.1/seq-1dev.txt.gz', 15812, [
      'the slot cache of CPU 0 is empty: it asks for 64 slots at once and gets 64',
      'asked /dev/zram0 (priority -2, 15808 of 16383 pages in use)',
      'took slots 16320 to 16383 in per-CPU cluster 31 of order 0 on /dev/zram0; the cluster stands on no list',
      'the scan has left its stretch of 16384 slots: CPU 0\'s next one on /dev/zram0 begins at slot 1, drawn at random',
      'slot 16320 of /dev/zram0 comes out of the slot cache of CPU 0, which has 63 left',
    ]],
    ['linux-6.1/disk-hdd.txt.gz', 5, [
      'the slot caches are switched on: 8191 slots are free, more than 640',
      'the slot cache of CPU 0 is empty: it asks for 64 slots at once and gets 3',
      'asked /dev/vdb (priority -2, 0 of 8191 pages in use)',
      'a new stretch on /dev/vdb: looked for 512 free slots in a row, they begin at slot 1',
      'took slots 1 to 3 of /dev/vdb',
      'the batch ends with 3: as many slots of /dev/vdb were looked at as one batch may (256)',
      'slot 1 of /dev/vdb comes out of the slot cache of CPU 0, which has 2 left',
    ]],
    ['linux-6.1/x-full-0.txt.gz', 4305, [
      'cluster 1 of /dev/zram1, 511 slots in use, stands on no list', '/dev/zram1 was full and can serve again',
    ]],
    ['linux-6.12/disk-ssd-full-0-4.txt.gz', 6305, [
      'asked /dev/vdb (priority -2, 6614 of 8191 pages in use)',
      'per-CPU cluster 2 of order 4 on /dev/vdb has 32 free slots and no aligned run of 16 slots from slot 1424 on: it is on nonfull[4] now',
      'free of /dev/vdb is empty',
      'took slots 6736 to 6751 in cluster 13 of /dev/vdb, from nonfull[4]; the cluster is on frag[4] now',
    ]],
    ['linux-6.12/frag-order4.txt.gz', 3781, [
      'the slot caches are switched off and emptied: 255 slots are free, fewer than 256',
      'a slot cache gives back 63 slots, sorted by swap type, beginning with slot 197 of /dev/zram0',
      'cluster 0 of /dev/zram0, 194 slots in use, went from frag[0] to nonfull[0]',
      'asked /dev/zram0 (priority -2, 3777 of 4095 pages in use)',
      'took slot 257 in per-CPU cluster 0 of order 0 on /dev/zram0; the cluster is on nonfull[0] now',
    ]],
    ['linux-6.12/full-0-2-3-4.txt.gz', 1780, [
      'the slot cache of CPU 0 is empty: it asks for 64 slots at once and gets 64',
      'asked /dev/zram0 (priority -2, 3744 of 4095 pages in use)',
      'took slots 449 to 511 in per-CPU cluster 0 of order 0 on /dev/zram0; the cluster is on full now',
      'CPU 0 remembers no cluster of order 0 on /dev/zram0',
      'free of /dev/zram0 is empty',
      'nonfull[0] of /dev/zram0 is empty',
      'frag[0] of /dev/zram0 is empty',
      'order 0 goes on to clusters of larger orders of /dev/zram0',
      'took slot 3808 in cluster 7 of /dev/zram0, from nonfull[3]; the cluster is on nonfull[3] now',
      'slot 449 of /dev/zram0 comes out of the slot cache of CPU 0, which has 63 left',
    ]],
    ['linux-6.12/disk-hdd.txt.gz', 8, [
      'the slot cache of CPU 0 is empty: it asks for 64 slots at once and gets 64',
      'asked /dev/vdb (priority -2, 3 of 8191 pages in use)',
      'goes on at slot 4 of /dev/vdb, in a stretch with 509 slots left',
      'took slots 4 to 67 of /dev/vdb',
      'slot 4 of /dev/vdb comes out of the slot cache of CPU 0, which has 63 left',
    ]],
    ['linux-6.12/disk-ssd-full-0-4.txt.gz', 5057, [
      'cluster 5 of /dev/vdb, 511 slots in use, went from full to nonfull[0]',
      '/dev/vdb was full and can serve again',
    ]],
    ['linux-6.18/disk-ssd-0-4.txt.gz', 4288, [
      'per-CPU cluster 0 of order 0 on /dev/vdb has 27 free slots and no free slot from slot 511 on: it is on frag[0] now',
      'asked /dev/vdb (priority -2, 4390 of 8191 pages in use)',
      'took slot 1025 in cluster 2 of /dev/vdb, from nonfull[0]; the cluster is on frag[0] now',
    ]],
    ['linux-6.18/full-0-2-3-4.txt.gz', 1851, [
      'CPU 0 remembers no cluster of order 0',
      'asked /dev/zram0 (priority -2, 3831 of 4095 pages in use)',
      'nonfull[0] of /dev/zram0 is empty',
      'free of /dev/zram0 is empty',
      'frag[0] of /dev/zram0 is empty',
      'order 0 goes on to clusters of larger orders of /dev/zram0',
      'took slot 3320 in cluster 6 of /dev/zram0, from frag[3]; the cluster is on frag[3] now',
    ]],
    ['linux-6.18/disk-hdd.txt.gz', 5, [
      'CPU 0 remembers no cluster of order 0',
      'asked /swapfile (priority -2, 0 of 8191 pages in use)',
      'the CPUs share no cluster of order 0 on /swapfile',
      'took slot 1 in cluster 0 of /swapfile, from nonfull[0]; the cluster is on frag[0] now',
    ]],
    ['linux-7.2/peers-3dev-0-4.txt.gz', 2027, [
      '1. CPU 0 asks for order 4',
      'CPU 0 remembers no cluster of order 4',
      '/dev/zram0 moves behind 1 device of the same rank for the next request',
      'asked /dev/zram0 (priority 7, 1793 of 2047 pages in use)',
      'nonfull[4] of /dev/zram0 is empty',
      'free of /dev/zram0 is empty',
      'frag[4] of /dev/zram0 is empty',
      'a large folio asks one device only, and 1 other with room is not asked: it is split',
      ...Array.from({ length: 16 }, (_, i) => [
        `${i + 2}. CPU 0 asks for order 0`,
        `took slot ${1794 + i} in per-CPU cluster 3 of order 0 on /dev/zram0; the cluster is on frag[0] now`,
      ]).flat(),
    ]],
    ['linux-7.3/full-0-4.txt.gz', 2918, ['cluster 5 of /dev/zram0, 407 slots in use, went from frag[0] to nonfull[0]']],
  ])('%s, line %i', (file, line, sentences) => {
    expect(told(file, line)).toEqual(sentences);
  });
});

/** A trace a kind of machine; every line of them is explained. */
const WHOLE = ['d-alt', 'disk-hdd', 'disk-ssd-disc', 'seq-2dev-equal', 'x-full-0', 'full-0-4', 'twocpu-0-2-4', 'swapoff-2dev'];

describe.each(['linux-6.1', 'linux-6.12', 'linux-6.18', 'linux-7.2', 'linux-7.3'])('%s, line by line', (kernel) => {
  const files = readdirSync(join(TRACES, kernel)).filter((file) => WHOLE.includes(file.replace('.txt.gz', '')));

  it.each(files)('%s: the words name what the kernel took, and looking changes nothing', { timeout: 60_000 }, (file) => {
    const recorded = trace(`${kernel}/${file}`);
    const { result, explained } = explainTrace(recorded, policiesOf(kernel), () => true);
    expect(result).toEqual(replayTrace(recorded, policiesOf(kernel)));
    const at = new Map(Array.from(recorded.line, (line, i) => [line, i]));
    let requests = 0;
    for (const { first, last, explanation } of explained) {
      const i = at.get(first) ?? -1;
      explanation.moments.forEach((moment, request) => {
        expect(moment.decisions.length, `line ${first}`).toBeGreaterThan(0);
        if (moment.kind !== 'free') {
          requests++;
          expect(takenBy(explanation.decided[request] ?? []), `line ${first}`).toBe(moment.type < 0 ? -1 : moment.offset);
        }
      });
      if (first !== last || recorded.code[i] !== EVENT.alloc) continue;
      expect(explanation.moments[0]).toMatchObject({ type: recorded.b[i], offset: recorded.c[i] });
    }
    expect(requests).toBeGreaterThan(500);
  });
});

/** The slot that a request got by its decisions: out of the slot cache, or the first that was taken last. */
function takenBy(decisions: readonly Decision[]): number {
  for (const decision of [...decisions].reverse()) {
    if (decision.did === 'cached' || decision.did === 'took') return decision.offset;
    if (decision.did === 'nothing' || decision.did === 'order refused') return -1;
  }
  return NaN;
}

/** A watched swap layer; slots for which `cached` says so are held by the swap cache alone. */
function observed(kernel: string, cpus = 1, cached?: Set<Entry>): ObservedSwapSystem {
  const swap: ObservedSwapSystem = new ObservedSwapSystem(policiesOf(kernel), cpus, 1, {
    isCacheOnly: (type, offset) => cached?.has(entryOf(type, offset)) === true,
    reclaimCacheOnly: (type, offset) => {
      if (cached?.delete(entryOf(type, offset)) !== true) return false;
      swap.free(entryOf(type, offset), 1);
      return true;
    },
    cacheOnlySlots: () => cached?.size ?? 0,
  });
  return swap;
}

const words = (swap: ObservedSwapSystem, act: () => unknown): readonly string[] =>
  explanationText(explain(swap, () => {
    act();
  }))?.decisions ?? [];

describe('decisions that no recorded line shows', () => {
  it('a cluster that was freed whole is passed over, and the lists around it', () => {
    const swap = observed('linux-6.18');
    swap.swapon(device(4096));
    const first = swap.alloc(0, 4);
    swap.free(first, 16);
    const text = explanationText(explain(swap, () => {
      swap.alloc(0, 4);
    }));
    expect(text?.decisions).toEqual([
      'CPU 0\'s cluster of order 4, 1 of /dev/zram0, is passed over: it is on free',
      'asked /dev/zram0 (priority -2, 0 of 4095 pages in use)',
      'nonfull[4] of /dev/zram0 is empty',
      'took slots 1024 to 1039 in cluster 2 of /dev/zram0, from free; the cluster is on frag[4] now',
    ]);
    expect(text?.before[0]?.lists.map((list) => list.name)).toEqual(['free', 'nonfull[0]']);
    expect(text?.after[0]?.lists.find((list) => list.name === 'frag[4]')?.clusters).toEqual([2]);
  });

  it('a cluster of another order, a file, and devices that nobody asks', () => {
    const swap = observed('linux-6.18');
    swap.swapon(device(1024, { priority: 5 }));
    swap.swapon(device(4096, { kind: 'file', name: '/swapfile', priority: 3 }));
    expect(words(swap, () => swap.alloc(0, 9))).toContain('took slots 512 to 1023 in cluster 1 of /dev/zram0, from free; the cluster is on full now');
    expect(words(swap, () => swap.alloc(0, 9))).toEqual([
      'CPU 0 remembers no cluster of order 9',
      'asked /dev/zram0 (priority 5, 512 of 1023 pages in use)',
      'free of /dev/zram0 is empty',
      'a large folio asks one device only, and 1 other with room is not asked: it is split',
    ]);
    for (let i = 0; i < 511; i++) swap.alloc(0, 0);
    expect(words(swap, () => swap.alloc(0, 9)).slice(-2)).toEqual([
      '/swapfile takes no large folios: it is a file', 'no aligned run of 512 slots was found: the folio is split',
    ]);
  });

  it('waiting discards are carried out by the allocation that finds nothing else', () => {
    for (const [kernel, order, sentence] of [
      ['linux-7.3', 0, 'discarded 2 waiting clusters of /dev/sda, which are free now'],
      ['priority-queues', 0, 'discarded 1 waiting cluster of /dev/sda, which is free now; others wait for the worker'],
      ['linux-6.12', 9, 'discarded 2 waiting clusters of /dev/sda, which are free now'],
      ['linux-6.1', 0, 'discarded 2 waiting clusters of /dev/sda, which are free now'],
    ] as const) {
      const swap = observed(kernel);
      swap.swapon(device(2048, { kind: 'partition', name: '/dev/sda', pageDiscard: true }));
      const folios = Array.from({ length: 3 }, () => swap.alloc(0, 9));
      expect(words(swap, () => {
        swap.freeFolio(folios[0] ?? 0, 512);
      }), kernel).toEqual([expect.stringMatching(/^cluster \d of \/dev\/sda, 0 slots in use, went from (full|no list) to discard$/)]);
      swap.freeFolio(folios[1] ?? 0, 512);
      if (order === 0 && kernel !== 'linux-6.1') for (let i = 0; i < 511; i++) swap.alloc(0, 0);
      expect(words(swap, () => swap.alloc(0, order)), kernel).toContain(sentence);
    }
  });

  it('xswap maps more clusters, up to its limit', () => {
    const swap = observed('xswap');
    swap.createXswap({}, 65536);
    for (let i = 0; i < 84; i++) swap.alloc(0, 9);
    expect(words(swap, () => swap.alloc(0, 9))).toEqual([
      'CPU 0 remembers no cluster of order 9',
      'asked xswap0 (priority -1, 43008 of 65535 pages in use)',
      'free of xswap0 is empty',
      'no free cluster: xswap0 mapped clusters 85 to 127 of at most 128',
      'took slots 43520 to 44031 in cluster 85 of xswap0, from free; the cluster is on full now',
    ]);
    for (let i = 0; i < 42; i++) swap.alloc(0, 9);
    expect(words(swap, () => swap.alloc(0, 9))).toContain('xswap0 can map no more clusters: 128 of at most 128 are mapped');
  });

  it('cached slots are dropped for a folio, and looked for in a full cluster', () => {
    const cached = new Set<Entry>();
    const swap = observed('linux-6.18', 2, cached);
    swap.swapon(device(1024));
    const folio = swap.alloc(0, 9);
    for (let i = 0; i < 200; i++) swap.alloc(0, 0);
    for (let i = 0; i < 16; i++) cached.add(folio + 32 + i);
    expect(words(swap, () => swap.alloc(0, 4))).toEqual([
      'CPU 0 remembers no cluster of order 4',
      'asked /dev/zram0 (priority -2, 712 of 1023 pages in use)',
      'nonfull[4] of /dev/zram0 is empty',
      'free of /dev/zram0 is empty',
      'swap is more than half full: looked through full cluster 1 of /dev/zram0 for slots that only the swap cache holds, and freed 16',
      'frag[4] of /dev/zram0 is empty',
      'no aligned run of 16 slots was found: the folio is split',
    ]);
    cached.clear();
    expect(words(swap, () => swap.alloc(1, 0))).toContain('took slot 201 in cluster 0 of /dev/zram0, from frag[0]; the cluster is on frag[0] now');
    cached.add(entryOf(0, 201));
    expect(words(swap, () => swap.alloc(0, 0))).toEqual([
      'slot 201 of /dev/zram0 was held by the swap cache alone: dropped, which freed 1 slot',
      'took slot 201 in per-CPU cluster 0 of order 0 on /dev/zram0; the cluster is on frag[0] now',
    ]);
  });

  it('slot caches, a CPU that leaves a freed cluster, and orders that a kernel refuses', () => {
    const swap = observed('linux-6.1', 2);
    swap.swapon(device(4096));
    expect(words(swap, () => swap.alloc(0, 4))).toEqual(['this kernel swaps out folios of order 0 and 9 only: order 4 is split']);
    const slots = Array.from({ length: 64 }, () => swap.alloc(0, 0));
    for (const slot of slots) swap.free(slot, 1);
    const other = swap.alloc(1, 0);
    expect(words(swap, () => {
      swap.free(other, 1);
    })).toEqual([
      'a slot cache gives back 64 slots, beginning with slot 512 of /dev/zram0',
      'cluster 1 of /dev/zram0, 0 slots in use, went from no list to free',
      'the slot waits in the slot cache of CPU 0, with 1 in all',
    ]);
    expect(words(swap, () => swap.alloc(0, 0))).toEqual([
      'the slot cache of CPU 0 is empty: it asks for 64 slots at once and gets 64',
      'asked /dev/zram0 (priority -2, 64 of 4095 pages in use)',
      'cluster 1 of /dev/zram0 has become free and is not the head of free: CPU 0 leaves it for the head',
      'CPU 0 remembers no cluster of order 0 on /dev/zram0',
      'took slots 1536 to 1599 in cluster 3 of /dev/zram0, from free; the cluster stands on no list',
      'slot 1536 of /dev/zram0 comes out of the slot cache of CPU 0, which has 63 left',
    ]);
  });
});

describe('priority queues in words', () => {
  const queues = (devices: number, set: Readonly<Record<string, boolean>> = {}): ObservedSwapSystem => {
    const swap = new ObservedSwapSystem(policiesOf({ base: 'priority-queues', set: { queueQuota: 4, ...set } }), 1, 1, {
      isCacheOnly: () => false, reclaimCacheOnly: () => false, cacheOnlySlots: () => 0,
    });
    for (let i = 0; i < devices; i++) swap.swapon(device(1024, { name: `/dev/zram${i}`, priority: 5 }));
    return swap;
  };

  it('the reader, its quota and where it goes', () => {
    const swap = queues(2);
    expect(words(swap, () => swap.alloc(0, 0))).toEqual([
      'priority 5: the reader of CPU 0 stands at /dev/zram0 with 4 slots of its quota left',
      'asked /dev/zram0 (priority 5, 0 of 1023 pages in use)',
      'CPU 0 remembers no cluster of order 0 on /dev/zram0',
      'took slot 1 in cluster 0 of /dev/zram0, from nonfull[0]; the cluster is on frag[0] now',
    ]);
    expect(words(swap, () => swap.alloc(0, 2))).toEqual([
      'priority 5: the reader of CPU 0 stands at /dev/zram0 with 3 slots of its quota left',
      'asked /dev/zram0 (priority 5, 1 of 1023 pages in use)',
      'CPU 0 remembers no cluster of order 2 on /dev/zram0',
      'nonfull[2] of /dev/zram0 is empty',
      'took slots 512 to 515 in cluster 1 of /dev/zram0, from free; the cluster is on frag[2] now',
      'the reader of CPU 0 has used its quota and goes on: it stands at /dev/zram1 with a new quota of 4 slots',
    ]);
  });

  it('masked peers are skipped, and a large folio tries every peer and no lower priority', () => {
    const swap = queues(3);
    swap.swapon(device(4096, { name: '/dev/low', priority: 1 }));
    for (let i = 0; i < 3; i++) swap.alloc(0, 9);
    for (let i = 0; i < 511; i++) swap.alloc(0, 0);
    expect(words(swap, () => swap.alloc(0, 9))).toEqual([
      'priority 5: the reader of CPU 0 stands at /dev/zram1 with 1 slot of its quota left',
      ...[['/dev/zram1', 683], ['/dev/zram2', 680], ['/dev/zram0', 684]].flatMap(([name, inUse]) => [
        `asked ${name} (priority 5, ${inUse} of 1023 pages in use)`,
        `CPU 0 remembers no cluster of order 9 on ${name}`,
        `free of ${name} is empty`,
      ]),
      'all 3 devices of priority 5 with room were tried: a large folio goes to no lower priority',
      '1 device of lower priority is not asked for a large folio: it is split',
    ]);
    while (swap.view(0).inUse < 1023) swap.alloc(0, 0);
    expect(words(swap, () => swap.alloc(0, 0))).toEqual([
      'priority 5: the reader of CPU 0 stands at /dev/zram0 with 1 slot of its quota left',
      '/dev/zram0 is masked, because it is full or going, and is skipped',
      'asked /dev/zram1 (priority 5, 1020 of 1023 pages in use)',
      'took slot 509 in per-CPU cluster 0 of order 0 on /dev/zram1; the cluster is on frag[0] now',
      'the reader of CPU 0 moves to the device that served: it stands at /dev/zram1 with a new quota of 4 slots',
    ]);
    while (swap.view(1).inUse + swap.view(2).inUse < 2 * 1023) swap.alloc(0, 0);
    expect(words(swap, () => swap.alloc(0, 9))).toEqual([
      'priority 5: the reader of CPU 0 stands at /dev/zram2 with 1 slot of its quota left',
      ...[2, 0, 1].map((i) => `/dev/zram${i} is masked, because it is full or going, and is skipped`),
      'priority 1: the reader of CPU 0 stands at /dev/low with 4 slots of its quota left',
      'asked /dev/low (priority 1, 0 of 4095 pages in use)',
      'CPU 0 remembers no cluster of order 9 on /dev/low',
      'took slots 512 to 1023 in cluster 1 of /dev/low, from free; the cluster is on full now',
    ]);
  });

  it('open questions 1 and 2: a ring of one, and a ring that is known to be full', () => {
    const swap = queues(1, { queueFastPath: true, queueAvailability: true });
    swap.swapon(device(4096, { name: '/dev/low', priority: 1 }));
    expect(words(swap, () => swap.alloc(0, 0))[0]).toBe('priority 5: /dev/zram0 is alone and needs no reader');
    for (let i = 0; i < 1022; i++) swap.alloc(0, 0);
    expect(words(swap, () => swap.alloc(0, 0)).slice(0, 2)).toEqual([
      'priority 5: no device can serve', 'priority 1: /dev/low is alone and needs no reader',
    ]);
  });

  it('a reader stays where a large folio found the device fragmented', () => {
    const swap = queues(2);
    swap.alloc(0, 9);
    swap.alloc(0, 9);
    for (let i = 0; i < 2; i++) swap.alloc(0, 0);
    swap.free(entryOf(1, 512), 512);
    expect(words(swap, () => swap.alloc(0, 9))).toEqual([
      'priority 5: the reader of CPU 0 stands at /dev/zram0 with 2 slots of its quota left',
      'asked /dev/zram0 (priority 5, 514 of 1023 pages in use)',
      'CPU 0 remembers no cluster of order 9 on /dev/zram0',
      'free of /dev/zram0 is empty',
      'asked /dev/zram1 (priority 5, 0 of 1023 pages in use)',
      'CPU 0 remembers no cluster of order 9 on /dev/zram1',
      'took slots 512 to 1023 in cluster 1 of /dev/zram1, from free; the cluster is on full now',
      'the reader of CPU 0 stays at /dev/zram0: that device had no run for this folio, and may have slots for others',
    ]);
  });
});

describe('devices without clusters, and batches', () => {
  it('next fit takes no large folio, goes on where few slots are free, and frees without lists', () => {
    const swap = observed('linux-6.12');
    swap.swapon(device(700, { kind: 'partition', name: '/dev/sda', rotational: true }));
    expect(words(swap, () => swap.alloc(0, 4))).toEqual([
      'asked /dev/sda (priority -2, 0 of 699 pages in use)',
      '/dev/sda takes no large folios: it has no clusters',
      'no aligned run of 16 slots was found: the folio is split',
    ]);
    const told: string[] = [];
    for (let i = 0; i < 690; i++) told.push(...words(swap, () => swap.alloc(0, 0)));
    expect(told.filter((sentence) => sentence.startsWith('a new stretch') || sentence.startsWith('fewer than'))).toEqual([
      'a new stretch on /dev/sda: looked for 512 free slots in a row, they begin at slot 1',
      'fewer than 512 slots of /dev/sda are free: goes on at slot 516',
    ]);
    expect(words(swap, () => {
      swap.free(entryOf(0, 4), 2);
    })).toEqual(['slots 4 to 5 are free; /dev/sda has no clusters']);
  });

  it('a batch that finds nothing in clusters goes on slot by slot', () => {
    const swap = observed('linux-6.1');
    swap.swapon(device(4096));
    const slots = Array.from({ length: 3200 }, () => swap.alloc(0, 0));
    for (let i = 0; i < 512; i += 2) swap.free(slots[i] ?? 0, 1);
    const refills = Array.from({ length: 900 }, () => words(swap, () => swap.alloc(0, 0))).filter((told) => told.length > 1);
    expect(refills.filter((told) => told.some((sentence) => sentence.includes('the batch goes on slot by slot')))[0]?.slice(2, 9)).toEqual([
      'CPU 0 remembers no cluster of order 0 on /dev/zram0',
      'free of /dev/zram0 is empty',
      'scanned /dev/zram0 slot by slot from 456 on: passed 0 slots, slot 456 is free',
      'took slots 456 to 511 in cluster 0 of /dev/zram0; the cluster stands on no list',
      'took slot 512 in cluster 1 of /dev/zram0; the cluster stands on no list',
      'the batch goes on slot by slot on /dev/zram0 from 513 on: slot 514 is free',
      'took slot 514 in cluster 1 of /dev/zram0; the cluster stands on no list',
    ]);
  });
});
