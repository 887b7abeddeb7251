import { describe, expect, it } from 'vitest';
import type { EventMark } from '../../contract/engine-api';
import { LABEL_CHARS, placeMarks } from './marks';

const mark = (at: number, label: string, source: EventMark['source']): EventMark => ({ at, label, source });

describe('placeMarks', () => {
  it('joins marks nearer than four pixels, and the weightiest gives the colour', () => {
    const placed = placeMarks([mark(0, 'a', 'step'), mark(10, 'b', 'live'), mark(20, 'c', 'step'), mark(500, 'd', 'kernel')], 0, 1000, 200);
    expect(placed.map((p) => [p.x, p.source, p.marks.length])).toEqual([[0, 'live', 2], [4, 'step', 1], [100, 'kernel', 1]]);
  });
  it('leaves out what is not in the stretch', () => {
    expect(placeMarks([mark(5, 'a', 'live'), mark(50, 'b', 'live')], 10, 40, 200)).toEqual([]);
  });
  it('labels live changes before kernel events, never one over the other, never script steps', () => {
    const placed = placeMarks([mark(0, 'x'.repeat(60), 'kernel'), mark(60, 'limit 1000', 'live'), mark(700, 'step', 'step')], 0, 1000, 400);
    expect(placed.map((p) => p.label)).toEqual([undefined, 'limit 1000', undefined]);
    const alone = placeMarks([mark(0, 'x'.repeat(60), 'kernel')], 0, 1000, 400);
    expect(alone[0]?.label).toHaveLength(LABEL_CHARS);
  });
  it('leaves out the folders of a path', () => {
    const [placed] = placeMarks([mark(0, 'echo 3052543 > /sys/kernel/mm/xswap/type0/limit', 'live')], 0, 1000, 400);
    expect(placed?.label).toBe('echo 3052543 > …/limit');
  });
  it('takes no label that would run out of the picture', () => {
    expect(placeMarks([mark(990, 'limit 1000', 'live')], 0, 1000, 400)[0]?.label).toBeUndefined();
  });
});
