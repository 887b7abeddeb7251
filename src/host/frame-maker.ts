/** Makes telemetry frames of a machine: whole state each time, the log only as far as it is new. */
import type { Machine } from '../engine/machine';
import type { RunState, TelemetryFrame } from '../contract/engine-api';

/** More marks than this say nothing on a screen. The newest stay. */
const MOST_MARKS = 2000;
/** As many log lines as a kernel's default buffer holds, roughly. */
const MOST_LOG_LINES = 4000;

export type MachineFrame = Pick<
  TelemetryFrame,
  'now' | 'progress' | 'secondsLeft' | 'devices' | 'tasks' | 'marks' | 'claims' | 'log' | 'logFrom' | 'output' | 'outputFrom' | 'series' | 'counters'
>;

export class FrameMaker {
  readonly #machine: Machine;
  #logSent = 0;
  #outputSent = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** The next frame carries log and output from their start. */
  renew(): void {
    this.#logSent = 0;
    this.#outputSent = 0;
  }

  make(state: RunState, operationsPerSecond: number, subscription: { metrics: readonly string[]; points: number }): MachineFrame {
    const machine = this.#machine;
    const expected = machine.estimatedOperations;
    const operations = machine.operations();
    const ended = state === 'done';
    // An upper estimate is seldom reached exactly: only the end itself is the whole.
    const progress = ended ? 1 : expected > 0 ? Math.min(0.999, operations / expected) : 0;
    const left = Math.max(0, expected - operations);
    return {
      now: machine.now(),
      progress,
      secondsLeft: ended ? 0 : state === 'running' && operationsPerSecond > 0 ? left / operationsPerSecond : -1,
      devices: machine.devices(),
      tasks: machine.tasks(),
      marks: machine.marks(0).slice(-MOST_MARKS),
      claims: machine.claims(),
      ...this.#newLog(),
      ...this.#newOutput(),
      series: machine.series(subscription.metrics, subscription.points),
      counters: machine.counters(),
    };
  }

  #newLog(): { log: readonly string[]; logFrom: number } {
    const lines = this.#machine.log(this.#logSent);
    const skipped = Math.max(0, lines.length - MOST_LOG_LINES);
    const logFrom = this.#logSent + skipped;
    this.#logSent += lines.length;
    return { log: skipped === 0 ? lines : lines.slice(skipped), logFrom };
  }

  #newOutput(): { output: readonly string[]; outputFrom: number } {
    const lines = this.#machine.output(this.#outputSent);
    const skipped = Math.max(0, lines.length - MOST_LOG_LINES);
    const outputFrom = this.#outputSent + skipped;
    this.#outputSent += lines.length;
    return { output: lines.slice(skipped), outputFrom };
  }
}
