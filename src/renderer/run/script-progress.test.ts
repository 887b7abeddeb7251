import { describe, expect, it } from 'vitest';
import type { EventMark } from '../../contract/engine-api';
import type { Step } from '../../engine/experiment/spec';
import { stepLabel } from '../../engine/experiment/steps';
import { scriptProgress } from './script-progress';

const steps: Step[] = [{ sleep: 1 }, { write: '/a', text: '1' }, { repeat: 3, steps: [{ write: '/b', text: '2' }, { sleep: 1 }] }, { sleep: 1 }];
const mark = (at: number, step: Step, source: EventMark['source'] = 'step'): EventMark => ({ at, label: stepLabel(step), source });

describe('scriptProgress', () => {
  it('walks along the marks, equal steps in their order, live changes left out', () => {
    const lines = scriptProgress(steps, [mark(0, { sleep: 1 }), mark(5, { sleep: 1 }, 'live'), mark(9, { write: '/a', text: '1' })], false);
    expect(lines.map((line) => [line.state, line.at])).toEqual([['done', 0], ['now', 9], ['open', undefined], ['open', undefined]]);
  });
  it('stays at a repetition while its steps go by, and is done at the end', () => {
    const [sleep, a, b] = [{ sleep: 1 }, { write: '/a', text: '1' }, { write: '/b', text: '2' }];
    const marks = [mark(0, sleep), mark(1, a), mark(2, b), mark(3, sleep), mark(4, b)];
    expect(scriptProgress(steps, marks, false).map((line) => line.state)).toEqual(['done', 'done', 'now', 'open']);
  });
  it('shows every step done when the script has ended', () => {
    const marks = [mark(0, { sleep: 1 }), mark(1, { write: '/a', text: '1' })];
    expect(scriptProgress(steps.slice(0, 2), marks, true).map((line) => line.state)).toEqual(['done', 'done']);
  });
});
