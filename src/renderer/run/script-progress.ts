import type { EventMark } from '../../contract/engine-api';
import type { Step } from '../../engine/experiment/spec';
import { stepLabel } from '../../engine/experiment/steps';

export type StepState = 'done' | 'now' | 'open';
export interface ScriptLine { readonly label: string; readonly state: StepState; /** Simulated ns at which it began. */ readonly at?: number }

/**
 * The script with what has begun: steps begin in order, and each leaves a mark with its label, so walking along both shows how far
 * the script has come. A step inside a repetition counts for the repetition.
 */
export function scriptProgress(steps: readonly Step[], marks: readonly EventMark[], ended: boolean): ScriptLine[] {
  const labels = steps.map((step) => ('repeat' in step ? [stepLabel(step), ...step.steps.map(stepLabel)] : [stepLabel(step)]));
  const began = new Map<number, number>();
  let reached = -1;
  for (const mark of marks) {
    if (mark.source !== 'step') continue;
    const inside = reached >= 0 && 'repeat' in (steps[reached] ?? {}) && labels[reached]?.includes(mark.label);
    const next = inside ? reached : labels.findIndex((own, index) => index > reached && own.includes(mark.label));
    if (next < 0) continue;
    reached = next;
    if (!began.has(next)) began.set(next, mark.at);
  }
  return steps.map((step, index) => ({
    label: stepLabel(step), at: began.get(index), state: index < reached || (ended && index <= reached) ? 'done' : index === reached ? 'now' : 'open',
  }));
}
