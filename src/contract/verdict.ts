/** All arms and seeds of an experiment, judged: what the window asks of the engine process, and what it is told. */
export interface VerdictStatus {
  readonly state: 'empty' | 'running' | 'done' | 'cancelled' | 'failed';
  /** Runs (arms times seeds) in all and done. */
  readonly runs: number;
  readonly done: number;
  /** 0…1, over all runs. */
  readonly progress: number;
  /** The arm that is running. */
  readonly arm: string;
  /** Set when state is failed. */
  readonly message?: string;
}

export interface VerdictClaim {
  readonly id: string;
  /** Mean over the seeds; null: a metric is missing, or the expression gives no finite number. */
  readonly value: number | string | null;
  readonly holds: boolean;
}

export interface VerdictResult {
  readonly claims: readonly VerdictClaim[];
  /** Of all runs together, as `swaplab run` prints it; null: a run did not reach its end. */
  readonly digest: string | null;
  /** Arms that did not run to their end, and why. */
  readonly failures: readonly string[];
}
