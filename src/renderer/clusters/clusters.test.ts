import { describe, expect, it } from 'vitest';
import { CPU_MASK, cellOf, codeOf, maskOf, reduceCells, sumCells } from '../../engine/kernel/swap/cluster-map';
import { LIST } from '../../engine/kernel/swap/types';
import type { ClusterMap } from '../../engine/machine';
import { cellText, legendCounts, listSums, mapText } from './describe';
import { capacityOf, cellAt, layoutCells, zoomed } from './layout';
import { ALL_LISTS } from './lists';
import { shownAs } from './paint';
import { slotRuns } from './slot-states';

const CELLS = Uint16Array.of(cellOf(LIST.free, 0, 0), cellOf(LIST.full, 0, 512), cellOf(LIST.frag, 4, 96), cellOf(LIST.free, 0, 0));
function mapOf(cells = CELLS, most = 100): ClusterMap {
  const current = Int32Array.of(1, 4, 2);
  return {
    type: 0, name: '/dev/zram0', at: 0, recorded: false, distanceNs: 0, total: cells.length, from: 0, to: cells.length, current,
    ...reduceCells(cells, current, 0, cells.length, most), ...sumCells(cells),
  };
}

describe('layout', () => {
  it('has a place for every cell of half a million clusters', () => {
    for (const [width, height] of [[1100, 300], [280, 90], [1800, 700]] as const) {
      const cells = Math.ceil(500_000 / Math.ceil(500_000 / capacityOf(width, height)));
      const layout = layoutCells(cells, width, height);
      expect(layout.columns * layout.size).toBeLessThanOrEqual(width);
      expect(layout.rows * layout.size).toBeLessThanOrEqual(height);
      expect(layout.columns * layout.rows).toBeGreaterThanOrEqual(cells);
    }
  });
  it('finds the cell at a place, and none beside them', () => {
    const layout = layoutCells(4, 60, 60);
    const { size } = layout;
    expect([cellAt(layout, 4, 1, 1), cellAt(layout, 4, size + 1, 1), cellAt(layout, 4, 1, size + 1)]).toEqual([0, 1, layout.columns]);
    expect([cellAt(layout, 4, -1, 1), cellAt(layout, 4, 1, 500), cellAt(layout, 4, 500, 1)]).toEqual([-1, -1, -1]);
  });
  it('zooms around a cluster, and out to all of them', () => {
    expect(zoomed({ from: 0, to: 1000 }, 1000, 500, 0.5)).toEqual({ from: 250, to: 750 });
    expect(zoomed({ from: 0, to: 1000 }, 1000, 0, 0.1)).toEqual({ from: 0, to: 100 });
    expect(zoomed({ from: 900, to: 1000 }, 1000, 999, 2)).toEqual({ from: 800, to: 1000 });
    expect(zoomed({ from: 250, to: 750 }, 1000, 500, 2)).toBeUndefined();
    expect(zoomed({ from: 0, to: 20 }, 1000, 10, 0.1)?.to).toBe(18);
  });
});

describe('words', () => {
  it('say list, order, use and CPU of a cluster', () => {
    expect(cellText(mapOf(), 2))
      .toBe('Cluster 2 (slots 1\u202f024 to 1\u202f535): frag, order 4; 96 of 512 slots in use; CPU 1 takes order 4 from it.');
    expect(cellText(mapOf(), 9)).toBe('');
    expect(cellText(mapOf(CELLS, 2), 0)).toBe('Clusters 0 to 1: most are free; 50.0 % of slots in use; lists: free, full.');
  });
  it('sum up by list and order', () => {
    expect(listSums(mapOf())).toEqual([
      { code: codeOf(LIST.free, 0), text: 'free', clusters: 2, used: 0 },
      { code: codeOf(LIST.frag, 4), text: 'frag, order 4', clusters: 1, used: 96 },
      { code: codeOf(LIST.full, 0), text: 'full, order 0', clusters: 1, used: 512 },
    ]);
    expect(Object.fromEntries(legendCounts(mapOf()))).toEqual({ free: 2, frag: 1, full: 1, cpu: 1 });
    expect(mapText(mapOf())).toBe('/dev/zram0: 4 clusters; free 2, frag 1, full 1, a CPU’s current 1.');
  });
});

it('a filter shows what of the wanted lists is in a cell', () => {
  const cell = cellOf(LIST.free, 0, 10);
  const mask = maskOf(LIST.free) | maskOf(LIST.full) | CPU_MASK;
  expect(shownAs(cell, mask, ALL_LISTS)).toBe('free');
  expect(shownAs(cell, mask, maskOf(LIST.full))).toBe('full');
  expect(shownAs(cell, mask, CPU_MASK)).toBe('cpu');
  expect(shownAs(cell, mask, maskOf(LIST.frag))).toBeUndefined();
});

it('adjacent slots of one state are one run', () => {
  expect(slotRuns(Uint8Array.of(7, 1, 1, 0))).toEqual([{ from: 0, to: 0, state: 7 }, { from: 1, to: 2, state: 1 }, { from: 3, to: 3, state: 0 }]);
});
