/** Where cells go: rows from left to right, squares as large as fit. */

/** Cells smaller than this (px, gap included) could not be told apart. */
export const LEAST_SIZE = 3;
const LARGEST_SIZE = 30;

export interface CellLayout {
  /** Distance from one cell to the next, px. */
  readonly size: number;
  /** Of that, left empty. */
  readonly gap: number;
  readonly columns: number;
  readonly rows: number;
}

/** How many cells an area has places for at the least size. */
export const capacityOf = (width: number, height: number): number => (
  Math.max(1, Math.floor(width / LEAST_SIZE)) * Math.max(1, Math.floor(height / LEAST_SIZE))
);

export function layoutCells(cells: number, width: number, height: number): CellLayout {
  const fits = (size: number): boolean => Math.floor(width / size) * Math.floor(height / size) >= cells;
  let size = LARGEST_SIZE;
  while (size > LEAST_SIZE && !fits(size)) size -= 1;
  const columns = Math.max(1, Math.floor(width / size));
  return { size, gap: size >= 4 ? 1 : 0, columns, rows: Math.ceil(cells / columns) };
}

/** The cell at a place; -1: none. */
export function cellAt(layout: CellLayout, cells: number, x: number, y: number): number {
  const column = Math.floor(x / layout.size);
  if (column < 0 || column >= layout.columns || y < 0) return -1;
  const cell = Math.floor(y / layout.size) * layout.columns + column;
  return cell < cells ? cell : -1;
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
