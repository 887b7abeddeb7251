import { describe, expect, it } from 'vitest';
import { cellOf, maskOf } from '../../engine/kernel/swap/cluster-map';
import { LIST } from '../../engine/kernel/swap/types';
import type { ClusterAnswer } from '../../engine/machine';
import { applyAnswer } from './held';
import { layoutCells } from './layout';
import { ALL_LISTS, CPU_MASK } from './lists';
import { CellPixels, shownAs } from './paint';
import type { CellSource } from './paint';
import { countsOf } from './places';
import { CELLS, mapOf } from './testing/map-of';

it('a filter shows what of the wanted lists is in a cell', () => {
  const cell = cellOf(LIST.free, 0, 10);
  const mask = maskOf(LIST.free) | maskOf(LIST.full);
  expect(shownAs(cell, mask, ALL_LISTS)).toBe('free');
  expect(shownAs(cell, mask, maskOf(LIST.full))).toBe('full');
  expect(shownAs(cell, mask, CPU_MASK)).toBeUndefined();
  expect(shownAs(cell, mask, maskOf(LIST.frag))).toBeUndefined();
});

describe('the pixels of the cells', () => {
  const COLOURS = {
    lists: new Map([['free', '#102030'], ['full', '#405060'], ['frag', '#708090'], ['nonfull', '#a0b0c0']]), ink: '', panel: '', focus: '', font: '',
  };
  const scene = (map: ClusterAnswer, wanted = ALL_LISTS, layout = layoutCells(countsOf(map), 60, 90)): CellSource => (
    { map, layout, colours: COLOURS, wanted }
  );
  const change = (map: ClusterAnswer, id: number, cell: number, value: number): ClusterAnswer => ({
    ...map, id, after: map.id, changed: Uint32Array.of(cell), cells: Uint16Array.of(value),
    masks: Uint8Array.of(maskOf(value === 0 ? LIST.free : LIST.full)),
  });

  it('lie as the layout has them, in the colour of their list', () => {
    const pixels = new CellPixels();
    pixels.update(scene(mapOf([CELLS, CELLS])));
    expect([pixels.written, pixels.width, pixels.height]).toEqual([8, 4, 2]);
    expect([...pixels.pixels.subarray(0, 2)]).toEqual([0xff302010, 0xff605040]);
    // The second device begins a row of its own.
    expect([...pixels.pixels.subarray(4, 6)]).toEqual([0xff302010, 0xff605040]);
  });
  it('of changes, those alone are written; after a gap, a filter or another layout, all', () => {
    const pixels = new CellPixels();
    const first = mapOf();
    const layout = layoutCells([4], 60, 90);
    pixels.update(scene(first, ALL_LISTS, layout));
    const second = applyAnswer(first, change(first, 2, 3, cellOf(LIST.full, 0, 512)))!;
    pixels.update(scene(second, ALL_LISTS, layout));
    expect([pixels.written, pixels.pixels[pixels.width + 1]]).toEqual([1, 0xff605040]);
    pixels.update(scene(second, ALL_LISTS, layout));
    expect(pixels.written).toBe(0);
    const missed = applyAnswer(second, change(second, 3, 0, cellOf(LIST.full, 0, 512)))!;
    const third = applyAnswer(missed, change(missed, 4, 1, 0))!;
    pixels.update(scene(third, ALL_LISTS, layout));
    expect([pixels.written, pixels.pixels[0], pixels.pixels[1]]).toEqual([4, 0xff605040, 0xff302010]);
    pixels.update(scene(third, maskOf(LIST.frag), layout));
    expect([pixels.written, pixels.pixels[0]]).toEqual([4, 0]);
    pixels.update(scene(third, maskOf(LIST.frag), layoutCells([4], 90, 30)));
    expect(pixels.written).toBe(4);
  });
});

it('a change of another map than the one held is not taken', () => {
  const held = mapOf();
  const answer = { ...held, id: 9, after: 7, changed: Uint32Array.of(0), cells: Uint16Array.of(1), masks: Uint8Array.of(1) };
  expect(applyAnswer(held, answer)).toBeUndefined();
  expect(applyAnswer(undefined, answer)).toBeUndefined();
  expect(held.cells[0]).toBe(CELLS[0]);
  expect(applyAnswer(held, { ...answer, after: 1 })?.cells[0]).toBe(1);
});
