/**
 * The script of a workload as an actor: steps one after the other, programs go on in the background. And the events: changes
 * at a given time, before any operation that starts at or after it.
 */
import { ERRNO, KernelError } from '../errno';
import type { RepeatedStep, Step, WorkloadEvent } from '../experiment/spec';
import { stepLabel } from '../experiment/steps';
import type { FileTree } from '../kernel/fs/tree';
import type { MemorySystem } from '../kernel/memory/types';
import type { Actor, Horizon, Timeline } from '../simulation/actor';
import { over, reached } from './programs';
import type { ForkProgram, RunningProgram, StartProgram } from './programs';

/** Simulated ns of a step that does nothing to memory: a system call and what the shell needs around it. */
const STEP_NS = 10_000;
/** Pages that one operation of a `pageout` step looks at, so that a run can be stopped in between. */
const PAGEOUT_CHUNK = 2048;

/** Why the run cannot go on, as a sentence with the place in the file. */
export class ScriptFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ScriptFailure';
  }
}

export interface StepHost {
  readonly timeline: Timeline;
  readonly memory: MemorySystem;
  readonly tree: FileTree;
  readonly startProgram: StartProgram;
  readonly forkProgram: ForkProgram;
  /** The latest program of each name. */
  readonly programs: Map<string, RunningProgram>;
  /** Records all metrics under the name. */
  probe(name: string): void;
  /** A step is about to be carried out. */
  onStep(at: number, path: string, label: string): void;
  /** A step was carried out: counters may have jumped, devices and cgroups come or gone. */
  onStepDone(at: number): void;
}

/** Steps that take effect at once: the others belong to the script alone. */
export type InstantStep = Exclude<
  Step, { wait: string } | { wait_used: number } | { sleep: number } | { repeat: number } | { probe: string } | { pageout: string }
>;

const programOf = (host: StepHost, name: string): RunningProgram => {
  const program = host.programs.get(name);
  if (!program) throw new KernelError('ESRCH', `no program "${name}" was started`);
  return program;
};

/** Carries out a step at the timeline's present time. @throws KernelError */
export const applyInstant = (host: StepHost, step: InstantStep): void => {
  const { memory, tree } = host;
  if ('write' in step) tree.write(step.write, step.text);
  else if ('mkdir' in step) tree.mkdir(step.mkdir);
  else if ('rmdir' in step) tree.rmdir(step.rmdir);
  else if ('start' in step) {
    const running = host.programs.get(step.start.name);
    if (running && !over(running)) throw new KernelError('EEXIST', `a program "${step.start.name}" is running`);
    host.programs.set(step.start.name, host.startProgram(step.start, host.timeline.now));
  } else if ('fork' in step) {
    const parent = programOf(host, step.fork);
    const running = host.programs.get(step.as);
    if (running && !over(running)) throw new KernelError('EEXIST', `a program "${step.as}" is running`);
    if (parent.tasks.length > 1) throw new KernelError('EINVAL', `"${step.fork}" has copies: which one is to fork?`);
    host.programs.set(step.as, host.forkProgram(parent, step, host.timeline.now));
  } else if ('kill' in step) {
    const program = programOf(host, step.kill);
    if (over(program)) throw new KernelError('ESRCH', `"${step.kill}" has ended already`);
    for (const task of program.tasks) if (task.state === 'running' || task.state === 'holding') memory.exit(task.pid, true);
  } else if ('swapon' in step) memory.swapon(step.swapon, step.priority);
  else memory.swapoff(step.swapoff);
};

const describe = (error: KernelError): string => {
  const [, words] = ERRNO[error.code];
  return `${words} (${error.code})${error.why ? `: ${error.why}` : ''}`;
};

