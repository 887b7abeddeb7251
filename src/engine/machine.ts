/** The engine is a value: a machine knows no UI, no file and no clock of its own. */
import type { ExperimentSpec, Step } from './experiment/spec';

export interface AdvanceResult {
  /** Simulated ns. Every operation that starts before it was carried out. */
  readonly now: number;
  /** Page operations carried out in this call. */
  readonly operations: number;
  /** The script has ended and no program runs. */
  readonly done: boolean;
}

/**
 * A simulated Linux machine with its workload. Deterministic: the same spec, seed and changes give the same state to the
 * bit, however advance() was sliced.
 */
export interface Machine {
  readonly spec: ExperimentSpec;
  readonly seed: number;
  /** Simulated ns; the start of the next operation once a call to advance() has returned. */
  now(): number;
  /** Carries out everything that starts before `until`; stops early after about `maxOperations`, never between operations of equal time. */
  advance(until: number, maxOperations: number): AdvanceResult;
  /** Reads a file of /proc or /sys as cat would. @throws KernelError */
  read(path: string): string;
  /** Writes a file as `echo text >` would; the caller adds the newline if it wants one. @throws KernelError */
  write(path: string, text: string): void;
  list(path: string): readonly string[];
  /** Carries out a script step now (live change). @throws KernelError */
  apply(step: Step): void;
  /** All metrics, flat. Numbers, and texts for what a command prints (`swapon.show`, `swapon.xswap0`). */
  measure(): Record<string, number | string>;
  /** Kernel log lines from index `from` on, without the newline: `[   12.345678] …`. */
  log(from: number): readonly string[];
  /** 128 bits in hex over final state and metrics. */
  digest(): string;
  /** Walks everything; returns what is broken, in words; empty when sound. */
  checkInvariants(): readonly string[];
}
