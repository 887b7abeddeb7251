/**
 * Renderer ⇄ engine process, over one MessagePort: control calls by birpc (EngineApi), telemetry as plain messages.
 * Telemetry needs credit: the engine process sends the next frame only after the window has taken the last one,
 * and then the newest state, so a slow window never queues up frames.
 */
import type { ExperimentSpec, Step } from '../engine/experiment/spec';
import type { SwapGoal, SwapMoment } from '../engine/kernel/swap/moment';
import type { ClusterAnswer, ClusterQuery } from '../engine/machine';
import type { VerdictResult, VerdictStatus } from './verdict';
import type { CompareRequest, CompareResult, CompareStatus } from './compare';

export type RunState = 'empty' | 'ready' | 'running' | 'paused' | 'done' | 'failed';

/** What load() answers. */
export interface RunInfo {
  readonly runId: number;
  readonly title: string;
  readonly kernel: string;
  readonly arm: string;
  readonly seed: number;
  readonly ramPages: number;
  /** Page operations that the workload is expected to take (an upper estimate), for progress and for the gate. */
  readonly estimatedOps: number;
}

/** Answer of a live change: what the kernel made of it. */
export type ChangeResult =
  | { readonly ok: true; /** simulated ns */ readonly at: number; /** what the file reads now, if it can be read */ readonly readsBack?: string }
  | { readonly ok: false; readonly at: number; readonly errno: string; readonly message: string; readonly why: string };

export interface DeviceRow {
  readonly type: number;
  readonly name: string;
  readonly kind: string;
  readonly priority: number;
  readonly sizePages: number;
  readonly usedPages: number;
  /** xswap only, else -1. */
  readonly limitPages: number;
  readonly mappedClusters: number;
}

export interface TaskRow {
  readonly name: string;
  readonly pid: number;
  readonly cgroup: string;
  readonly state: 'running' | 'holding' | 'ended' | 'killed';
  readonly touchedPages: number;
  readonly sizePages: number;
}

export interface ClaimRow {
  readonly id: string;
  readonly what: string;
  readonly source: string;
  readonly published?: number | string;
  readonly expected: string;
  /** Absent while the probe it needs has not been reached. */
  readonly value?: number | string;
  readonly holds?: boolean;
}

export interface EventMark {
  /** Simulated ns. */
  readonly at: number;
  readonly label: string;
  /** step: from the script; live: made by the user; kernel: OOM and the like. */
  readonly source: 'step' | 'live' | 'kernel';
}

/** One column of a chart: buckets of equal simulated length, min and max of each. Floats; NaN: nothing recorded. */
export interface SeriesColumn {
  readonly metric: string;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly last: Float64Array;
}

export interface SeriesFrame {
  /** Simulated ns of the first bucket's start, and of one bucket's length. */
  readonly start: number;
  readonly bucketNs: number;
  readonly columns: readonly SeriesColumn[];
}

export interface TelemetryFrame {
  readonly kind: 'frame';
  readonly generation: number;
  readonly runId: number;
  readonly state: RunState;
  /** Simulated ns. */
  readonly now: number;
  /** 0…1 by operations done of those expected. */
  readonly progress: number;
  /** Wall-clock seconds left at this speed; -1: not known. */
  readonly secondsLeft: number;
  /** Page operations a wall-clock second, mean of the last second. */
  readonly opsPerSecond: number;
  readonly engineBytes: number;
  readonly devices: readonly DeviceRow[];
  readonly tasks: readonly TaskRow[];
  readonly marks: readonly EventMark[];
  readonly claims: readonly ClaimRow[];
  /** New kernel log lines since the last frame, as dmesg prints them. */
  readonly log: readonly string[];
  /** Index of the first of these lines in the whole log. 0: the log from its start, whatever was shown before (new run, engine recovered). */
  readonly logFrom: number;
  /** New lines that programs have printed, and the index of the first, in the same manner. */
  readonly output: readonly string[];
  readonly outputFrom: number;
  /** The columns the window subscribed to, re-sampled to at most `points` buckets. */
  readonly series: SeriesFrame;
  /** Counters by metric name (meminfo.*, vmstat.*, memcg.*, swaps.*, zswap.*). */
  readonly counters: Readonly<Record<string, number>>;
  /** What watchClusters() asked for, as it is now, or what has changed of it since the last frame; absent: nothing was asked for. */
  readonly clusters?: ClusterAnswer;
  /** Set when state is failed. */
  readonly failure?: string;
}

/** What seek() found. */
export interface SeekAnswer {
  readonly moment: SwapMoment | null;
  /** Requests and frees of the same page operation that come after it. */
  readonly left: number;
}

/** Window → engine process. */
export interface EngineApi {
  /** Takes a spec that passed the gate. Rejects when the machine cannot be built (reason in the message). */
  load(spec: ExperimentSpec, options: { arm?: string; seed?: number }): Promise<RunInfo>;
  /** speed: simulated seconds a wall-clock second; Infinity: as fast as possible. */
  run(speed: number): Promise<void>;
  pause(): Promise<void>;
  /** One operation, one simulated millisecond, or up to the next step of the script. */
  step(kind: 'operation' | 'millisecond' | 'script-step'): Promise<void>;
  setSpeed(speed: number): Promise<void>;
  /** Back to time 0 of the same spec, live changes dropped unless kept. */
  restart(options: { keepLiveChanges: boolean }): Promise<void>;
  cancel(): Promise<void>;
  /** A live change; recorded as a workload event at the simulated time of the answer. */
  change(step: Step): Promise<ChangeResult>;
  read(path: string): Promise<string>;
  /** All events of the workload, for saving: those of the file, then the live changes made so far. */
  events(): Promise<readonly { at: number; step: Step }[]>;
  /** The result object of contract/result.ts for the arm being run, once done (or so far). */
  result(): Promise<unknown>;
  /** Full column export for CSV. */
  series(metrics: readonly string[], points: number): Promise<SeriesFrame>;
  subscribe(metrics: readonly string[], points: number): Promise<void>;
  digest(): Promise<string>;
  /**
   * Runs on until the swap layer has answered a request or a free that fits, or the run ends or is paused (then there is no moment).
   * A second call ends the first.
   */
  seek(goal: SwapGoal): Promise<SeekAnswer>;
  /** Runs several arms one after the other, beside the run; a former comparison is given up. Rejects when an arm cannot be built. */
  compare(request: CompareRequest): Promise<void>;
  compareStatus(): Promise<CompareStatus>;
  /** What the last comparison has found; null: none, or it is not done. */
  compareResult(): Promise<CompareResult | null>;
  compareCancel(): Promise<void>;
  /** Runs all arms with all seeds beside the run, to judge the claims over them; a former verdict is given up. Rejects what the gate refuses. */
  judge(spec: ExperimentSpec): Promise<void>;
  judgeStatus(): Promise<VerdictStatus>;
  /** null: none, or it is not done. */
  judgeResult(): Promise<VerdictResult | null>;
  judgeCancel(): Promise<void>;
  /**
   * These clusters as they are now, reduced to what is seen; from then on each frame carries what has changed of them. null: none any
   * more. While nothing is loaded the answer is null, and the first frame carries all.
   */
  watchClusters(query: ClusterQuery | null): Promise<ClusterAnswer | null>;
  /** The same once, and with `at` as recorded; with `since` what has changed, if the engine still knows that answer. */
  clusters(query: ClusterQuery): Promise<ClusterAnswer>;
}
/** Window → engine process, plain message: frame of this generation was taken, send the next. */
export interface CreditMessage { readonly kind: 'credit'; readonly generation: number }
