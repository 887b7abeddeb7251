/**
 * One run and everything that can be asked of it: EngineApi without ports or processes. It runs the machine in short slices so
 * that messages are answered in between, holds it to the wanted speed, hands out frames against credit, and keeps the journal
 * from which another engine process can stand where this one stood.
 */
import { BASE_ARM } from '../engine/experiment/arms';
import { assembleResult, kernelText, seedRun } from '../engine/experiment/result';
import type { ExperimentSpec, Step, WorkloadEvent } from '../engine/experiment/spec';
import { KernelError } from '../engine/errno';
import type { SwapGoal } from '../engine/kernel/swap/moment';
import type { ClusterAnswer, ClusterQuery, Machine } from '../engine/machine';
import type { CompareRequest, CompareResult, CompareStatus } from '../contract/compare';
import type { VerdictResult, VerdictStatus } from '../contract/verdict';
import type { ChangeResult, EngineApi, RunInfo, RunState, SeekAnswer, SeriesFrame, TelemetryFrame } from '../contract/engine-api';
import { checkExperiment } from '../contract/gate';
import type { Checkpoint, JournalEntry, JournalLoad, RunJournal } from '../contract/host-messages';
import { CheckpointClock } from './checkpoint-clock';
import { Comparison } from './comparison';
import { Verdict } from './verdict';
import { FrameMaker } from './frame-maker';
import { Pacer } from './pacer';
import { RateMeter } from './rate-meter';
import { SliceBudget } from './slice-budget';

export type CreateMachine = (spec: ExperimentSpec, seed: number, arm?: string) => Machine;

export interface RunDependencies {
  readonly createMachine: CreateMachine;
  /** Wall-clock ms, never going back. */
  readonly now: () => number;
  /** Calls back after at least that many ms; 0: as soon as waiting messages were answered. Returns the way to cancel. */
  readonly schedule: (callback: () => void, delayMs: number) => () => void;
  /** Memory of the process in bytes. */
  readonly bytes: () => number;
  readonly journal: (entry: JournalEntry) => void;
}

export type FrameBody = Omit<TelemetryFrame, 'kind' | 'generation'>;

/** Where a step ends. */
interface StepGoal {
  readonly until: number;
  readonly maxOperations: number;
  readonly stopAtStep: boolean;
  /** Ends with a request or a free of the swap layer that fits. */
  readonly seek?: SwapGoal;
}

interface Loaded {
  readonly load: JournalLoad;
  readonly machine: Machine;
  readonly frames: FrameMaker;
}

export type Recovery =
  | { readonly ok: true; readonly at: number; readonly digestMatches: boolean | null }
  | { readonly ok: false; readonly message: string };

/** A page operation that is looked at costs about so many times one that is not. */
const SEEK_COST = 4;
/** A paced run looks at the clock this often. */
const PACED_WAIT_MS = 8;

export class RunController implements EngineApi {
  readonly #deps: RunDependencies;
  readonly #pacer = new Pacer(Infinity);
  readonly #rate = new RateMeter();
  readonly #budget = new SliceBudget();
  readonly #checkpoints: CheckpointClock;
  #loaded: Loaded | undefined;
  #state: RunState = 'empty';
  #failure: string | undefined;
  #goal: StepGoal | undefined;
  #cancelSlice: (() => void) | undefined;
  #nextRunId = 1;
  #subscription: { metrics: readonly string[]; points: number } = { metrics: [], points: 0 };
  #clusterQuery: ClusterQuery | undefined;
  /** The machine that the last frame showed. */
  #framed: Machine | undefined;
  /** Number of the clusters in the last frame; 0: the next carries all of them. */
  #clustersSent = 0;
  readonly #comparison: Comparison;
  readonly #verdict: Verdict;
  #answerSeek: ((answer: SeekAnswer) => void) | undefined;
  #changed = false;
  #onChanged: (() => void) | undefined;

  constructor(dependencies: RunDependencies) {
    this.#deps = dependencies;
    this.#checkpoints = new CheckpointClock(dependencies.now);
    this.#comparison = new Comparison(dependencies);
    this.#verdict = new Verdict(dependencies);
  }

