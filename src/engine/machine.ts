/** The engine is a value: a machine knows no UI, no file and no clock of its own. */
import type { ExperimentSpec, Step, WorkloadEvent } from './experiment/spec';
import type { AllocationStates } from './kernel/swap/allocation-chain';
import type { SwapGoal, SwapMoment } from './kernel/swap/moment';

export interface AdvanceResult {
  /** Simulated ns. Every operation that starts before it was carried out. */
  readonly now: number;
  /** Page operations carried out in this call. */
  readonly operations: number;
  /** The script has ended and no program runs, or the run has failed (then `failure()` says why). */
  readonly done: boolean;
}

/** A device as a table row (same shape as DeviceRow of the contract). */
export interface DeviceState {
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

export interface TaskState {
  readonly name: string;
  readonly pid: number;
  readonly cgroup: string;
  readonly state: 'running' | 'holding' | 'ended' | 'killed';
  readonly touchedPages: number;
  readonly sizePages: number;
}

/** A claim with what the run has shown so far. */
export interface ClaimState {
  readonly id: string;
  readonly what: string;
  readonly source: string;
  readonly published?: number | string;
  readonly expected: string;
  /** Absent while the probe it needs has not been reached. */
  readonly value?: number | string;
  readonly holds?: boolean;
}

export interface Mark {
  /** Simulated ns. */
  readonly at: number;
  readonly label: string;
  /** step: from the script; live: made while the run was going; kernel: OOM and the like. */
  readonly source: 'step' | 'live' | 'kernel';
}

export interface Series {
  /** Simulated ns of the first bucket's start, and of one bucket's length. */
  readonly start: number;
  readonly bucketNs: number;
  /** NaN: nothing recorded. */
  readonly columns: readonly { readonly metric: string; readonly min: Float64Array; readonly max: Float64Array; readonly last: Float64Array }[];
}

/** Which clusters are asked for. Clusters are counted over a row: those of the first device, then those of the next, and so on. */
export interface ClusterQuery {
  /** Name of the device that the row consists of; absent: all devices, by type. */
  readonly device?: string;
  /** Clusters from … to-1 of the row, cut to those that exist. */
  readonly from: number;
  readonly to: number;
  /** At most so many cells (at least one a device); with more clusters than that, several of a device share one. */
  readonly cells: number;
  /** Simulated ns: as last recorded at or before it. Absent: now. */
  readonly at?: number;
  /** The slots of a cluster as well (`cluster`: number within the device); known only now. */
  readonly slotsOf?: SlotsOf;
  /** Number of the answer that the asker holds: if it still fits, only the cells that have changed since come back. */
  readonly since?: number;
}

export interface SlotsOf {
  readonly device: string;
  readonly cluster: number;
}

/** What a row of devices shows of one of them. */
export interface ClusterStretch {
  readonly type: number;
  readonly name: string;
  /** Clusters of the row before this device, and those that it has. */
  readonly base: number;
  readonly total: number;
  /** Clusters of the device that are shown: from … to-1. */
  readonly from: number;
  readonly to: number;
  /** Its first cell. */
  readonly cell: number;
}

/** The clusters of a row of devices; cells, codes and masks as in kernel/swap/cluster-map.ts. */
export interface ClusterMap {
  /** Number of this answer. */
  readonly id: number;
  /** Simulated ns of this state. */
  readonly at: number;
  /** False: the present. */
  readonly recorded: boolean;
  /** Simulated ns between two recorded states; 0: none are recorded. */
  readonly distanceNs: number;
  /** Devices that can be asked for: those that are on, and those of which something was recorded. */
  readonly devices: readonly { readonly name: string; readonly on: boolean }[];
  /** Clusters of the whole row; 0: no such device, or it was not on then. */
  readonly total: number;
  readonly from: number;
  readonly to: number;
  /** Clusters a cell stands for; the last one of a device may stand for fewer. */
  readonly perCell: number;
  readonly stretches: readonly ClusterStretch[];
  readonly cells: Uint16Array;
  readonly masks: Uint8Array;
  /** Over the whole row, by code. */
  readonly clusters: Uint32Array;
  readonly used: Float64Array;
  /** Clusters that CPUs allocate from, in threes: CPU (-1: all), order, cluster of the row. */
  readonly current: Int32Array;
  /** State of each slot of cluster `slotsOf` (SLOT_STATE). */
  readonly slots?: Uint8Array;
  readonly slotsOf?: SlotsOf;
}

/** A map, or what has changed of the map that the asker holds. */
export interface ClusterAnswer extends ClusterMap {
  /** Number of the answer that this one changes; absent: `cells` and `masks` are all of them. */
  readonly after?: number;
  /** Cells that have changed; `cells` and `masks` hold these alone, in the same order. */
  readonly changed?: Uint32Array;
}

/**
 * What a slot holds. written: on the device; writing: allocated, the data is still in the swap cache; cacheOnly: held by the swap
 * cache alone; zero: zero-filled, stored nowhere; taken: lies in a CPU's slot cache; unusable: header, bad, or past the end.
 */
export const SLOT_STATE = { free: 0, written: 1, zswap: 2, zero: 3, writing: 4, cacheOnly: 5, taken: 6, unusable: 7 } as const;

/** Where the script stands. */
export interface ScriptState {
  /** Script steps begun so far, repetitions counted one by one. */
  readonly begun: number;
  /** Index path of the step under way or last begun, as in the file: `workload.steps[7]`; empty before the first. */
  readonly path: string;
  /** The step in words: `echo 3052543 > /sys/kernel/mm/xswap/type0/limit`. */
  readonly label: string;
  readonly ended: boolean;
}

/** What seekMoment() found. */
export interface SeekResult extends AdvanceResult {
  /** Absent: not yet. */
  readonly moment?: SwapMoment;
  /** Requests and frees of the same page operation that come after it. */
  readonly left: number;
}

/**
 * A simulated Linux machine with its workload. Deterministic: the same spec, seed and changes give the same state to the
 * bit, however advance() was sliced.
 */
export interface Machine {
  /** The spec of the arm being run (overrides applied). */
  readonly spec: ExperimentSpec;
  readonly arm: string;
  readonly seed: number;
  /** Page operations expected (upper estimate). */
  readonly estimatedOperations: number;
  /** Page operations so far. */
  operations(): number;
  /** Simulated ns at which a change made now takes place; every operation that starts before it was carried out. */
  now(): number;
  /**
   * Carries out everything that starts before `until`; stops early after about `maxOperations`, never between operations
   * of equal time. With `stopAtStep` it also stops as soon as the script has begun another step.
   */
  advance(until: number, maxOperations: number, stopAtStep?: boolean): AdvanceResult;
  /** Why the run cannot go on (step, path, errno, explanation); absent while all is well. */
  failure(): string | undefined;
  script(): ScriptState;
  /** Reads a file of /proc or /sys as cat would. @throws KernelError */
  read(path: string): string;
  /** Writes a file as `echo -n text >` would; the caller adds the newline if it wants one. @throws KernelError */
  write(path: string, text: string): void;
  list(path: string): readonly string[];
  /**
   * Carries out a step now (live change) and keeps it for liveEvents(). `wait`, `sleep`, `probe` and `repeat` belong to
   * scripts: EINVAL. What is refused leaves no trace, but for what gives up halfway (swapoff without memory, memory.reclaim): that is kept
   * with the errno in `expect`, and does not throw when it comes with that. @throws KernelError
   */
  apply(step: Step): void;
  /** The changes made by apply() so far, as events that replay them. */
  liveEvents(): readonly WorkloadEvent[];
  /** The counters as they are now, numbers only (meminfo.*, swaps.*, vmstat.*, memcg.*, zswap.*, xswap.*). */
  counters(): Record<string, number>;
  /**
   * All metrics, flat: the counters, texts for what a command prints (`swapon.show`, `swapon.xswap0`), the probes
   * (`NAME.<metric>`), automatic probes (`oom.1.<metric>`) and extremes (`always.min.<metric>`, `always.max.<metric>`).
   */
  measure(): Record<string, number | string>;
  /** The experiment's claims against this arm and seed alone. Claims on other arms have no value. */
  claims(): readonly ClaimState[];
  devices(): readonly DeviceState[];
  tasks(): readonly TaskState[];
  marks(from: number): readonly Mark[];
  /** From now on the clusters of all devices are recorded, in bounded memory, so that clusters() can look back. */
  recordClusters(): void;
  clusters(query: ClusterQuery): ClusterAnswer;
  /**
   * Goes on, one page operation after another, until the swap layer has answered a request or a free that fits; stops without one after
   * about `maxOperations`. The machine then stands at the end of that operation; called again it first tells what else was in it.
   */
  seekMoment(goal: SwapGoal, maxOperations: number): SeekResult;
  /** Counts and hashes all requests for slots from now on; the first call begins. */
  requests(): AllocationStates;
  /** Requests number `from` … `to` - 1 are kept with the decisions behind them. */
  keepRequests(from: number, to: number): void;
  keptRequests(): readonly SwapMoment[];
  /** Names of the recorded columns. */
  columns(): readonly string[];
  /** Recorded columns; at most `points` buckets when given (merged pairwise). Unknown names give columns of NaN. */
  series(metrics: readonly string[], points?: number): Series;
  /** Kernel log lines from index `from` on, without the newline: `[   12.345678] …`. */
  log(from: number): readonly string[];
  /** Lines that programs have printed, from index `from` on: `churn: Iteration 1: …`. */
  output(from: number): readonly string[];
  /** 128 bits in hex over final state and metrics. */
  digest(): string;
  /** Walks everything; returns what is broken, in words; empty when sound. */
  checkInvariants(): readonly string[];
}