/** Runs a step and holds its outcome against `expect`. @throws ScriptFailure */
const carryOut = (step: Step, path: string, run: () => void): void => {
  const expect = 'expect' in step ? step.expect : undefined;
  const place = `${path} (${stepLabel(step)})`;
  try {
    run();
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    if (expect === error.code) return;
    throw new ScriptFailure(`${place}: ${expect ? `expected ${expect}, got ` : ''}${describe(error)}`);
  }
  if (expect) throw new ScriptFailure(`${place}: expected ${expect}, but it succeeded`);
};

const isInstant = (step: Step): step is InstantStep =>
  !('wait' in step || 'wait_used' in step || 'sleep' in step || 'repeat' in step || 'probe' in step || 'pageout' in step);

type Goal =
  | { readonly program: RunningProgram; readonly until: 'touched' | 'done' | 'ended' }
  | { readonly used: number; readonly atMost: boolean };

export class Script implements Actor {
  readonly name = 'script';
  clock = 0;
  begun = 0;
  path = '';
  label = '';
  ended: boolean;
  private id = -1;
  private next = 0;
  /** Inside a repeat: which round and which of its steps come next. */
  private round = 0;
  private inner = 0;
  /** Asleep until this program has come as far as this, or so many pages of swap are in use. */
  private waiting: Goal | null = null;
  /** Pages of a pageout step done so far; -1: none under way. */
  private pagedTo = -1;
  /** Task of the program whose memory it is at. */
  private pagedTask = 0;

  constructor(
    private readonly steps: readonly Step[],
    private readonly host: StepHost,
  ) {
    this.ended = steps.length === 0;
  }

  join(): void {
    this.id = this.host.timeline.join(this);
  }

  nextTime(): number {
    return this.ended || this.waiting ? Infinity : this.clock;
  }

  /** A program has touched its last page, ended, or was killed at `at`. */
  programChanged(at: number): void {
    if (this.waiting && this.met(this.waiting)) this.wake(at);
  }

  /** The process of this pid is being killed at `at`; it will be gone when the script acts next. */
  programKilled(pid: number, at: number): void {
    const { waiting } = this;
    if (waiting && 'program' in waiting && waiting.program.tasks.some((task) => task.pid === pid) && this.met(waiting, pid)) this.wake(at);
  }

  /** Total or free swap has changed in the operation that began at `at`. */
  swapChanged(at: number): void {
    if (this.waiting && 'used' in this.waiting && this.met(this.waiting)) this.wake(at);
  }

  private wake(at: number): void {
    this.waiting = null;
    this.clock = Math.max(this.clock, at + 1);
    this.host.timeline.changed(this.id);
  }

  get isWaiting(): boolean {
    return this.waiting !== null;
  }

  step(horizon: Horizon, maxOperations: number): number {
    let done = 0;
    while (!this.ended && !this.waiting && this.clock < horizon.time && done < maxOperations) {
      this.host.timeline.begin(this.clock);
      this.one();
      done++;
    }
    return done;
  }

  private met(goal: Goal, gone?: number): boolean {
    if ('program' in goal) return reached(goal.program, goal.until, gone);
    const { swap } = this.host.memory;
    const used = swap.totalPages - swap.freePages;
    return goal.atMost ? used <= goal.used : used >= goal.used;
  }

  private one(): void {
    const step = this.steps[this.next];
    const path = `workload.steps[${this.next}]`;
    if ('repeat' in step) {
      const innerPath = `${path}.steps[${this.inner}]`;
      if (this.round === 0 && this.inner === 0) this.begin(path, step);
      this.begun++;
      if (this.perform(step.steps[this.inner], innerPath)) this.advanceRepeat(step);
      return;
    }
    if (this.pagedTo < 0) {
      this.begin(path, step);
      this.begun++;
    }
    if (this.perform(step, path)) this.finishStep();
  }

  private advanceRepeat(step: { readonly repeat: number; readonly steps: readonly RepeatedStep[] }): void {
    if (++this.inner < step.steps.length) return;
    this.inner = 0;
    if (++this.round < step.repeat) return;
    this.round = 0;
    this.finishStep();
  }

  private finishStep(): void {
    this.next++;
    if (this.next === this.steps.length) this.ended = true;
  }

