/** How far simulated time may go by now, at a given speed. */

/** When the machine lags behind by more than this (wall-clock ms), the lag is forgiven: it does not rush later to catch up. */
const FORGIVEN_LAG_MS = 100;

export class Pacer {
  #speed: number;
  #anchorWall = 0;
  #anchorSim = 0;

  /** @param speed simulated seconds a wall-clock second; Infinity: no limit */
  constructor(speed: number) {
    this.#speed = speed;
  }

  get speed(): number {
    return this.#speed;
  }

  /** From here on, simulated time `sim` (ns) is wall-clock time `wall` (ms). */
  anchor(wall: number, sim: number): void {
    this.#anchorWall = wall;
    this.#anchorSim = sim;
  }

  setSpeed(speed: number, wall: number, sim: number): void {
    this.#speed = speed;
    this.anchor(wall, sim);
  }

  /** Simulated ns (whole) that should have been reached at wall-clock `wall`. */
  target(wall: number): number {
    if (this.#speed === Infinity) return Infinity;
    return Math.floor(this.#anchorSim + (wall - this.#anchorWall) * 1e6 * this.#speed);
  }

  /** Call with the time reached after a slice. */
  reached(wall: number, sim: number): void {
    if (this.#speed === Infinity) return;
    const lagMs = (this.target(wall) - sim) / (1e6 * this.#speed);
    if (lagMs > FORGIVEN_LAG_MS) this.anchor(wall, sim);
  }
}
