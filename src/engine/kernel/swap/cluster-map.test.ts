import { describe, expect, it } from 'vitest';
import {
  CELL_CODES, CellTally, cellOf, codeOf, codeOfCell, countOfCell, listOfCode, maskOf, orderOfCode, packClusters,
} from './cluster-map';
import { ClusterMirrors } from './cluster-mirror';
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
      const cells = new Uint16Array(8);
      packClusters(swap.table[0]!.store, 0, 8, cells);
      const seen = [...cells].map((cell) => [listOfCode(codeOfCell(cell)), countOfCell(cell)]);
      expect(seen, kernel).toEqual(swap.clusters(0, 0, 8).map((view) => [view.list, view.count]));
    }
  });

  it('name the clusters that CPUs allocate from', () => {
    const swap = systemOf('linux-6.18');
    swap.alloc(0, 0);
    swap.alloc(1, 4);
    const threes = [...new ClusterMirrors(swap, 2).now()[0].current];
    expect(threes.length).toBe(6);
    expect(threes.slice(0, 2)).toEqual([0, 0]);
    expect(threes.slice(3, 5)).toEqual([1, 4]);
    expect(threes[2]).not.toBe(threes[5]);
  });

  it('share a place when there are more of them than places, and lose no list', () => {
    const tally = new CellTally();
    const put = (...cells: number[]): [number, number, number] => {
      tally.add(Uint16Array.from(cells), 0, 1);
      tally.add(Uint16Array.from(cells), 1, cells.length);
      tally.close();
      return [codeOfCell(tally.cell), countOfCell(tally.cell), tally.mask];
    };
    const free = cellOf(LIST.free, 0, 0);
    expect(put(free, free, cellOf(LIST.full, 0, 512))).toEqual([codeOf(LIST.free, 0), 171, maskOf(LIST.free) | maskOf(LIST.full)]);
    expect(put(cellOf(LIST.frag, 4, 256), cellOf(LIST.frag, 4, 255))).toEqual([codeOf(LIST.frag, 4), 256, maskOf(LIST.frag)]);
    // Of equals the lower code, whichever came first.
    expect(put(cellOf(LIST.full, 0, 512), free)[0]).toBe(codeOf(LIST.free, 0));
    expect(put(cellOf(LIST.full, 3, 77))).toEqual([codeOf(LIST.full, 3), 77, maskOf(LIST.full)]);
  });
});
