/** From cells to clusters and back. A cluster of the row is counted over all devices, a cluster of a device within it. */
import type { ClusterMap, ClusterStretch } from '../../engine/machine';

/** The device that a cell belongs to. */
export function stretchOfCell(map: ClusterMap, cell: number): ClusterStretch | undefined {
  if (cell < 0 || cell >= map.cells.length) return undefined;
  const next = map.stretches.findIndex((stretch) => stretch.cell > cell);
  return map.stretches[(next < 0 ? map.stretches.length : next) - 1];
}

/** Clusters of the device that a cell stands for, from … to-1. */
export function clustersOfCell(map: ClusterMap, stretch: ClusterStretch, cell: number): { readonly from: number; readonly to: number } {
  const from = stretch.from + (cell - stretch.cell) * map.perCell;
  return { from, to: Math.min(from + map.perCell, stretch.to) };
}

/** The first cluster of a cell, counted over the row. */
export function firstOfCell(map: ClusterMap, cell: number): number {
  const stretch = stretchOfCell(map, cell);
  return stretch ? stretch.base + clustersOfCell(map, stretch, cell).from : map.from;
}

/** The cell of a cluster of the row; -1: it is not shown. */
export function cellOfCluster(map: ClusterMap, cluster: number): number {
  const stretch = map.stretches.find(({ base, from, to }) => cluster >= base + from && cluster < base + to);
  return stretch ? stretch.cell + Math.floor((cluster - stretch.base - stretch.from) / map.perCell) : -1;
}

/** Cells of each device. */
export const countsOf = (map: ClusterMap): number[] => map.stretches.map(({ cell }, i) => (map.stretches[i + 1]?.cell ?? map.cells.length) - cell);
