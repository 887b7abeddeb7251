/**
 * Puts a machine together: swap layer, memory layer, files, script and programs on one timeline, with a recorder watching.
 */
import { MachineBuildError, prepareMachine } from './assembly/prepare';
import { Checker } from './assembly/checker';
import { ClusterViews } from './assembly/cluster-views';
import { Measurements } from './assembly/measurements';
import { Moments } from './assembly/moments';
import { kernelOf } from './assembly/kernels';
import { over } from './assembly/programs';
import type { RunningProgram } from './assembly/programs';
import { applyLive, Events, Script, ScriptFailure } from './assembly/script';
import type { StepHost } from './assembly/script';
import { KernelError } from './errno';
import { applyArm, armNames } from './experiment/arms';
import { evaluateClaim, expectedText } from './experiment/claims';
import { estimateRun } from './experiment/estimate';
import { armLookup } from './experiment/result';
import type { ExperimentSpec, ForkStep, ProgramSpec, Step, WorkloadEvent } from './experiment/spec';
import { stepLabel } from './experiment/steps';
import { createFileTree } from './kernel/fs/tree';
import type { FileTree } from './kernel/fs/tree';
import { Memory } from './kernel/memory/memory';
import type { AllocationStates } from './kernel/swap/allocation-chain';
import type { SwapGoal, SwapMoment } from './kernel/swap/moment';
import { ObservedSwapSystem } from './kernel/swap/observed-swap-system';
import { UnknownPolicyError } from './kernel/swap/registry';
import type { SwapSystem } from './kernel/swap/swap-system';
import type {
  AdvanceResult, ClaimState, ClusterAnswer, ClusterQuery, DeviceState, Machine, Mark, ScriptState, SeekResult, Series, TaskState,
} from './machine';
import { Digest } from './simulation/digest';
import { Scheduler } from './simulation/scheduler';
import { forkProgram, startProgram } from './workload/programs';
import type { ProgramHost } from './workload/programs';

export { MachineBuildError };

const DEFAULT_BUCKET_MS = 10;
const DEFAULT_BUCKETS = 2048;
/** Turns in a row without an operation: an ended actor has one; more than there can be actors is a standstill. */
const MOST_IDLE = 100_000;
/** Marks kept; a script of thousands of steps needs no more to be read. */
const MAX_MARKS = 10_000;
/** Lines of programs kept; a churn of 10,000 rounds prints as many. */
const MAX_OUTPUT_LINES = 20_000;

class SimulatedMachine implements Machine {
  readonly estimatedOperations: number;
  private readonly scheduler = new Scheduler();
  private readonly memory: Memory;
  private readonly swap: SwapSystem;
  private readonly tree: FileTree;
  private readonly measurements: Measurements;
  private readonly views: ClusterViews;
  private readonly moments: Moments;
  private seeking = false;
  private readonly programs = new Map<string, RunningProgram>();
  private readonly scriptActor: Script;
  private readonly events: Events;
  private readonly host: StepHost;
  private readonly markList: Mark[] = [];
  private readonly outputLines: string[] = [];
  private readonly live: WorkloadEvent[] = [];
  private operationCount = 0;
  private position = 0;
  private failed: string | undefined;
  private readonly checker: Checker;
  /** The kernel has a known defect switched on: a finding is what is looked for. */
  private readonly expectsDefect: boolean;

