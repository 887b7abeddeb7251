/** Maps for tests. */
import { CELL_CODES, CellTally, cellOf } from '../../../engine/kernel/swap/cluster-map';
import { LIST } from '../../../engine/kernel/swap/types';
import type { ClusterAnswer } from '../../../engine/machine';

export const CELLS = [cellOf(LIST.free, 0, 0), cellOf(LIST.full, 0, 512), cellOf(LIST.frag, 4, 96), cellOf(LIST.free, 0, 0)];
/** Devices of these clusters, `perCell` of them a cell; CPU 1 allocates from cluster 2 of the row. */
export function mapOf(devices: readonly (readonly number[])[] = [CELLS], perCell = 1): ClusterAnswer {
  const tally = new CellTally();
  const cells: number[] = [];
  const masks: number[] = [];
  const clusters = new Uint32Array(CELL_CODES);
  const used = new Float64Array(CELL_CODES);
  let base = 0;
  const stretches = devices.map((list, type) => {
    const stretch = { type, name: `/dev/zram${type}`, base, total: list.length, from: 0, to: list.length, cell: cells.length };
    base += list.length;
    list.forEach((cell, i) => {
      clusters[cell >>> 10] = (clusters[cell >>> 10] ?? 0) + 1;
      used[cell >>> 10] = (used[cell >>> 10] ?? 0) + (cell & 1023);
      tally.add(Uint16Array.of(cell), 0, 1);
      if (i % perCell !== perCell - 1 && i !== list.length - 1) return;
      tally.close();
      cells.push(tally.cell);
      masks.push(tally.mask);
    });
    return stretch;
  });
  return {
    id: 1, at: 0, recorded: false, distanceNs: 0, devices: stretches.map(({ name }) => ({ name, on: true })), total: base, from: 0, to: base, perCell,
    stretches, cells: Uint16Array.from(cells), masks: Uint8Array.from(masks), clusters, used, current: Int32Array.of(1, 4, 2),
  };
}
