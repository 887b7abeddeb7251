/** How far a run is, on stderr: one line that is rewritten on a terminal, a line now and then elsewhere. */
import type { Io } from './io';
import { countText } from './table';

const WIDTH = 24;
/** Milliseconds between two updates. */
const EVERY = { terminal: 100, plain: 2000 };

export interface ProgressState {
  /** `arm cap, seed 3`; empty when there is but one run. */
  readonly run: string;
  /** 0…1 */
  readonly fraction: number;
  readonly operations: number;
  readonly simulatedNs: number;
  readonly label: string;
}

export class Progress {
  private readonly started: number;
  private last: number;
  private drawn = false;

  constructor(private readonly io: Io) {
    this.started = io.clock();
    this.last = this.started;
  }

  update(state: ProgressState): void {
    const now = this.io.clock();
    if (now - this.last < (this.io.terminal ? EVERY.terminal : EVERY.plain)) return;
    this.last = now;
    this.drawn = true;
    const seconds = (now - this.started) / 1000;
    const left = state.fraction > 0.02 ? `, ${Math.ceil((seconds / state.fraction) * (1 - state.fraction))} s left` : '';
    const percent = `${String(Math.floor(state.fraction * 100)).padStart(3)} %`;
    const speed = `${countText(state.operations / Math.max(seconds, 0.001))} pages/s`;
    const text = `${percent}  ${state.run ? `${state.run}  ` : ''}${(state.simulatedNs / 1e9).toFixed(1)} s simulated, ${speed}${left}  ${state.label}`;
    if (!this.io.terminal) {
      this.io.err(`${text}\n`);
      return;
    }
    const full = Math.round(state.fraction * WIDTH);
    this.io.err(`\r\u001b[K${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${text.slice(0, 100)}`);
  }

  /** Clears the line. Returns the seconds since the start. */
  end(): number {
    if (this.drawn && this.io.terminal) this.io.err('\r\u001b[K');
    return (this.io.clock() - this.started) / 1000;
  }
}
