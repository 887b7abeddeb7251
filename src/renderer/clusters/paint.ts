/**
 * Draws the cluster map. Cells go into a small picture of one pixel a cell, which is drawn enlarged: a change of some cells writes some
 * pixels. What moves often (pointer, the CPUs' clusters) is drawn on a canvas above, so that it costs no cell.
 */
import { CELL_CODES, codeOfCell, countOfCell, listOfCode, maskOf, orderOfCode } from '../../engine/kernel/swap/cluster-map';
import { CLUSTER_SLOTS, LIST } from '../../engine/kernel/swap/types';
import type { HeldMap } from './held';
import { placeOf } from './layout';
import type { CellLayout } from './layout';
import { CPU_MASK, LISTS, entryOfList } from './lists';
import { cellOfCluster } from './places';

export interface MapColours {
  /** `#rrggbb` by id of the list. */
  readonly lists: ReadonlyMap<string, string>;
  readonly ink: string;
  readonly panel: string;
  readonly focus: string;
  readonly font: string;
}

/** Read anew after each change of theme. */
export function readMapColours(): MapColours {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    lists: new Map(LISTS.map((entry) => [entry.id, token(`cl-${entry.id}`)])),
    ink: token('ink'), panel: token('panel'), focus: token('focus'), font: token('font-mono') || 'monospace',
  };
}

/** The entry of the legend that a cell is painted as, given those that are wanted; undefined: none of them is in it. */
export function shownAs(cell: number, mask: number, wanted: number): string | undefined {
  const shown = mask & wanted;
  const list = listOfCode(codeOfCell(cell));
  if ((maskOf(list) & shown) !== 0) return entryOfList(list)?.id;
  return shown === 0 ? undefined : LISTS.find((entry) => (entry.mask & shown) !== 0)?.id;
}

const LEVELS = 9;
/** Partly used clusters are painted the stronger the fuller they are. */
function strengthOf(code: number, level: number): number {
  const list = listOfCode(code);
  if (list === LIST.free || list === LIST.full || list === LIST.discard || list === LIST.parked) return 1;
  return 0.45 + (0.55 * level) / (LEVELS - 1);
}

/** A pixel as a canvas has it in memory (red in the lowest byte), of `#rrggbb`. */
function pixelOf(colour: string, strength: number): number {
  const rgb = Number.parseInt(colour.slice(1, 7), 16);
  return ((Math.round(strength * 255) << 24) | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >>> 16)) >>> 0;
}

export interface CellSource {
  readonly map: HeldMap;
  readonly layout: CellLayout;
  readonly colours: MapColours;
  /** Bits of the lists to show. */
  readonly wanted: number;
}

/** The pixels of the cells, one each, band under band. */
export class CellPixels {
  pixels = new Uint32Array(0);
  width = 0;
  height = 0;
  /** Cells written by the last update. */
  written = 0;
  private last: CellSource | undefined;
  /** Colour of a cell that shows its own list, by code and level. */
  private readonly own = new Uint32Array(CELL_CODES * LEVELS);

  /** Writes all cells, or those alone in which the map differs from the one written last. */
  update(source: CellSource): void {
    const { map, layout, colours, wanted } = source;
    const { last } = this;
    this.last = source;
    this.written = 0;
    if (last?.colours !== colours) this.mix(colours);
    if (last?.map === map && last.layout === layout && last.wanted === wanted && last.colours === colours) return;
    const partly = last?.layout === layout && last.wanted === wanted && last.colours === colours && map.changed && map.after === last.map.id;
    if (partly && map.changed) {
      for (const cell of map.changed) this.write(source, cell);
      return;
    }
    this.width = layout.columns;
    this.height = layout.rows;
    const size = this.width * this.height;
    if (this.pixels.length === size) this.pixels.fill(0); else this.pixels = new Uint32Array(size);
    for (let cell = 0; cell < map.cells.length; cell += 1) this.write(source, cell);
  }

