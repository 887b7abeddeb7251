/** Arms side by side: what the window asks of the engine process, and what it is told. */
import type { ExperimentSpec, KernelSpec } from '../engine/experiment/spec';
import type { SwapMoment } from '../engine/kernel/swap/moment';
import type { SeriesFrame } from './engine-api';

export const LEAST_ARMS = 2;
export const MOST_ARMS = 6;

/** One arm: an arm of the experiment, or the experiment under another kernel. */
export interface CompareArm {
  /** Shown; unique in a comparison. */
  readonly name: string;
  /** Name of an arm of the experiment; absent: the experiment itself. */
  readonly arm?: string;
  /** Absent: the arm's own. */
  readonly kernel?: KernelSpec;
}

export interface CompareRequest {
  readonly spec: ExperimentSpec;
  readonly arms: readonly CompareArm[];
  readonly seed: number;
}

export interface CompareArmStatus {
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** 0…1 */
  readonly progress: number;
}

export interface CompareStatus {
  readonly state: 'empty' | 'running' | 'done' | 'cancelled' | 'failed';
  /** parting: the arms have run, and the first request at which they part is looked for. */
  readonly phase: 'arms' | 'parting';
  readonly arms: readonly CompareArmStatus[];
  /** Set when state is failed. */
  readonly message?: string;
}

export interface CompareArmResult {
  readonly name: string;
  readonly kernel: string;
  /** Why it did not run to its end. */
  readonly failure?: string;
  readonly digest: string;
  readonly operations: number;
  /** Simulated ns. */
  readonly elapsed: number;
  /** Requests for slots. */
  readonly requests: number;
  readonly metrics: Readonly<Record<string, number | string>>;
  readonly series: SeriesFrame;
}

/** Where an arm parts from the first one. */
export interface Parting {
  readonly name: string;
  /** Number of the first request that differs, from 0; -1: all are alike. */
  readonly request: number;
  /** Absent: the arm had no such request any more. */
  readonly first?: SwapMoment;
  readonly other?: SwapMoment;
}

export interface CompareResult {
  readonly title: string;
  readonly seed: number;
  readonly arms: readonly CompareArmResult[];
  /** One for each arm but the first. */
  readonly partings: readonly Parting[];
}
