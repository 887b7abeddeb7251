/** How much work a run will be, before it runs: for the gate, and for progress and time left. */
import type { ExperimentSpec, Step } from './spec';

/** Seconds that a program stays alive after its last page was touched when the file does not say. */
export const DEFAULT_HOLD_S = 300;

/** Simulated seconds that a page operation may take at most in an estimate (a write to a disk under reclaim). */
const SECONDS_A_PAGE = 1e-4;

/** Page operations that a step of the script weighs (measured: 100 to 300 µs against 0.5 µs). */
const STEP_WORK = 300;

export interface RunEstimate {
  /** Operations of one arm and one seed: pages touched, and steps of the script. An upper estimate. */
  readonly operations: number;
  /** The same in page operations' worth of work: a step of the script takes a sample of all counters, which weighs more. */
  readonly work: number;
  /** Simulated seconds, an upper estimate. */
  readonly seconds: number;
}

export const estimateRun = (spec: ExperimentSpec): RunEstimate => {
  let operations = 0;
  let steps = 0;
  let seconds = 0;
  const holds = new Map<string, number>();
  const add = (step: Step, times: number): void => {
    operations += times;
    steps += times;
    if ('start' in step) {
      operations += step.start.size_pages;
      seconds += step.start.size_pages * SECONDS_A_PAGE;
      holds.set(step.start.name, step.start.hold_s ?? DEFAULT_HOLD_S);
    } else if ('sleep' in step) seconds += times * step.sleep;
    else if ('pageout' in step) seconds += step.pages * SECONDS_A_PAGE;
    else if ('repeat' in step) for (const inner of step.steps) add(inner, step.repeat);
  };
  for (const step of spec.workload.steps) add(step, 1);
  let lastEvent = 0;
  for (const { at, step } of spec.workload.events ?? []) {
    add(step, 1);
    lastEvent = Math.max(lastEvent, at / 1e9);
  }
  for (const hold of holds.values()) seconds += hold;
  return { operations, work: operations + steps * STEP_WORK, seconds: Math.max(seconds, lastEvent) };
};
