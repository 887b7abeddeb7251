/** Draws the cluster map on a canvas. One rectangle a cell; the colour says the list, its strength the use. */
import { codeOfCell, countOfCell, listOfCode, orderOfCode } from '../../engine/kernel/swap/cluster-map';
import { CLUSTER_SLOTS, LIST } from '../../engine/kernel/swap/types';
import type { ClusterMap } from '../../engine/machine';
import type { CellLayout } from './layout';
import { LISTS } from './lists';

export interface MapColours {
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
  if (shown === 0) return undefined;
  const own = LISTS.find((entry) => entry.list === listOfCode(codeOfCell(cell)));
  if (own && (own.mask & shown) !== 0) return own.id;
  return LISTS.find((entry) => (entry.mask & shown) !== 0)?.id;
}

/** Partly used clusters are painted the stronger the fuller they are. */
function strength(cell: number): number {
  const list = listOfCode(codeOfCell(cell));
  if (list === LIST.free || list === LIST.full || list === LIST.discard || list === LIST.parked) return 1;
  return 0.45 + 0.55 * Math.round((8 * countOfCell(cell)) / CLUSTER_SLOTS) / 8;
}

export interface Painting {
  readonly map: ClusterMap;
  readonly layout: CellLayout;
  readonly colours: MapColours;
  /** Bits of the lists to show. */
  readonly wanted: number;
  /** Cells outlined: under the pointer or the keys, and the one whose slots are shown; -1: none. */
  readonly pointed: number;
  readonly chosen: number;
}

export function paintClusters(context: CanvasRenderingContext2D, painting: Painting): void {
  const { map, layout, colours, wanted } = painting;
  const { size, gap, columns } = layout;
  const side = size - gap;
  const digits = size >= 14;
  const cpu = colours.lists.get('cpu') ?? '';
  const place = (cell: number): [number, number] => [(cell % columns) * size, Math.floor(cell / columns) * size];
  if (digits) {
    context.font = `${Math.min(10, size - 6)}px ${colours.font}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
  }
  for (let i = 0; i < map.cells.length; i += 1) {
    const cell = map.cells[i] ?? 0;
    const mask = map.masks[i] ?? 0;
    const id = shownAs(cell, mask, wanted);
    if (id === undefined) continue;
    const [x, y] = place(i);
    const marked = (mask & wanted & 128) !== 0;
    context.globalAlpha = marked && size < 6 ? 1 : strength(cell);
    context.fillStyle = marked && size < 6 ? cpu : colours.lists.get(id) ?? '';
    context.fillRect(x, y, side, side);
    context.globalAlpha = 1;
    if (marked && size >= 6) {
      context.strokeStyle = cpu;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, side - 2, side - 2);
    }
    const order = orderOfCode(codeOfCell(cell));
    if (digits && order > 0 && map.perCell === 1) {
      context.fillStyle = listOfCode(codeOfCell(cell)) === LIST.full ? colours.panel : colours.ink;
      context.fillText(String(order), x + side / 2, y + side / 2 + 1);
    }
  }
  for (const [cell, colour] of [[painting.chosen, colours.ink], [painting.pointed, colours.focus]] as const) {
    if (cell < 0 || cell >= map.cells.length) continue;
    const [x, y] = place(cell);
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.strokeRect(Math.max(1, x - 1), Math.max(1, y - 1), side + 1, side + 1);
  }
}
