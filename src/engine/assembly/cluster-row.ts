/**
 * A row of devices reduced to the cells that a window has places for. It remembers its last answer, so that the next one of the same
 * row costs as much as has changed: blocks of clusters with an equal serial number are not looked at again.
 */
import type { BlockPool, DevicePicture } from '../kernel/swap/cluster-mirror';
import { CELL_CODES, CellTally } from '../kernel/swap/cluster-map';
import { BLOCK_BITS, BLOCK_CLUSTERS } from '../kernel/swap/clusters';
import type { ClusterAnswer, ClusterQuery, ClusterStretch } from '../machine';

export type RowAnswer = Pick<
  ClusterAnswer,
  'id' | 'after' | 'changed' | 'total' | 'from' | 'to' | 'perCell' | 'stretches' | 'cells' | 'masks' | 'clusters' | 'used' | 'current'
>;

export class ClusterRow {
  /** What answers have cost so far: clusters looked at, cells made of them. */
  readonly work = { clusters: 0, cells: 0 };
  private shape = '';
  private id = 0;
  /** Serial numbers of the blocks as last seen, one device after the other. */
  private serials = new Float64Array(0);
  private cells = new Uint16Array(0);
  private masks = new Uint8Array(0);
  private readonly tally = new CellTally();

  /** @param nextId gives each answer of a machine another number, whichever row it comes from */
  constructor(private readonly pool: BlockPool, private readonly nextId: () => number) {}

  answer(pictures: readonly DevicePicture[], query: ClusterQuery): RowAnswer {
    const total = pictures.reduce((sum, picture) => sum + picture.total, 0);
    const from = Math.min(Math.max(0, Math.floor(query.from)), Math.max(0, total - 1));
    const to = Math.max(from, Math.min(total, Math.floor(query.to)));
    const { perCell, stretches } = stretchesOf(pictures, from, to, query.cells);
    const shape = `${perCell} ${stretches.map((stretch) => `${stretch.name} ${stretch.base} ${stretch.from} ${stretch.to}`).join(' ')}`;
    const same = shape === this.shape;
    if (!same) this.reshape(shape, stretches, perCell);
    const changed: number[] = [];
    let serial = 0;
    for (const stretch of stretches) {
      const picture = pictures.find(({ name }) => name === stretch.name)!;
      serial = this.update(picture, stretch, perCell, serial, changed);
    }
    const after = same && query.since === this.id ? this.id : undefined;
    this.id = this.nextId();
    return {
      id: this.id, total, from, to, perCell, stretches, ...sumsOf(pictures, total),
      ...(after === undefined ? { cells: this.cells.slice(), masks: this.masks.slice() } : { after, ...this.only(changed) }),
    };
  }

  private reshape(shape: string, stretches: readonly ClusterStretch[], perCell: number): void {
    const last = stretches[stretches.length - 1];
    const cells = last === undefined ? 0 : last.cell + Math.ceil((last.to - last.from) / perCell);
    this.shape = shape;
    this.cells = new Uint16Array(cells);
    this.masks = new Uint8Array(cells);
    this.serials = new Float64Array(stretches.reduce((sum, { from, to }) => sum + blocksIn(from, to), 0));
  }

  /** Brings the cells of one device up to date. @returns the index of the next device's first serial number */
  private update(picture: DevicePicture, stretch: ClusterStretch, perCell: number, firstSerial: number, changed: number[]): number {
    const { from, to, cell: firstCell } = stretch;
    const { serials, pool } = this;
    const cells = Math.ceil((to - from) / perCell);
    let next = 0;
    let at = firstSerial;
    for (let block = from >>> BLOCK_BITS; block * BLOCK_CLUSTERS < to; block++, at++) {
      const serial = pool.serials[picture.ids[block]];
      if (serials[at] === serial) continue;
      serials[at] = serial;
      const begin = Math.max(0, block * BLOCK_CLUSTERS - from);
      const end = Math.min(to - from, (block + 1) * BLOCK_CLUSTERS - from);
      next = Math.max(next, Math.floor(begin / perCell));
      for (const stop = Math.min(cells, Math.ceil(end / perCell)); next < stop; next++) {
        const first = from + next * perCell;
        if (this.make(picture.ids, first, Math.min(to, first + perCell), firstCell + next)) changed.push(firstCell + next);
      }
    }
    return at;
  }

  /** One cell anew. @returns whether it is another than before */
  private make(blocks: Int32Array, from: number, to: number, cell: number): boolean {
    const { tally, pool, work } = this;
    for (let cluster = from; cluster < to;) {
      const within = cluster & (BLOCK_CLUSTERS - 1);
      const first = (blocks[cluster >>> BLOCK_BITS] << BLOCK_BITS) + within;
      const length = Math.min(to - cluster, BLOCK_CLUSTERS - within);
      tally.add(pool.cells, first, first + length);
      cluster += length;
    }
    tally.close();
    work.clusters += to - from;
    work.cells++;
    if (this.cells[cell] === tally.cell && this.masks[cell] === tally.mask) return false;
    this.cells[cell] = tally.cell;
    this.masks[cell] = tally.mask;
    return true;
  }

  private only(changed: readonly number[]): Pick<ClusterAnswer, 'changed' | 'cells' | 'masks'> {
    const cells = new Uint16Array(changed.length);
    const masks = new Uint8Array(changed.length);
    changed.forEach((cell, i) => {
      cells[i] = this.cells[cell];
      masks[i] = this.masks[cell];
    });
    return { changed: Uint32Array.from(changed), cells, masks };
  }
}

const blocksIn = (from: number, to: number): number => (to <= from ? 0 : ((to - 1) >>> BLOCK_BITS) - (from >>> BLOCK_BITS) + 1);

function stretchesOf(pictures: readonly DevicePicture[], from: number, to: number, most: number): { perCell: number; stretches: ClusterStretch[] } {
  const found: Omit<ClusterStretch, 'cell'>[] = [];
  let base = 0;
  for (const { type, name, total } of pictures) {
    const [first, end] = [Math.max(0, from - base), Math.min(total, to - base)];
    if (first < end) found.push({ type, name, base, total, from: first, to: end });
    base += total;
  }
  // No cell reaches from one device into the next, so each may need one more than its share.
  const room = Math.max(1, Math.floor(most) - (found.length - 1));
  const perCell = to - from <= most ? 1 : Math.ceil((to - from) / room);
  let cell = 0;
  const stretches = found.map((stretch) => {
    const placed = { ...stretch, cell };
    cell += Math.ceil((stretch.to - stretch.from) / perCell);
    return placed;
  });
  return { perCell, stretches };
}

function sumsOf(pictures: readonly DevicePicture[], total: number): Pick<ClusterAnswer, 'clusters' | 'used' | 'current'> {
  const clusters = new Uint32Array(CELL_CODES);
  const used = new Float64Array(CELL_CODES);
  const current = new Int32Array(pictures.reduce((sum, picture) => sum + picture.current.length, 0));
  let base = 0;
  let at = 0;
  for (const picture of pictures) {
    for (let code = 0; code < CELL_CODES; code++) {
      clusters[code] += picture.clusters[code];
      used[code] += picture.used[code];
    }
    current.set(picture.current, at);
    for (let i = at + 2; i < at + picture.current.length; i += 3) current[i] += base;
    at += picture.current.length;
    base += picture.total;
  }
  return total === 0 ? { clusters, used, current: new Int32Array(0) } : { clusters, used, current };
}
