/** Operations a wall-clock second over the last second. */
const WINDOW_MS = 1000;

export class RateMeter {
  readonly #samples: { wall: number; operations: number }[] = [];

  reset(): void {
    this.#samples.length = 0;
  }

  /** @param operations counted since the start of the run */
  sample(wall: number, operations: number): void {
    this.#samples.push({ wall, operations });
    while (this.#samples.length > 2 && (this.#samples[1]?.wall ?? wall) <= wall - WINDOW_MS) this.#samples.shift();
  }

  perSecond(): number {
    const first = this.#samples[0];
    const last = this.#samples[this.#samples.length - 1];
    if (first === undefined || last === undefined || last.wall <= first.wall) return 0;
    return ((last.operations - first.operations) * 1000) / (last.wall - first.wall);
  }
}