  constructor(readonly spec: ExperimentSpec, readonly seed: number, readonly arm: string) {
    this.estimatedOperations = estimateRun(spec).operations;
    const { machine, measure, workload } = spec;
    const kernel = kernelOf(spec.kernel);
    this.expectsDefect = kernel.swap.defects.length > 0;
    this.events = new Events(workload.events ?? [], () => this.host);
    this.scheduler.join(this.events);
    let observed: ObservedSwapSystem | undefined;
    const memory = new Memory(
      { machine, policies: kernel.memory, release: kernel.release },
      (host) => (observed = new ObservedSwapSystem(kernel.swap, machine.cpus, machine.nodes, host)),
      this.scheduler,
    );
    if (observed === undefined) throw new Error('the memory layer made no swap layer');
    this.memory = memory;
    this.swap = memory.swap;
    this.moments = new Moments(observed, () => this.scheduler.now);
    const fsKernel = { swap: this.swap, memory, xswap: kernel.swap.xswap };
    this.tree = createFileTree(fsKernel);
    this.measurements = new Measurements(fsKernel, this.swap, () => this.ownNumbers(), {
      bucketMs: measure.bucket_ms ?? DEFAULT_BUCKET_MS,
      buckets: measure.buckets ?? DEFAULT_BUCKETS,
    });
    this.checker = new Checker(measure.check_every, () => this.checkInvariants(), (name, value) => this.measurements.report(name, value));
    this.views = new ClusterViews(memory, (measure.bucket_ms ?? DEFAULT_BUCKET_MS) * 1e6);
    this.host = {
      timeline: this.scheduler, memory, tree: this.tree, programs: this.programs,
      startProgram: (program, at) => this.startProgram(program, at),
      forkProgram: (parent, step, at) => this.forkProgram(parent, step, at),
      probe: (name) => this.measurements.probe(name),
      onStep: (at, path, label) => this.mark(at, label, path.startsWith('workload.events') ? 'live' : 'step'),
      onStepDone: (at) => this.stepDone(at),
    };
    prepareMachine(machine, memory, this.tree);
    memory.listener = {
      onSwapChange: () => {
        this.measurements.swapChanged();
        this.scriptActor.swapChanged(this.scheduler.now);
      },
      onOomKill: (victim, memcg) => {
        const at = this.scheduler.now;
        this.measurements.oomKill(at);
        this.scriptActor.programKilled(victim.pid, at);
        this.mark(at, `OOM killer ends ${victim.name} (pid ${victim.pid})${memcg ? ` in ${memcg.path}` : ''}`, 'kernel');
      },
    };
    this.scriptActor = new Script(workload.steps, this.host);
    this.scriptActor.join();
    this.measurements.note(0);
  }

  operations(): number {
    return this.operationCount;
  }

  now(): number {
    return this.position;
  }

  advance(until: number, maxOperations: number, stopAtStep = false): AdvanceResult {
    const { scheduler, measurements, views } = this;
    const { recorder } = measurements;
    const begun = this.scriptActor.begun;
    let operations = 0;
    let idle = 0;
    if (!this.seeking) this.moments.forget();
    while (this.failed === undefined && !this.isOver()) {
      const next = scheduler.nextTime();
      if (next >= until) break;
      const between = next > scheduler.now;
      if (between && (operations >= maxOperations || (stopAtStep && this.scriptActor.begun > begun))) break;
      if (next >= recorder.nextSample) measurements.sample(next);
      if (next >= views.nextSample) views.sample(next);
      const oneStep = stopAtStep && scheduler.nextActor() === this.scriptActor;
      const most = oneStep ? 1 : Math.min(maxOperations, this.checker.due - this.operationCount) - operations;
      try {
        const done = scheduler.run(Math.min(until, recorder.nextSample, views.nextSample), Math.max(1, most));
        operations += done;
        idle = done > 0 ? 0 : idle + 1;
        if (idle > MOST_IDLE) throw new Error(`${scheduler.nextActor()?.name ?? 'nobody'} does nothing at ${next} ns`);
      } catch (error) {
        if (!(error instanceof ScriptFailure)) throw error;
        this.failed = error.message;
      }
      this.check(this.operationCount + operations);
      if (this.scriptActor.isWaiting && scheduler.nextTime() === Infinity) {
        this.failed = `${this.scriptActor.path} (${this.scriptActor.label}): waits for ever, since nothing runs any more`;
      }
    }
    this.operationCount += operations;
    this.settle(until);
    return { now: this.position, operations, done: this.isDone() };
  }

  failure(): string | undefined {
    return this.failed;
  }

  script(): ScriptState {
    const { begun, path, label, ended } = this.scriptActor;
    return { begun, path, label, ended };
  }

  read(path: string): string {
    return this.tree.read(path);
  }

  write(path: string, text: string): void {
    this.change(() => this.tree.write(path, text));
  }

  list(path: string): readonly string[] {
    return this.tree.list(path);
  }

  apply(step: Step): void {
    let halfway: KernelError | undefined;
    this.change(() => {
      try {
        applyLive(this.host, step);
      } catch (error) {
        if (!gaveUpHalfway(step, error)) throw error;
        halfway = error;
      }
    });
    // An operation, as it is one when the file replays it as an event: the walks of the checker are counted by them.
    this.operationCount++;
    this.live.push({ at: this.position, step: halfway === undefined ? step : { ...step, expect: halfway.code } });
    this.mark(this.position, stepLabel(step), 'live');
    this.check(this.operationCount);
    if (halfway !== undefined && !('expect' in step && step.expect === halfway.code)) throw halfway;
  }

  liveEvents(): readonly WorkloadEvent[] {
    return this.live;
  }

  counters(): Record<string, number> {
    return this.measurements.counters();
  }

  measure(): Record<string, number | string> {
    return this.measurements.all();
  }

