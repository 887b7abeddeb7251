/**
 * Main process ⇄ engine process (control), and main ⇄ gate process. The window's own traffic goes over its port instead.
 * The journal is what a new engine process needs to stand where the lost one stood: runs are deterministic.
 */
import type { ExperimentSpec, WorkloadEvent } from '../engine/experiment/spec';
import type { RunState } from './engine-api';

/** What was loaded. */
export interface JournalLoad {
  readonly runId: number;
  readonly spec: ExperimentSpec;
  readonly arm?: string;
  readonly seed?: number;
  /** Live changes of an earlier run that a restart kept; part of the workload from the start. */
  readonly carried: readonly WorkloadEvent[];
}

/** A state whose digest was taken. */
export interface Checkpoint {
  /** Simulated ns: everything that starts before it was carried out. */
  readonly now: number;
  /** Live changes made by then. */
  readonly events: number;
  readonly digest: string;
}

export interface RunJournal {
  readonly load: JournalLoad;
  /** Live changes since the load, in order. */
  readonly events: readonly WorkloadEvent[];
  readonly state: RunState;
  /** Simulated seconds a wall-clock second; Infinity: as fast as possible. */
  readonly speed: number;
  /** Simulated ns that the window has seen. */
  readonly acknowledged: number;
  readonly checkpoint?: Checkpoint;
}

export type JournalEntry =
  | { readonly type: 'loaded'; readonly load: JournalLoad }
  | { readonly type: 'events'; readonly events: readonly WorkloadEvent[] }
  | { readonly type: 'state'; readonly state: RunState; readonly speed: number; readonly now: number }
  | { readonly type: 'acknowledged'; readonly now: number }
  | { readonly type: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly type: 'unloaded' };

/** The journal after one more entry; undefined while nothing is loaded. */
export function writeJournal(journal: RunJournal | undefined, entry: JournalEntry): RunJournal | undefined {
  if (entry.type === 'loaded') return { load: entry.load, events: [], state: 'ready', speed: Infinity, acknowledged: 0 };
  if (journal === undefined || entry.type === 'unloaded') return undefined;
  switch (entry.type) {
    case 'events':
      return { ...journal, events: entry.events };
    case 'state':
      return { ...journal, state: entry.state, speed: entry.speed, acknowledged: Math.max(journal.acknowledged, entry.now) };
    case 'acknowledged':
      return { ...journal, acknowledged: Math.max(journal.acknowledged, entry.now) };
    case 'checkpoint':
      return { ...journal, checkpoint: entry.checkpoint };
  }
}

/** Main → engine process. A port for a window comes with `port`. */
export type ToEngine =
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'port'; readonly generation: number }
  | { readonly kind: 'recover'; readonly journal: RunJournal };

/** Engine process → main. */
export type FromEngine =
  | { readonly kind: 'ready' }
  | { readonly kind: 'pong'; readonly id: number }
  | { readonly kind: 'journal'; readonly entry: JournalEntry }
  /** digestMatches null: no checkpoint had been taken. */
  | { readonly kind: 'recovered'; readonly at: number; readonly digestMatches: boolean | null }
  | { readonly kind: 'recovery-failed'; readonly message: string };

/** Main → gate process: judge this text, as it came from outside. */
export interface GateRequest {
  readonly id: number;
  readonly text: string;
}

export type GateVerdict =
  | {
      readonly kind: 'taken';
      readonly spec: ExperimentSpec;
      /** As the canonical writer puts it. */
      readonly text: string;
      readonly estimatedOps: number;
    }
  | { readonly kind: 'refused'; readonly message: string; readonly problems: readonly string[] };

/** Gate process → main: first `ready`, then a verdict a request. */
export type GateAnswer = { readonly kind: 'ready' } | { readonly kind: 'verdict'; readonly id: number; readonly verdict: GateVerdict };
