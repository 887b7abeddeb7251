/** Where cells go: rows from left to right, squares as large as fit; each device begins a band of its own. */

/** Cells smaller than this (px, gap included) could not be told apart. */
export const LEAST_SIZE = 3;
const LARGEST_SIZE = 30;
/** Height of the line above a band that names its device, px; a device alone needs none. */
export const BAND_HEAD = 18;

/** The cells of one device. */
export interface Band {
  /** The first of them, and how many. */
  readonly cell: number;
  readonly cells: number;
  /** Where its first row begins, px. */
  readonly top: number;
  /** Rows of all bands before. */
  readonly row: number;
}

export interface CellLayout {
  /** Distance from one cell to the next, px. */
  readonly size: number;
  /** Of that, left empty. */
  readonly gap: number;
  readonly columns: number;
  /** Of all bands. */
  readonly rows: number;
  readonly bands: readonly Band[];
}

const headsOf = (devices: number): number => (devices > 1 ? devices * BAND_HEAD : 0);

/** How many cells of so many devices an area has places for at the least size. */
export function capacityOf(width: number, height: number, devices = 1): number {
  const columns = Math.max(1, Math.floor(width / LEAST_SIZE));
  // The last row of each band may be begun only.
  const rows = Math.floor((height - headsOf(devices)) / LEAST_SIZE) - (devices - 1);
  return columns * Math.max(1, rows);
}

/** @param counts cells of each device */
export function layoutCells(counts: readonly number[], width: number, height: number): CellLayout {
  const room = height - headsOf(counts.length);
  const rowsAt = (size: number): number => {
    const columns = Math.max(1, Math.floor(width / size));
    return counts.reduce((rows, cells) => rows + Math.ceil(cells / columns), 0);
  };
  let size = LARGEST_SIZE;
  while (size > LEAST_SIZE && rowsAt(size) * size > room) size -= 1;
  const columns = Math.max(1, Math.floor(width / size));
  const head = counts.length > 1 ? BAND_HEAD : 0;
  let cell = 0;
  let row = 0;
  const bands = counts.map((cells, i) => {
    const band: Band = { cell, cells, row, top: (i + 1) * head + row * size };
    cell += cells;
    row += Math.ceil(cells / columns);
    return band;
  });
  return { size, gap: size >= 4 ? 1 : 0, columns, rows: row, bands };
}

/** Where a cell is, px; undefined: there is no such cell. */
export function placeOf({ bands, columns, size }: CellLayout, cell: number): readonly [x: number, y: number] | undefined {
  const band = bands.find((candidate) => cell >= candidate.cell && cell < candidate.cell + candidate.cells);
  if (!band) return undefined;
  const at = cell - band.cell;
  return [(at % columns) * size, band.top + Math.floor(at / columns) * size];
}

/** The cell at a place; -1: none. */
export function cellAt({ bands, columns, size }: CellLayout, x: number, y: number): number {
  const column = Math.floor(x / size);
  if (column < 0 || column >= columns) return -1;
  for (const band of bands) {
    const at = Math.floor((y - band.top) / size) * columns + column;
    if (y >= band.top && at < band.cells) return band.cell + at;
    if (y < band.top) return -1;
  }
  return -1;
}

/** A stretch of clusters. */
export interface Stretch { readonly from: number; readonly to: number }

const LEAST_CLUSTERS = 16;

/** The stretch by `factor` as long (below 1: closer), with the cluster `at` where it was; undefined: all of them. */
export function zoomed(stretch: Stretch, total: number, at: number, factor: number): Stretch | undefined {
  const length = Math.max(Math.min(LEAST_CLUSTERS, total), Math.round((stretch.to - stretch.from) * factor));
  if (length >= total) return undefined;
  const share = (at - stretch.from) / Math.max(1, stretch.to - stretch.from);
  const from = Math.max(0, Math.min(total - length, Math.round(at - share * length)));
  return { from, to: from + length };
}

/** The stretch moved by this share of its length, as far as there are clusters. */
export function panned(stretch: Stretch, total: number, share: number): Stretch {
  const length = stretch.to - stretch.from;
  const from = Math.max(0, Math.min(total - length, stretch.from + Math.round(length * share)));
  return { from, to: from + length };
}
