/** When to take a digest while a run goes on: often enough to check a recovery by, seldom enough to cost at most 2 % of the time. */
const LEAST_INTERVAL_MS = 2000;
const COST_SHARE = 50;

export class CheckpointClock {
  readonly #now: () => number;
  #next: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#next = now() + LEAST_INTERVAL_MS;
  }

  get due(): boolean {
    return this.#now() >= this.#next;
  }

  reset(): void {
    this.#next = this.#now() + LEAST_INTERVAL_MS;
  }

  /** Runs the work and sets the next time by what it cost. */
  timed(work: () => void): void {
    const began = this.#now();
    work();
    const ended = this.#now();
    this.#next = ended + Math.max(LEAST_INTERVAL_MS, (ended - began) * COST_SHARE);
  }
}
