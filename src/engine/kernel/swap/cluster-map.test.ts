import { describe, expect, it } from 'vitest';
import { ClusterHistory, pictureOf } from './cluster-history';
import {
  CELL_CODES, CPU_MASK, cellOf, codeOf, codeOfCell, countOfCell, listOfCode, maskOf, orderOfCode, packClusters, reduceCells, sumCells,
} from './cluster-map';
import { kernelIds, policiesOf } from './registry';
import { SwapSystem } from './swap-system';
import { LIST, ORDERS, type SwapHost } from './types';

const HOST: SwapHost = { isCacheOnly: () => false, reclaimCacheOnly: () => false };

function systemOf(kernel: string, slots = 8 * 512): SwapSystem {
  const swap = new SwapSystem(policiesOf(kernel), 2, 1, HOST);
  swap.swapon({ kind: 'zram', name: '/dev/zram0', slots, rotational: false, pageDiscard: false, node: -1 });
  return swap;
}

describe('cells', () => {
  it('tell list, order and count apart', () => {
    const seen = new Set<number>();
    for (const list of Object.values(LIST)) {
      for (let order = 0; order < ORDERS; order++) {
        const cell = cellOf(list, order, 512);
        expect([listOfCode(codeOfCell(cell)), countOfCell(cell)]).toEqual([list, 512]);
        const own = orderOfCode(codeOf(list, order));
        expect(own === order || own === -1).toBe(true);
        seen.add(codeOfCell(cell));
      }
    }
    expect(seen.size).toBe(CELL_CODES);
  });

  it('agree with the views of the clusters in every kernel', () => {
    for (const kernel of kernelIds()) {
      const swap = systemOf(kernel);
      const entries = Array.from({ length: 1400 }, (_, i) => swap.alloc(i & 1, i % 7 === 0 ? 4 : 0)).filter((entry) => entry !== 0);
      entries.forEach((entry, i) => { if (i % 3 === 0) swap.free(entry, 1); });
      const cells = packClusters(swap.table[0]!.store);
      const seen = [...cells].map((cell) => [listOfCode(codeOfCell(cell)), countOfCell(cell)]);
      expect(seen, kernel).toEqual(swap.clusters(0, 0, 8).map((view) => [view.list, view.count]));
    }
  });

  it('name the clusters that CPUs allocate from', () => {
    const swap = systemOf('linux-6.18');
    swap.alloc(0, 0);
    swap.alloc(1, 4);
    const threes = [...pictureOf(swap, 0, 2)!.current];
    expect(threes.length).toBe(6);
    expect(threes.slice(0, 2)).toEqual([0, 0]);
    expect(threes.slice(3, 5)).toEqual([1, 4]);
    expect(threes[2]).not.toBe(threes[5]);
  });

  it('share a place when there are more of them than places, and lose no list', () => {
    const cells = Uint16Array.of(
      cellOf(LIST.free, 0, 0), cellOf(LIST.free, 0, 0), cellOf(LIST.full, 0, 512), cellOf(LIST.frag, 4, 256), cellOf(LIST.frag, 4, 255),
    );
    const { perCell, cells: out, masks } = reduceCells(cells, Int32Array.of(0, 0, 4), 0, 5, 2);
    expect([perCell, out.length]).toEqual([3, 2]);
    expect([codeOfCell(out[0]), countOfCell(out[0]), masks[0]]).toEqual([codeOf(LIST.free, 0), 171, maskOf(LIST.free) | maskOf(LIST.full)]);
    expect([codeOfCell(out[1]), countOfCell(out[1]), masks[1]]).toEqual([codeOf(LIST.frag, 4), 256, maskOf(LIST.frag) | CPU_MASK]);
    const { clusters, used } = sumCells(cells);
    expect([clusters[codeOf(LIST.frag, 4)], used[codeOf(LIST.frag, 4)]]).toEqual([2, 511]);
  });
});

describe('ClusterHistory', () => {
  it('finds what stood at any earlier time, however often it was thinned', () => {
    const swap = systemOf('linux-6.18');
    const history = new ClusterHistory(swap, 2, 100, { pictures: 16, bytes: Infinity });
    const inUse: number[] = [];
    // One slot an operation, an operation every 10 ns, with a pause.
    const timeOf = (i: number): number => i * 10 + (i > 200 ? 5000 : 0);
    for (let i = 0; i < 1000; i++) {
      if (timeOf(i) >= history.nextSample) history.sample(timeOf(i));
      swap.alloc(0, 0);
      inUse.push(timeOf(i));
    }
    expect(history.length).toBeLessThanOrEqual(16);
    expect(history.length).toBeGreaterThanOrEqual(8);
    for (let at = 0; at < timeOf(999); at += 37) {
      const found = history.find(0, at)!;
      expect(found.at).toBeLessThanOrEqual(at);
      const used = sumCells(found.device.cells).used.reduce((a, b) => a + b) - 1;
      expect(used, `at ${at}, recorded ${found.at}`).toBe(inUse.filter((time) => time < found.at).length);
    }
    expect(history.find(0, -1)).toBeUndefined();
    expect(history.find(1, 500)).toBeUndefined();
  });

  it('keeps within its bytes and spends none on what has not changed', () => {
    const swap = systemOf('linux-6.18', 512 * 512);
    const still = new ClusterHistory(swap, 2, 10, { pictures: 100, bytes: 4096 });
    for (let at = 0; at < 500; at += 10) still.sample(at);
    expect(still.length).toBe(1);
    expect(still.find(0, 490)?.at).toBe(0);
    const busy = new ClusterHistory(swap, 2, 10, { pictures: 100, bytes: 4096 });
    for (let at = 0; at < 5000; at += 10) {
      swap.alloc(0, 0);
      if (at >= busy.nextSample) busy.sample(at);
    }
    expect(busy.length).toBeLessThanOrEqual(4);
  });
});