  load(spec: ExperimentSpec, options: { arm?: string; seed?: number }): Promise<RunInfo> {
    return this.#answer(() => {
      const outcome = checkExperiment(spec);
      if (!outcome.ok) throw new Error([outcome.message, ...outcome.problems.slice(1, 4)].join(' '));
      const load: JournalLoad = { runId: this.#nextRunId, spec: outcome.spec, carried: [], ...options };
      this.#build(load);
      this.#nextRunId += 1;
      return this.#info();
    });
  }

  run(speed: number): Promise<void> {
    return this.#answer(() => {
      if (this.#state === 'running' && this.#goal === undefined) return this.#changeSpeed(speed);
      this.#mayGo();
      this.#changeSpeed(speed);
      this.#start(undefined);
    });
  }

  pause(): Promise<void> {
    return this.#answer(() => {
      if (this.#state === 'running') this.#stop('paused');
    });
  }

  step(kind: 'operation' | 'millisecond' | 'script-step'): Promise<void> {
    return this.#answer(() => {
      const { machine } = this.#mayGo();
      const everything = Number.MAX_SAFE_INTEGER;
      if (kind === 'operation') this.#start({ until: everything, maxOperations: 1, stopAtStep: false });
      else if (kind === 'millisecond') this.#start({ until: machine.now() + 1e6, maxOperations: everything, stopAtStep: false });
      else this.#start({ until: everything, maxOperations: everything, stopAtStep: true });
    });
  }

  seek(goal: SwapGoal): Promise<SeekAnswer> {
    return new Promise((resolve) => {
      this.#mayGo();
      this.#seekEnded({ moment: null, left: 0 });
      this.#answerSeek = resolve;
      this.#start({ until: Number.MAX_SAFE_INTEGER, maxOperations: Number.MAX_SAFE_INTEGER, stopAtStep: false, seek: goal });
    });
  }

  #seekEnded(answer: SeekAnswer): void {
    this.#answerSeek?.(answer);
    this.#answerSeek = undefined;
  }

  compare(request: CompareRequest): Promise<void> {
    return this.#answer(() => this.#comparison.start(request));
  }

  compareStatus(): Promise<CompareStatus> {
    return this.#answer(() => this.#comparison.status());
  }

  compareResult(): Promise<CompareResult | null> {
    return this.#answer(() => this.#comparison.result() ?? null);
  }

  compareCancel(): Promise<void> {
    return this.#answer(() => this.#comparison.cancel());
  }

  judge(spec: ExperimentSpec): Promise<void> {
    return this.#answer(() => this.#verdict.start(spec));
  }

  judgeStatus(): Promise<VerdictStatus> {
    return this.#answer(() => this.#verdict.status());
  }

  judgeResult(): Promise<VerdictResult | null> {
    return this.#answer(() => this.#verdict.result() ?? null);
  }

  judgeCancel(): Promise<void> {
    return this.#answer(() => this.#verdict.cancel());
  }

  setSpeed(speed: number): Promise<void> {
    return this.#answer(() => this.#changeSpeed(speed));
  }

  restart(options: { keepLiveChanges: boolean }): Promise<void> {
    return this.#answer(() => {
      const { load, machine } = this.#need();
      const carried = options.keepLiveChanges ? [...load.carried, ...machine.liveEvents()] : [];
      this.#build({ ...load, carried });
    });
  }

  cancel(): Promise<void> {
    return this.#answer(() => {
      const { machine } = this.#need();
      if (this.#state !== 'running' && this.#state !== 'paused') return;
      this.#fail(`Cancelled at ${(machine.now() / 1e9).toFixed(3)} s; what was recorded until then is kept.`);
    });
  }

  change(step: Step): Promise<ChangeResult> {
    return this.#answer(() => {
      const { machine } = this.#need();
      const at = machine.now();
      try {
        machine.apply(step);
      } catch (error) {
        if (!(error instanceof KernelError)) throw error;
        // One that gave up halfway has changed something, and is replayed.
        this.#deps.journal({ type: 'events', events: machine.liveEvents() });
        this.#touch();
        return { ok: false, at, errno: error.code, message: error.message, why: error.why };
      }
      this.#deps.journal({ type: 'events', events: machine.liveEvents() });
      this.#touch();
      const readsBack = 'write' in step ? readOrNothing(machine, step.write) : undefined;
      return readsBack === undefined ? { ok: true, at } : { ok: true, at, readsBack };
    });
  }

  read(path: string): Promise<string> {
    return this.#answer(() => this.#need().machine.read(path));
  }

  events(): Promise<readonly WorkloadEvent[]> {
    return this.#answer(() => {
      const { load, machine } = this.#need();
      return [...(load.spec.workload.events ?? []), ...load.carried, ...machine.liveEvents()];
    });
  }

  result(): Promise<unknown> {
    return this.#answer(() => {
      const { load, machine } = this.#need();
      return assembleResult(load.spec, [{ name: machine.arm, kernel: machine.spec.kernel, runs: [seedRun(machine)] }]);
    });
  }

  series(metrics: readonly string[], points: number): Promise<SeriesFrame> {
    return this.#answer(() => this.#need().machine.series(metrics, points));
  }

  subscribe(metrics: readonly string[], points: number): Promise<void> {
    return this.#answer(() => {
      this.#subscription = { metrics: metrics.slice(0, 256), points: Math.max(2, Math.min(8192, Math.floor(points))) };
      this.#touch();
    });
  }

  digest(): Promise<string> {
    return this.#answer(() => this.#need().machine.digest());
  }

  watchClusters(query: ClusterQuery | null): Promise<ClusterAnswer | null> {
    return this.#answer(() => {
      this.#clusterQuery = query === null ? undefined : bounded(query);
      const now = this.#clusterQuery && this.#loaded?.machine.clusters(this.#clusterQuery);
      this.#clustersSent = now?.id ?? 0;
      this.#touch();
      return now ?? null;
    });
  }

  clusters(query: ClusterQuery): Promise<ClusterAnswer> {
    return this.#answer(() => this.#need().machine.clusters(bounded(query)));
  }

  /** The listener is told that there is something new to show since the last frame. */
  onChanged(listener: () => void): void {
    this.#onChanged = listener;
  }

  get changed(): boolean {
    return this.#changed;
  }

  /** A new window knows nothing yet: everything counts as new. */
  renew(): void {
    this.#loaded?.frames.renew();
    this.#clustersSent = 0;
    this.#touch();
  }

  /** The state as it is now. Undefined while nothing is loaded. */
  frame(): FrameBody | undefined {
    this.#changed = false;
    if (this.#loaded === undefined) return undefined;
    const { load, frames, machine } = this.#loaded;
    this.#framed = machine;
    const clusters = this.#clusterQuery && machine.clusters({ ...this.#clusterQuery, since: this.#clustersSent });
    this.#clustersSent = clusters?.id ?? 0;
    return {
      runId: load.runId,
      state: this.#state,
      opsPerSecond: this.#state === 'running' ? this.#rate.perSecond() : 0,
      engineBytes: this.#deps.bytes(),
      ...frames.make(this.#state, this.#rate.perSecond(), this.#subscription),
      ...(clusters === undefined ? {} : { clusters }),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
    };
  }

  /** The window has taken a frame that showed this simulated time. One of a machine that has been replaced since says nothing. */
  acknowledge(now: number): void {
    if (this.#framed !== this.#loaded?.machine) return;
    this.#deps.journal({ type: 'acknowledged', now });
  }

  /**
   * Stands again where the journal ends: the same experiment, the same changes at the same simulated times, up to what the window
   * has seen; on the way the digest of the last checkpoint is compared. Then the run goes on as it was.
   */
  async recover(journal: RunJournal): Promise<Recovery> {
    try {
      this.#build(journal.load);
      this.#nextRunId = journal.load.runId + 1;
      const digestMatches = await this.#replay(journal);
      if (digestMatches === false) {
        const message = 'The engine was lost, and replaying the run gave another state than before: the run cannot be continued.';
        this.#fail(message);
        return { ok: false, message };
      }
      const { machine } = this.#need();
      this.#deps.journal({ type: 'events', events: machine.liveEvents() });
      this.#changeSpeed(journal.speed);
      if (machine.failure() !== undefined || journal.state === 'done') this.#end();
      else if (journal.state === 'failed') this.#fail('The run had ended before the engine was lost.');
      else if (journal.state === 'running') this.#start(undefined);
      else this.#setState(journal.state);
      return { ok: true, at: machine.now(), digestMatches };
    } catch (error) {
      return { ok: false, message: `The run could not be brought back: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  async #replay(journal: RunJournal): Promise<boolean | null> {
    const { machine } = this.#need();
    const { checkpoint, events } = journal;
    let made = 0;
    let matches: boolean | null = null;
    const makeUpTo = async (count: number): Promise<void> => {
      for (const event of events.slice(made, count)) {
        await this.#advanceTo(event.at);
        machine.apply(event.step);
      }
      made = count;
    };
    if (checkpoint !== undefined) {
      await makeUpTo(checkpoint.events);
      await this.#advanceTo(checkpoint.now);
      matches = machine.digest() === checkpoint.digest;
      if (!matches) return false;
    }
    await makeUpTo(events.length);
    await this.#advanceTo(journal.acknowledged);
    return matches;
  }

  /** In slices, so that the supervisor's heartbeat is answered. */
  async #advanceTo(until: number): Promise<void> {
    const { machine } = this.#need();
    while (machine.now() < until) {
      const began = this.#deps.now();
      const { operations, done } = machine.advance(until, this.#budget.operations);
      this.#budget.learn(operations, this.#deps.now() - began);
      if (done) return;
      await new Promise<void>((resolve) => this.#deps.schedule(resolve, 0));
    }
  }

  #build(load: JournalLoad): void {
    const events = [...(load.spec.workload.events ?? []), ...load.carried];
    const spec = { ...load.spec, workload: { ...load.spec.workload, events } };
    const seed = load.seed ?? load.spec.seeds[0] ?? 1;
    const arm = load.arm ?? load.spec.arms[0]?.name;
    // The old machine goes first: two large ones may not fit side by side. It is gone only if the new one can be described at all.
    const machine = this.#deps.createMachine(spec, seed, arm);
    machine.recordClusters();
    this.#cancelSlice?.();
    this.#cancelSlice = undefined;
    this.#goal = undefined;
    this.#failure = undefined;
    this.#rate.reset();
    this.#checkpoints.reset();
    this.#loaded = { load, machine, frames: new FrameMaker(machine) };
    this.#clustersSent = 0;
    this.#deps.journal({ type: 'loaded', load });
    this.#setState('ready');
  }

  #info(): RunInfo {
    const { load, machine } = this.#need();
    return {
      runId: load.runId,
      title: load.spec.title,
      kernel: kernelText(machine.spec.kernel),
      arm: machine.arm === '' ? BASE_ARM : machine.arm,
      seed: machine.seed,
      ramPages: machine.spec.machine.ram_pages,
      estimatedOps: machine.estimatedOperations,
    };
  }

  #start(goal: StepGoal | undefined): void {
    const { machine } = this.#need();
    this.#goal = goal;
    this.#pacer.anchor(this.#deps.now(), machine.now());
    this.#rate.reset();
    this.#rate.sample(this.#deps.now(), machine.operations());
    this.#setState('running');
    this.#scheduleSlice(0);
  }

  #scheduleSlice(delayMs: number): void {
    this.#cancelSlice?.();
    this.#cancelSlice = this.#deps.schedule(() => {
      this.#cancelSlice = undefined;
      try {
        this.#slice();
      } catch (error) {
        this.#fail(`The engine failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }, delayMs);
  }

  #slice(): void {
    const { machine } = this.#need();
    const goal = this.#goal;
    const began = this.#deps.now();
    // A step goes as fast as it can: its end is the goal, not the clock.
    const until = goal === undefined ? Math.min(this.#pacer.target(began), Number.MAX_SAFE_INTEGER) : goal.until;
    const begun = machine.script().begun;
    if (goal?.seek !== undefined) {
      const found = machine.seekMoment(goal.seek, Math.ceil(this.#budget.operations / SEEK_COST));
      this.#rate.sample(this.#deps.now(), machine.operations());
      this.#touch();
      if (found.moment !== undefined) this.#seekEnded({ moment: found.moment, left: found.left });
      if (found.done) return this.#end();
      if (found.moment !== undefined) return this.#stop('paused');
    } else if (until > machine.now()) {
      const limit = goal === undefined ? this.#budget.operations : Math.min(goal.maxOperations, this.#budget.operations);
      const { operations, done } = machine.advance(until, limit, goal?.stopAtStep === true);
      const ended = this.#deps.now();
      this.#budget.learn(operations, ended - began);
      this.#rate.sample(ended, machine.operations());
      this.#pacer.reached(ended, machine.now());
      this.#touch();
      if (done) return this.#end();
    }
    if (goal !== undefined && (goal.maxOperations === 1 || machine.now() >= goal.until || (goal.stopAtStep && machine.script().begun > begun))) {
      return this.#stop('paused');
    }
    this.#checkpointIfDue();
    this.#scheduleSlice(goal?.seek === undefined && machine.now() >= until ? PACED_WAIT_MS : 0);
  }

  #checkpointIfDue(): void {
    if (!this.#checkpoints.due) return;
    this.#checkpoints.timed(() => this.#takeCheckpoint());
  }

  #takeCheckpoint(): void {
    const { machine } = this.#need();
    const checkpoint: Checkpoint = { now: machine.now(), events: machine.liveEvents().length, digest: machine.digest() };
    this.#deps.journal({ type: 'checkpoint', checkpoint });
  }

  #stop(state: 'paused'): void {
    this.#cancelSlice?.();
    this.#cancelSlice = undefined;
    this.#goal = undefined;
    this.#setState(state);
  }

  #end(): void {
    const failure = this.#need().machine.failure();
    if (failure !== undefined) return this.#fail(failure);
    this.#cancelSlice?.();
    this.#cancelSlice = undefined;
    this.#goal = undefined;
    this.#setState('done');
  }

  #fail(message: string): void {
    this.#cancelSlice?.();
    this.#cancelSlice = undefined;
    this.#goal = undefined;
    this.#failure = message;
    this.#setState('failed');
  }

  #changeSpeed(speed: number): void {
    if (!(speed > 0)) throw new Error(`A speed above 0 is expected, got ${speed}.`);
    this.#pacer.setSpeed(speed, this.#deps.now(), this.#loaded?.machine.now() ?? 0);
    if (this.#state === 'running') this.#scheduleSlice(0);
    if (this.#loaded !== undefined) this.#tellState();
  }

  #setState(state: RunState): void {
    this.#state = state;
    if (state !== 'running') this.#seekEnded({ moment: null, left: 0 });
    this.#tellState();
    this.#touch();
  }

  #tellState(): void {
    this.#deps.journal({ type: 'state', state: this.#state, speed: this.#pacer.speed, now: this.#loaded?.machine.now() ?? 0 });
  }

  #touch(): void {
    this.#changed = true;
    this.#onChanged?.();
  }

  #need(): Loaded {
    if (this.#loaded === undefined) throw new Error('No experiment is loaded.');
    return this.#loaded;
  }

  #mayGo(): Loaded {
    const loaded = this.#need();
    if (this.#state === 'done') throw new Error('The run has ended; restart it first.');
    if (this.#state === 'failed') throw new Error('The run has failed; restart it first.');
    return loaded;
  }

  /** Errors of a call reject it; none may escape into the engine process. */
  #answer<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => resolve(work()));
  }
}

function readOrNothing(machine: Machine, path: string): string | undefined {
  try {
    return machine.read(path);
  } catch {
    // Write-only files (reset, create) cannot be read back.
    return undefined;
  }
}

/** More cells than a large screen has places for are never sent. */
const MOST_CELLS = 200_000;

function bounded(query: ClusterQuery): ClusterQuery {
  return { ...query, cells: Math.max(1, Math.min(MOST_CELLS, Math.floor(query.cells))) };
}
