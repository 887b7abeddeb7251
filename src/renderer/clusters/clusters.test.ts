import { describe, expect, it } from 'vitest';
import { cellOf, codeOf } from '../../engine/kernel/swap/cluster-map';
import { LIST } from '../../engine/kernel/swap/types';
import { cellText, legendCounts, listSums, mapText } from './describe';
import { capacityOf, cellAt, layoutCells, panned, placeOf, zoomed } from './layout';
import { cellOfCluster, clustersOfCell, countsOf, firstOfCell, stretchOfCell } from './places';
import { slotRuns } from './slot-states';
import { CELLS, mapOf } from './testing/map-of';

describe('layout', () => {
  it('has a place for every cell of half a million clusters, on one device or several', () => {
    for (const [width, height] of [[1100, 300], [280, 140], [1800, 700]] as const) {
      for (const devices of [1, 2, 4]) {
        const capacity = capacityOf(width, height, devices);
        const perCell = Math.ceil(524_288 / (capacity - devices + 1));
        const counts = Array.from({ length: devices }, (_, i) => Math.ceil((i === 0 ? 524_288 - (devices - 1) * 99_999 : 99_999) / perCell));
        const layout = layoutCells(counts, width, height);
        const last = layout.bands[devices - 1];
        expect(layout.columns * layout.size).toBeLessThanOrEqual(width);
        expect((last?.top ?? Infinity) + Math.ceil((last?.cells ?? 0) / layout.columns) * layout.size).toBeLessThanOrEqual(height);
        const cells = counts.reduce((a, b) => a + b);
        for (let cell = 0; cell < cells; cell += 97) {
          const [x, y] = placeOf(layout, cell) ?? [NaN, NaN];
          expect(cellAt(layout, x + 1, y + 1)).toBe(cell);
        }
        expect(placeOf(layout, cells)).toBeUndefined();
      }
    }
  });
  it('finds the cell at a place, and none beside them', () => {
    const layout = layoutCells([4], 60, 60);
    const { size } = layout;
    expect([cellAt(layout, 1, 1), cellAt(layout, size + 1, 1), cellAt(layout, 1, size + 1)]).toEqual([0, 1, layout.columns]);
    expect([cellAt(layout, -1, 1), cellAt(layout, 1, 500), cellAt(layout, 500, 1)]).toEqual([-1, -1, -1]);
    const two = layoutCells([1, 1], 60, 100);
    // Between the two stands the name of the second.
    expect([cellAt(two, 1, 19), cellAt(two, 1, (two.bands[1]?.top ?? 0) - 2), cellAt(two, 1, (two.bands[1]?.top ?? 0) + 1)]).toEqual([0, -1, 1]);
  });
  it('goes along as far as there are clusters', () => {
    expect(panned({ from: 100, to: 200 }, 1000, 0.5)).toEqual({ from: 150, to: 250 });
    expect(panned({ from: 100, to: 200 }, 1000, -2)).toEqual({ from: 0, to: 100 });
    expect(panned({ from: 850, to: 950 }, 1000, 2)).toEqual({ from: 900, to: 1000 });
  });
  it('zooms around a cluster, and out to all of them', () => {
    expect(zoomed({ from: 0, to: 1000 }, 1000, 500, 0.5)).toEqual({ from: 250, to: 750 });
    expect(zoomed({ from: 0, to: 1000 }, 1000, 0, 0.1)).toEqual({ from: 0, to: 100 });
    expect(zoomed({ from: 900, to: 1000 }, 1000, 999, 2)).toEqual({ from: 800, to: 1000 });
    expect(zoomed({ from: 250, to: 750 }, 1000, 500, 2)).toBeUndefined();
    expect(zoomed({ from: 0, to: 20 }, 1000, 10, 0.1)?.to).toBe(18);
  });
});

describe('places', () => {
  it('lead from a cell to its clusters and back, over the edge of a device', () => {
    const map = mapOf([CELLS, [...CELLS, ...CELLS, cellOf(LIST.full, 0, 512)], CELLS], 2);
    expect(countsOf(map)).toEqual([2, 5, 2]);
    expect([1, 2, 6, 7].map((cell) => stretchOfCell(map, cell)?.name)).toEqual(['/dev/zram0', '/dev/zram1', '/dev/zram1', '/dev/zram2']);
    expect([0, 2, 6, 7].map((cell) => firstOfCell(map, cell))).toEqual([0, 4, 12, 13]);
    const second = map.stretches[1];
    if (second) expect(clustersOfCell(map, second, 6)).toEqual({ from: 8, to: 9 });
    for (let cluster = 0; cluster < map.total; cluster += 1) {
      const cell = cellOfCluster(map, cluster);
      expect(firstOfCell(map, cell)).toBeLessThanOrEqual(cluster);
      expect(cluster - firstOfCell(map, cell)).toBeLessThan(2);
    }
    expect([cellOfCluster(map, 17), cellOfCluster(map, -1), stretchOfCell(map, 9)]).toEqual([-1, -1, undefined]);
    expect(cellText(map, 6)).toMatch(/^zram1: Clusters 8 to 8: most are full/);
  });
});

describe('words', () => {
  it('say list, order, use and CPU of a cluster', () => {
    expect(cellText(mapOf(), 2))
      .toBe('Cluster 2 (slots 1\u202f024 to 1\u202f535): frag, order 4; 96 of 512 slots in use; CPU 1 takes order 4 from it.');
    expect(cellText(mapOf(), 9)).toBe('');
    expect(cellText(mapOf([CELLS], 2), 0)).toBe('Clusters 0 to 1: most are free; 50.0 % of slots in use; lists: free, full.');
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

it('adjacent slots of one state are one run', () => {
  expect(slotRuns(Uint8Array.of(7, 1, 1, 0))).toEqual([{ from: 0, to: 0, state: 7 }, { from: 1, to: 2, state: 1 }, { from: 3, to: 3, state: 0 }]);
});