  private begin(path: string, step: Step): void {
    this.path = path;
    this.label = stepLabel(step);
    this.host.onStep(this.clock, path, this.label);
  }

  /** False: the step goes on with the next operation. */
  private perform(step: Step, path: string): boolean {
    const { host } = this;
    const { memory } = host;
    memory.spent = 0;
    let finished = true;
    let slept = 0;
    carryOut(step, path, () => {
      if (isInstant(step)) applyInstant(host, step);
      else if ('sleep' in step) slept = Math.floor(step.sleep * 1e9 + 0.5);
      else if ('probe' in step) host.probe(step.probe);
      else if ('wait' in step) {
        const waiting = { program: programOf(host, step.wait), until: step.until };
        if (!this.met(waiting)) this.waiting = waiting;
      } else if ('wait_used' in step) {
        const waiting = { used: step.wait_used, atMost: step.rule === 'at-most' };
        if (!this.met(waiting)) this.waiting = waiting;
      } else if ('pageout' in step) finished = this.pageOut(step);
    });
    this.clock += STEP_NS + Math.ceil(memory.spent) + slept;
    memory.spent = 0;
    host.onStepDone(host.timeline.now);
    return finished;
  }

  /** Task by task, from the start of its memory on. */
  private pageOut(step: { readonly pageout: string; readonly pages: number }): boolean {
    const { memory } = this.host;
    const { tasks } = programOf(this.host, step.pageout);
    if (this.pagedTo < 0) this.pagedTo = this.pagedTask = 0;
    const task = tasks[this.pagedTask];
    const to = Math.min(this.pagedTo + PAGEOUT_CHUNK, task.sizePages);
    memory.pageout(task, this.pagedTo, to, step.pages);
    const { swap } = memory;
    const enough = swap.totalPages - swap.freePages >= step.pages;
    this.pagedTo = to;
    if (to >= task.sizePages) {
      this.pagedTo = 0;
      this.pagedTask++;
    }
    if (!enough && this.pagedTask < tasks.length) return false;
    this.pagedTo = -1;
    return true;
  }
}

/** The file's events. It joins before all others, kernel workers too, so it acts first among those of equal time, as a live change does. */
export class Events implements Actor {
  readonly name = 'events';
  private readonly events: readonly WorkloadEvent[];
  private readonly order: readonly number[];
  private next = 0;

  constructor(
    events: readonly WorkloadEvent[],
    /** There only once the machine stands. */
    private readonly hostOf: () => StepHost,
  ) {
    this.events = events;
    this.order = events.map((_, i) => i).sort((a, b) => events[a].at - events[b].at || a - b);
  }

  get ended(): boolean {
    return this.next >= this.order.length;
  }

  nextTime(): number {
    return this.ended ? Infinity : this.events[this.order[this.next]].at;
  }

  step(horizon: Horizon, maxOperations: number): number {
    const host = this.hostOf();
    let done = 0;
    while (!this.ended && this.nextTime() < horizon.time && done < maxOperations) {
      const index = this.order[this.next++];
      const { at, step } = this.events[index];
      const path = `workload.events[${index}]`;
      host.timeline.begin(at);
      host.onStep(at, path, stepLabel(step));
      carryOut(step, path, () => applyLive(host, step));
      host.onStepDone(at);
      done++;
    }
    return done;
  }
}

/** A change from outside the script, at the timeline's present time; what it costs is on nobody's clock. @throws KernelError */
export const applyLive = (host: StepHost, step: Step): void => {
  const { memory } = host;
  memory.spent = 0;
  if (isInstant(step)) applyInstant(host, step);
  else if ('pageout' in step) {
    for (const task of programOf(host, step.pageout).tasks) memory.pageout(task, 0, task.sizePages, step.pages);
  } else throw new KernelError('EINVAL', 'sleep, wait, wait_used, repeat and probe belong to a script: they are no changes');
  memory.spent = 0;
};