  private write({ map, layout, colours, wanted }: CellSource, cell: number): void {
    let band = 0;
    while (cell >= (layout.bands[band]?.cell ?? 0) + (layout.bands[band]?.cells ?? Infinity)) band += 1;
    const { row = 0, cell: first = 0 } = layout.bands[band] ?? {};
    const value = map.cells[cell] ?? 0;
    const code = codeOfCell(value);
    const level = Math.round(((LEVELS - 1) * countOfCell(value)) / CLUSTER_SLOTS);
    const shown = (map.masks[cell] ?? 0) & wanted;
    let pixel = 0;
    if ((maskOf(listOfCode(code)) & shown) !== 0) pixel = this.own[code * LEVELS + level] ?? 0;
    else if (shown !== 0) pixel = pixelOf(colours.lists.get(shownAs(value, shown, wanted) ?? '') ?? '#000000', strengthOf(code, level));
    // Bands begin in a row of their own, so a cell's place counts from the band's first row.
    this.pixels[row * this.width + cell - first] = pixel;
    this.written += 1;
  }

  private mix(colours: MapColours): void {
    for (let code = 0; code < CELL_CODES; code += 1) {
      const colour = colours.lists.get(entryOfList(listOfCode(code))?.id ?? '') ?? '#000000';
      for (let level = 0; level < LEVELS; level += 1) this.own[code * LEVELS + level] = pixelOf(colour, strengthOf(code, level));
    }
  }
}

/** Orders are written into cells of at least this size, px. */
const DIGITS_FROM = 14;

/** Draws the pixels of `picture` enlarged, the gaps between cells, and the orders. */
export function paintCells(context: CanvasRenderingContext2D, picture: CanvasImageSource, { map, layout, colours, wanted }: CellSource): void {
  const { size, gap, columns, bands } = layout;
  context.imageSmoothingEnabled = false;
  for (const band of bands) {
    const rows = Math.ceil(band.cells / columns);
    if (rows === 0) continue;
    context.drawImage(picture, 0, band.row, columns, rows, 0, band.top, columns * size, rows * size);
    if (gap === 0) continue;
    for (let column = 1; column <= columns; column += 1) context.clearRect(column * size - gap, band.top, gap, rows * size);
    for (let row = 1; row <= rows; row += 1) context.clearRect(0, band.top + row * size - gap, columns * size, gap);
  }
  if (size < DIGITS_FROM || map.perCell > 1) return;
  context.font = `${Math.min(10, size - 6)}px ${colours.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  map.cells.forEach((cell, i) => {
    const code = codeOfCell(cell);
    const place = orderOfCode(code) > 0 && ((map.masks[i] ?? 0) & wanted) !== 0 ? placeOf(layout, i) : undefined;
    if (!place) return;
    context.fillStyle = listOfCode(code) === LIST.full ? colours.panel : colours.ink;
    context.fillText(String(orderOfCode(code)), place[0] + (size - gap) / 2, place[1] + (size - gap) / 2 + 1);
  });
}

export interface Marks extends CellSource {
  /** Cells outlined: under the pointer or the keys, and the one whose slots are shown; -1: none. */
  readonly pointed: number;
  readonly chosen: number;
}

/** Outlines of the clusters that CPUs allocate from, the chosen one, and the one under the pointer. */
export function paintMarks(context: CanvasRenderingContext2D, { map, layout, colours, wanted, pointed, chosen }: Marks): void {
  const { size, gap } = layout;
  const side = size - gap;
  const cpu = colours.lists.get('cpu') ?? '';
  if ((wanted & CPU_MASK) !== 0) {
    for (let i = 2; i < map.current.length; i += 3) {
      const place = placeOf(layout, cellOfCluster(map, map.current[i] ?? -1));
      if (!place) continue;
      context.fillStyle = cpu;
      context.strokeStyle = cpu;
      context.lineWidth = 2;
      if (size < 6) context.fillRect(place[0], place[1], side, side);
      else context.strokeRect(place[0] + 1, place[1] + 1, side - 2, side - 2);
    }
  }
  for (const [cell, colour] of [[chosen, colours.ink], [pointed, colours.focus]] as const) {
    const place = placeOf(layout, cell);
    if (!place) continue;
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.strokeRect(Math.max(1, place[0] - 1), Math.max(1, place[1] - 1), side + 1, side + 1);
  }
}