  claims(): readonly ClaimState[] {
    let taken: Record<string, number | string> | undefined;
    const now = (): Record<string, number | string> => (taken ??= this.measurements.now());
    const lookup = armLookup(new Map([[this.arm, (name: string) => this.measurements.lookup(now, name)]]));
    return this.spec.claims.map((claim) => {
      const { value, holds } = evaluateClaim(claim, lookup);
      return {
        id: claim.id, what: claim.what, source: claim.source, published: claim.published, expected: expectedText(claim), value, holds,
      };
    });
  }

  devices(): readonly DeviceState[] {
    return this.swap.devices().map((device) => ({
      type: device.type, name: device.name, kind: device.kind, priority: device.priority, sizePages: device.pages, usedPages: device.inUse,
      limitPages: device.kind === 'xswap' ? this.swap.xswapLimit(device.type) : -1, mappedClusters: device.clusters,
    }));
  }

  tasks(): readonly TaskState[] {
    return this.memory.processes.map(({ name, pid, cgroup, state, touchedPages, sizePages }) => ({
      name, pid, cgroup: cgroup.path, state, touchedPages, sizePages,
    }));
  }

  marks(from: number): readonly Mark[] {
    return this.markList.slice(from);
  }

  recordClusters(): void {
    this.views.record(this.position);
  }

  clusters(query: ClusterQuery): ClusterAnswer {
    return this.views.map(query, this.position);
  }

  seekMoment(goal: SwapGoal, maxOperations: number): SeekResult {
    let operations = 0;
    let done = this.isDone();
    this.seeking = true;
    try {
      const moment = this.moments.next(goal, () => {
        if (done || operations >= maxOperations) return false;
        const result = this.advance(Number.MAX_SAFE_INTEGER, 1);
        operations += Math.max(1, result.operations);
        ({ done } = result);
        return true;
      });
      return { now: this.position, operations, done, left: this.moments.left, ...(moment === undefined ? {} : { moment }) };
    } finally {
      this.seeking = false;
    }
  }

  requests(): AllocationStates {
    return this.moments.states();
  }

  keepRequests(from: number, to: number): void {
    this.moments.keep(from, to);
  }

  keptRequests(): readonly SwapMoment[] {
    return this.moments.kept;
  }

  columns(): readonly string[] {
    return this.measurements.recorder.names();
  }

  series(metrics: readonly string[], points = Infinity): Series {
    return { start: 0, ...this.measurements.series(metrics, points) };
  }

  log(from: number): readonly string[] {
    return this.memory.log.slice(from).map(({ at, text }) => `[${(at / 1e9).toFixed(6).padStart(12)}] ${text}`);
  }

  output(from: number): readonly string[] {
    return this.outputLines.slice(from);
  }

  digest(): string {
    const digest = new Digest();
    this.memory.digestState((part) => {
      if (typeof part === 'number') digest.number(part);
      else if (typeof part === 'string') digest.text(part);
      else digest.bytes(part);
    });
    for (const device of this.swap.devices()) {
      digest.text(device.name).number(device.type).number(device.priority).number(device.pages).number(device.inUse).number(device.clusters);
      for (const { count, order, list } of this.swap.clusters(device.type, 0, device.clusters)) digest.word(count | (order << 16) | (list << 24));
    }
    for (const { at, text } of this.memory.log) digest.number(at).text(text);
    const all = this.measurements.all();
    for (const name of Object.keys(all).sort()) {
      const value = all[name];
      digest.text(name);
      if (typeof value === 'number') digest.number(value);
      else digest.text(value);
    }
    return digest.hex();
  }

  checkInvariants(): readonly string[] {
    return [...this.swap.checkInvariants(), ...this.memory.checkInvariants()];
  }

  private startProgram(program: ProgramSpec, at: number): RunningProgram {
    const { cpus } = this.spec.machine;
    const { cpu = 0, copies } = program;
    if (cpu >= cpus) throw new KernelError('EINVAL', `the machine has CPUs 0 to ${cpus - 1}`);
    const tasks = Array.from({ length: copies ?? 1 }, (_, i) => {
      const name = copies === undefined ? program.name : `${program.name}.${i + 1}`;
      return startProgram(program, name, (cpu + i) % cpus, at, this.programHost(name));
    });
    return { spec: program, tasks };
  }

  private forkProgram(parent: RunningProgram, step: ForkStep, at: number): RunningProgram {
    const { cpus } = this.spec.machine;
    if ((step.cpu ?? 0) >= cpus) throw new KernelError('EINVAL', `the machine has CPUs 0 to ${cpus - 1}`);
    return { spec: { ...parent.spec, name: step.as }, tasks: [forkProgram(parent.tasks[0], step, at, this.programHost(step.as))] };
  }

