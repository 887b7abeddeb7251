import { describe, expect, it } from 'vitest';
import { policiesOf } from './registry';
import { replayTrace } from './replay';
import { parseTrace, type Trace } from './trace';
import { startsOf } from './trace-start';

/** A trace of zram devices with these priorities. */
function traceOf(priorities: readonly number[], events: readonly string[]): Trace {
  const rows = priorities.map((priority, i) => `# /dev/zram${i} partition\t8188\t0\t${priority}`);
  return parseTrace(['# linux 6.18.44 x86_64', '# Filename\tType\tSize\tUsed\tPriority', ...rows, ...events, ''].join('\n'));
}

describe('the start of a trace', () => {
  it('is that of the table, by priority, when the events agree with it', () => {
    expect(startsOf(traceOf([5, 7, 5], ['A 0 1 1', 'A 0 0 1', 'A 0 2 1']))).toEqual([{ types: [0, 1, 2], order: [1, 0, 2] }]);
  });

  it('has default priorities in the order in which they were given', () => {
    expect(startsOf(traceOf([-4, -2, -3], ['A 0 1 1']))).toEqual([{ types: [0, 1, 2], order: [1, 2, 0] }]);
  });

  it('may have equals that came on in another order, seen from the first slots taken', () => {
    const orders = startsOf(traceOf([5, 5, 3, 5], ['A 0 3 1', 'A 4 0 512', 'A 0 1 1'])).map((start) => start.order);
    expect(orders).toEqual([[0, 1, 3, 2], [3, 0, 1, 2]]);
  });

  it('may have types that do not begin at 0, seen when all of them are named before one comes or goes', () => {
    expect(startsOf(traceOf([5, 5], ['A 0 1 1', 'A 4 3 512']))[0].types).toEqual([1, 3]);
    expect(startsOf(traceOf([5, 5], ['A 0 1 1', 'O /dev/zram1 0', 'A 4 3 512']))[0].types).toEqual([0, 1]);
    expect(startsOf(traceOf([5], ['A 0 31 1']))[0].types).toEqual([0]);
  });

  it('is set up as such: types that are free below, and equals in turn', () => {
    const events = ['A 0 4 1', 'A 4 1 512', 'A 9 4 512', 'F 4 1 1', 'O /dev/zram0 0', 'F 1 512 16', 'S /dev/zram0 5 0', 'A 9 4 1024', 'A 9 0 512'];
    expect(replayTrace(traceOf([5, 5], events), policiesOf('linux-6.18'))).toEqual({ events: 5, matched: 5, firstMismatch: null });
  });
});
