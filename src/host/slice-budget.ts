/** How many page operations fit a slice, so that the engine process answers its messages while it runs. */

/** Aim and bounds of one slice. */
const SLICE_MS = 8;
const SMALLEST = 64;
const LARGEST = 4_000_000;

export class SliceBudget {
  #operations = 2_000;

  get operations(): number {
    return this.#operations;
  }

  /** Learns from a slice that carried out `operations` in `elapsedMs`. */
  learn(operations: number, elapsedMs: number): void {
    // Far from full slices tell nothing about the cost of an operation, unless they took too long already.
    if (operations < this.#operations / 2 && elapsedMs < SLICE_MS) return;
    const factor = elapsedMs <= 0 ? 2 : Math.min(2, Math.max(0.1, SLICE_MS / elapsedMs));
    this.#operations = Math.round(Math.min(LARGEST, Math.max(SMALLEST, this.#operations * factor)));
  }
}