  private programHost(name: string): ProgramHost {
    return {
      memory: this.memory,
      seed: this.seed,
      onChange: (time) => this.scriptActor.programChanged(time),
      onReport: (metric, value) => this.measurements.report(`program.${name}.${metric}`, value),
      onOutput: (line) => this.print(name, line),
    };
  }

  /** A change from outside at the present position. Samples that were due before it are taken first. */
  private change(run: () => void): void {
    const { position } = this;
    // After the end it comes after the last operation; at the time at which that began, a replay would put it before.
    if (this.isDone() && position <= this.scheduler.now) this.position = this.scheduler.now + 1;
    if (this.position >= this.measurements.recorder.nextSample) this.measurements.sample(this.position);
    if (this.position >= this.views.nextSample) this.views.sample(this.position);
    const before = this.scheduler.now;
    this.scheduler.begin(this.position);
    try {
      run();
    } catch (error) {
      // What was refused leaves no trace, not even a later time of the last operation: it is not replayed.
      this.scheduler.begin(before);
      this.position = position;
      throw error;
    }
    this.stepDone(this.position);
  }

  private stepDone(at: number): void {
    this.scriptActor.programChanged(at);
    this.measurements.note(at);
  }

  private isOver(): boolean {
    if (this.checker.stopped) return true;
    if (!this.scriptActor.ended || !this.events.ended) return false;
    for (const program of this.programs.values()) if (!over(program)) return false;
    return true;
  }

  private print(name: string, line: string): void {
    if (this.outputLines.length < MAX_OUTPUT_LINES) this.outputLines.push(`${name}: ${line}`);
  }

  /** A finding ends the run; it fails unless a known defect is looked for. */
  private check(operations: number): void {
    const first = this.checker.check(operations, this.checker.isOn && this.isOver());
    if (first === undefined) return;
    this.mark(this.scheduler.now, `invariant checker: ${first}`, 'kernel');
    if (!this.expectsDefect) this.failed = `the invariant checker stops the run: ${first}`;
  }

  private isDone(): boolean {
    return this.failed !== undefined || this.isOver();
  }

  /** Where the run stands once everything that starts before it has been carried out. */
  private settle(until: number): void {
    const { scheduler } = this;
    const reached = this.isDone() ? Math.max(scheduler.now, this.scriptActor.clock) : Math.min(until, scheduler.nextTime());
    if (reached > this.position && reached < Infinity) this.position = reached;
    if (this.position >= this.measurements.recorder.nextSample) this.measurements.sample(this.position);
    if (this.position >= this.views.nextSample) this.views.sample(this.position);
  }

  private mark(at: number, label: string, source: Mark['source']): void {
    if (this.markList.length < MAX_MARKS) this.markList.push({ at, label, source });
  }

  private ownNumbers(): Record<string, number> {
    return {
      'time.elapsed_s': this.scheduler.now / 1e9,
      'engine.objects': this.memory.liveObjects() + this.swapObjects(),
      'engine.bytes': this.memory.bytes + this.swap.bytes,
      'dmesg.lines': this.memory.log.length,
    };
  }

  /** Devices and mapped clusters: what create and destroy must leave none of. */
  private swapObjects(): number {
    let objects = 0;
    for (const device of this.swap.devices()) objects += 1 + device.clusters;
    return objects;
  }
}

/** A swapoff that runs out of memory has brought pages in by then, and memory.reclaim has reclaimed some: what they did stays. */
const gaveUpHalfway = (step: Step, error: unknown): error is KernelError =>
  error instanceof KernelError && (error.code === 'ENOMEM' || error.code === 'EAGAIN') && ('swapoff' in step || 'write' in step);

/**
 * The machine of an experiment's arm (the first one when none is named) at its start, time 0.
 * @throws MachineBuildError when the machine cannot be built: the place in the experiment and why
 */
export const createMachine = (spec: ExperimentSpec, seed: number = spec.seeds[0], arm: string = armNames(spec)[0]): Machine => {
  const armed = applyArm(spec, arm);
  if (!armed.ok) throw new MachineBuildError(armed.problem);
  try {
    return new SimulatedMachine(armed.spec, seed, arm);
  } catch (error) {
    if (error instanceof UnknownPolicyError) throw new MachineBuildError(`kernel: ${error.message}`);
    if (error instanceof RangeError && /allocation failed/i.test(error.message)) throw new MachineBuildError('machine: needs more memory than there is');
    throw error;
  }
};
