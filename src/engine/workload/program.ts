/**
 * A program as an actor: it works through its memory, one operation after another, holds it, and ends. What it does is in a
 * Work; when it acts and who is told is here. An operation is one page touched, one madvise or one reading of counters, with every
 * fault and reclaim it takes.
 */
import { DEFAULT_HOLD_S, type ProgramSpec } from '../experiment/spec';
import type { Memory } from '../kernel/memory/memory';
import type { Process } from '../kernel/memory/process';
import type { Actor, Horizon } from '../simulation/actor';

/** What a program does. */
export interface Work {
  /** The next operation, costs left in memory.spent. False: that was the last one, or the process was killed in it. */
  operation(): boolean;
}

/** Told of a program. */
export interface ProgramListener {
  /** It has touched its last page, done its work or ended, at this time. */
  onChange(at: number): void;
  /** It has measured something: `round.3.swpout` and so on. */
  onReport(name: string, value: number | string): void;
  /** It prints a line. */
  onOutput(line: string): void;
}

export class ProgramActor implements Actor {
  readonly name: string;
  private id = -1;
  private clock: number;
  private touched = false;
  private readonly holdNs: number;

  constructor(
    private readonly process: Process,
    private readonly memory: Memory,
    private readonly work: Work,
    spec: Pick<ProgramSpec, 'hold_s'>,
    at: number,
    private readonly listener: ProgramListener,
  ) {
    this.name = process.name;
    this.clock = at;
    this.holdNs = Math.floor(0.5 + (spec.hold_s ?? DEFAULT_HOLD_S) * 1e9);
  }

  join(): void {
    this.id = this.memory.timeline.join(this);
  }

  nextTime(): number {
    return this.process.alive ? this.clock : Infinity;
  }

  step(horizon: Horizon, maxOperations: number): number {
    const { process, memory } = this;
    const { timeline } = memory;
    let done = 0;
    while (done < maxOperations && this.clock < horizon.time && process.state === 'running') {
      timeline.begin(this.clock);
      memory.spent = 0;
      const more = this.work.operation();
      const spent = Math.ceil(memory.spent);
      this.clock += spent > 0 ? spent : 1;
      done++;
      if (!more) {
        if (process.alive) process.state = 'holding';
        this.listener.onChange(this.clock);
        if (process.alive) this.clock += this.holdNs;
      } else if (!this.touched && process.touchedPages >= process.sizePages) {
        this.touched = true;
        this.listener.onChange(this.clock);
      }
    }
    if (done === 0 && process.state === 'holding' && this.clock < horizon.time) {
      timeline.begin(this.clock);
      memory.spent = 0;
      memory.exit(process.pid, false);
      this.clock += Math.max(1, Math.ceil(memory.spent));
      this.listener.onChange(this.clock);
      done = 1;
    }
    memory.spent = 0;
    if (!process.alive) timeline.leave(this.id);
    return done;
  }
}
