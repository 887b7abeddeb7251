import { expect, it } from 'vitest';
import { listRows } from './list-rows';

const device = (name: string, type: number, lists: Record<string, number[]>) => ({
  type, name, inUse: 0, lists: Object.entries(lists).map(([list, clusters]) => ({ name: list, clusters, more: list === 'free' })),
});

it('puts what was beside what is, and marks what changed', () => {
  const before = [device('zram0', 0, { 'nonfull[10]': [1], free: [3, 4], full: [7] }), device('zram1', 1, { full: [2] })];
  const after = [device('zram0', 0, { 'nonfull[4]': [3], free: [4], full: [7] }), device('zram1', 1, { full: [2] })];
  expect(listRows(before, after).map(({ device: name, list, before: was, after: is, changed }) => [name, list, was, is, changed])).toEqual([
    ['zram0', 'free', '3 4 …', '4 …', true],
    ['zram0', 'nonfull[4]', '', '3', true],
    ['zram0', 'nonfull[10]', '1', '', true],
    ['zram0', 'full', '7', '7', false],
    ['zram1', 'full', '2', '2', false],
  ]);
});
