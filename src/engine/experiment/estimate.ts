/** How much work a run will be, before it runs: for the gate, and for progress and time left. */
import { scaled } from './scale';
import { DEFAULT_HOLD_S, DEFAULT_ROUNDS } from './spec';
import type { ExperimentSpec, ProgramSpec, Step } from './spec';

/** Simulated seconds that a page operation may take at most in an estimate (a write to a disk under reclaim). */
const SECONDS_A_PAGE = 1e-4;

/** Page operations that a step of the script weighs (measured: 100 to 300 µs against 0.5 µs). */
const STEP_WORK = 300;
/** Pages of a device whose clusters are made or torn down in the time of one page operation (measured: 35 ms for 2^27 pages). */
const DEVICE_PAGES_A_PAGE = 1024;

/**
 * A walk of the invariant checker in page operations (measured: 3.5 ns a page of devices, 115 to 230 ns a page of programs). The pages of all
 * programs count, even if they do not run at the same time.
 */
const WALK = { least: 100, device: 1 / 128, program: 1 / 2 };

/** Metrics of a machine, of each of its cgroups and of each of its devices: what one probe keeps. */
const METRICS = { machine: 450, cgroup: 80, device: 20 };
/** Probes that come by themselves: the end, and OOM kills. */
const OWN_PROBES = 17;

export interface RunEstimate {
  /** Operations of one arm and one seed: pages touched, and steps of the script. An upper estimate. */
  readonly operations: number;
  /** The same in page operations' worth of work: a step of the script takes a sample of all counters, which weighs more. */
  readonly work: number;
  /** Simulated seconds, an upper estimate. */
  readonly seconds: number;
  /** Numbers that the probes keep. */
  readonly values: number;
}

/** Page operations of one copy of a program. */
const operationsOf = ({ size_pages, program, churn, access }: ProgramSpec): number => {
  if (program === 'random_access') return size_pages + (access?.count ?? 0);
  // A round writes to 4/15 of the memory, makes 4/15 anew, and walks all of it to page it out.
  if (program === 'thp_swap_allocator_test') return Math.ceil(size_pages * (2.2 + 1.7 * (churn?.rounds ?? DEFAULT_ROUNDS)));
  return size_pages;
};

export const estimateRun = (experiment: ExperimentSpec): RunEstimate => {
  const spec = scaled(experiment);
  let operations = 0;
  let work = 0;
  let seconds = 0;
  let probes = OWN_PROBES;
  let cgroups = spec.machine.cgroups?.length ?? 0;
  let lastEvent = 0;
  /** Pages of the largest program so far, and of the largest device. */
  let program = 0;
  /** Pages of all programs. */
  let touched = 0;
  const device = Math.max(0, ...spec.machine.swap.map((each) => each.size_pages ?? spec.machine.ram_pages));
  const add = (step: Step, times: number): void => {
    operations += times;
    work += times * STEP_WORK;
    if ('start' in step) {
      const { size_pages, hold_s, copies = 1 } = step.start;
      const pages = operationsOf(step.start) * copies;
      operations += pages;
      work += pages;
      seconds += pages * SECONDS_A_PAGE + (hold_s ?? DEFAULT_HOLD_S) + (step.start.access?.pause_s ?? 0);
      program = Math.max(program, size_pages);
      touched += size_pages * copies;
    } else if ('fork' in step) {
      operations += program;
      work += 2 * program;
      seconds += program * SECONDS_A_PAGE + (step.hold_s ?? DEFAULT_HOLD_S);
    } else if ('sleep' in step) seconds += times * step.sleep;
    else if ('pageout' in step) {
      work += times * program;
      seconds += times * Math.min(step.pages, program) * SECONDS_A_PAGE;
    } else if ('swapon' in step || 'swapoff' in step) work += times * (device / DEVICE_PAGES_A_PAGE);
    else if ('probe' in step) probes++;
    else if ('mkdir' in step) cgroups += 1;
    else if ('repeat' in step) for (const inner of step.steps) add(inner, step.repeat);
  };
  for (const step of spec.workload.steps) add(step, 1);
  for (const { at, step } of spec.workload.events ?? []) {
    add(step, 1);
    lastEvent = Math.max(lastEvent, at / 1e9);
  }
  if (spec.measure.check_every !== undefined) {
    const devices = spec.machine.swap.reduce((sum, { size_pages }) => sum + (size_pages ?? spec.machine.ram_pages), 0);
    work += (1 + operations / spec.measure.check_every) * (WALK.least + WALK.device * devices + WALK.program * touched);
  }
  const values = probes * (METRICS.machine + METRICS.cgroup * cgroups + METRICS.device * spec.machine.swap.length);
  return { operations, work, seconds: seconds + lastEvent, values };
};
