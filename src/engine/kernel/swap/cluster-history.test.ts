import { describe, expect, it } from 'vitest';
import { ClusterHistory } from './cluster-history';
import { packClusters } from './cluster-map';
import { ClusterMirrors, type BlockPool, type DevicePicture } from './cluster-mirror';
import { kernelIds, policiesOf } from './registry';
import { SwapSystem } from './swap-system';
import type { SwapHost } from './types';

const HOST: SwapHost = { isCacheOnly: () => false, reclaimCacheOnly: () => false };
const zram = (index: number, clusters: number) => (
  { kind: 'zram', name: `/dev/zram${index}`, slots: clusters * 512, rotational: false, pageDiscard: false, node: -1 } as const
);
function systemOf(clusters: number, kernel = 'linux-6.18'): SwapSystem {
  const swap = new SwapSystem(policiesOf(kernel), 2, 1, HOST);
  swap.swapon(zram(0, clusters));
  return swap;
}
const cellsOf = (pool: BlockPool, { ids, total }: DevicePicture): number[] => (
  Array.from({ length: total }, (_, i) => pool.cells[ids[i >>> 6] * 64 + (i & 63)])
);
const usedOf = ({ used }: DevicePicture): number => used.reduce((a, b) => a + b);

describe('ClusterMirrors', () => {
  it('stand as the clusters do after any work, in every kernel, and look at touched blocks alone', () => {
    for (const kernel of kernelIds()) {
      const swap = systemOf(300, kernel);
      const mirrors = new ClusterMirrors(swap, 2);
      mirrors.now();
      expect(mirrors.walked).toBe(300);
      const held: number[] = [];
      let dice = 1;
      const roll = (sides: number): number => (dice = (Math.imul(dice, 48271) >>> 0) % 0x7fffffff) % sides;
      for (let round = 0; round < 60; round++) {
        for (let i = 0; i < 400; i++) {
          if (held.length > 0 && roll(5) < 2) {
            const at = roll(held.length);
            swap.free(held[at], 1);
            held[at] = held[held.length - 1];
            held.pop();
          } else {
            const entry = swap.alloc(roll(2), 0);
            if (entry !== 0) held.push(entry);
          }
        }
        const [now] = mirrors.now();
        const { store } = swap.table[0]!;
        const cells = new Uint16Array(300);
        packClusters(store, 0, 300, cells);
        expect(cellsOf(mirrors.pool, now), kernel).toEqual([...cells]);
        expect(usedOf(now), kernel).toBe(cells.reduce((sum, cell) => sum + (cell & 1023), 0));
        expect(now.clusters.reduce((a, b) => a + b)).toBe(300);
      }
      const before = mirrors.walked;
      mirrors.now();
      expect(mirrors.walked).toBe(before);
      swap.free(held[0], 1);
      mirrors.now();
      expect(mirrors.walked - before).toBeLessThanOrEqual(64);
    }
  });

  it('follow devices that come, go, grow and shrink', () => {
    const swap = new SwapSystem(policiesOf('xswap'), 1, 1, HOST);
    const type = swap.createXswap({}, 200 * 512);
    const mirrors = new ClusterMirrors(swap, 1);
    mirrors.freeze();
    const entries = Array.from({ length: 90_000 }, () => swap.alloc(0, 0));
    const grown = mirrors.now()[0];
    expect(grown.total).toBe(swap.table[type]!.store.count);
    expect(grown.total).toBeGreaterThan(170);
    const kept = mirrors.freeze()[0].picture;
    const cells = cellsOf(mirrors.pool, kept);
    for (const entry of entries) swap.free(entry, 1);
    for (const { kind, type: of } of swap.pendingWork()) swap.runWork(kind, of);
    swap.swapon(zram(7, 5));
    const now = mirrors.now();
    expect(now.map(({ name, total }) => [name, total])).toEqual(swap.devices().map(({ name, clusters }) => [name, clusters]));
    expect(now[0].clusters.reduce((a, b) => a + b)).toBe(now[0].total);
    expect(cellsOf(mirrors.pool, kept)).toEqual(cells);
  });
});

describe('ClusterHistory', () => {
  it('finds what stood at any earlier time, however often it was thinned and whoever looked in between', () => {
    const run = (look: boolean): { found: unknown[]; length: number; bytes: number } => {
      const swap = systemOf(8);
      const mirrors = new ClusterMirrors(swap, 2);
      const history = new ClusterHistory(mirrors, 100, { pictures: 16, bytes: Infinity });
      const times: number[] = [];
      // One slot an operation, an operation every 10 ns, with a pause.
      const timeOf = (i: number): number => i * 10 + (i > 200 ? 5000 : 0);
      for (let i = 0; i < 1000; i++) {
        if (timeOf(i) >= history.nextSample) history.sample(timeOf(i));
        const entry = swap.alloc(0, 0);
        if (look) mirrors.now();
        // A slot that comes and goes between two pictures leaves no trace in them.
        const passing = swap.alloc(1, 0);
        if (look) mirrors.now();
        swap.free(passing, 1);
        expect(entry).not.toBe(0);
        times.push(timeOf(i));
      }
      expect(history.length).toBeLessThanOrEqual(16);
      expect(history.length).toBeGreaterThanOrEqual(8);
      const found: unknown[] = [];
      for (let at = 0; at < timeOf(999); at += 37) {
        const picture = history.find(at)!;
        expect(picture.at).toBeLessThanOrEqual(at);
        expect(usedOf(picture.devices[0]) - 1, `at ${at}, recorded ${picture.at}`).toBe(times.filter((time) => time < picture.at).length);
        found.push([picture.at, cellsOf(mirrors.pool, picture.devices[0]), [...picture.devices[0].current]]);
      }
      expect(history.find(-1)).toBeUndefined();
      return { found, length: history.length, bytes: history.bytes };
    };
    expect(run(true)).toEqual(run(false));
  });

  it('spends nothing on what has not changed, and keeps within its bytes', () => {
    const swap = systemOf(2048);
    const still = new ClusterHistory(new ClusterMirrors(swap, 2), 10, { pictures: 100, bytes: 4096 });
    for (let at = 0; at < 500; at += 10) still.sample(at);
    expect(still.length).toBe(1);
    expect(still.find(490)?.at).toBe(0);
    const limit = 24_000;
    const mirrors = new ClusterMirrors(swap, 2);
    const busy = new ClusterHistory(mirrors, 10, { pictures: 1000, bytes: limit });
    for (let at = 0; at < 5000; at += 10) {
      swap.alloc(0, 0);
      if (at >= busy.nextSample) busy.sample(at);
      expect(busy.bytes).toBeLessThanOrEqual(limit);
    }
    // 2048 cells of 2 bytes: six whole pictures would fill it.
    expect(busy.length).toBeGreaterThan(10);
    expect(mirrors.walked).toBeLessThan(2048 + 500 * 64 + 1);
  });

  it('names devices that were on once', () => {
    const swap = systemOf(8);
    const history = new ClusterHistory(new ClusterMirrors(swap, 2), 10);
    history.sample(0);
    swap.swapon(zram(1, 4));
    history.sample(10);
    swap.beginSwapoff(0);
    swap.finishSwapoff(0);
    history.sample(20);
    expect(history.names()).toEqual(['/dev/zram0', '/dev/zram1']);
    expect(history.find(20)?.devices.map(({ name }) => name)).toEqual(['/dev/zram1']);
    expect(history.find(15)?.devices.map(({ name }) => name)).toEqual(['/dev/zram0', '/dev/zram1']);
  });
});
