/**
 * Simulated time as actors see it. Every actor (script, program, kernel worker) has a clock of its own in integer
 * nanoseconds; the one furthest behind acts next, ties go to the lower id. So the order of operations is a matter of the
 * machine alone, never of how the run was sliced.
 */

/**
 * Up to where the acting actor may go on by itself: operations that START strictly before `time`. The scheduler lowers it
 * while the actor runs when that actor wakes another one, so it is read again before every operation:
 * `while (this.clock < horizon.time && done < maxOperations) …`.
 */
export interface Horizon {
  time: number;
}

export interface Actor {
  /** For messages. */
  readonly name: string;
  /** Simulated ns at which the next operation starts; Infinity: asleep until woken, or ended. */
  nextTime(): number;
  /**
   * Carries out at least one operation, as long as they start before `horizon.time`, and at most `maxOperations`.
   * Each operation moves the actor's clock on by at least 1 ns. Returns the number of operations carried out.
   * @throws KernelError when the run cannot go on (only the script does)
   */
  step(horizon: Horizon, maxOperations: number): number;
}

/** What actors and the kernel see of the scheduler. */
export interface Timeline {
  /** Start of the operation under way, in simulated ns: the time stamp of the kernel log and of deferred work. */
  readonly now: number;
  /** The acting actor states the start of the operation it begins. Never goes back for one actor. */
  begin(now: number): void;
  /** An actor (a program that was started, a worker with work to do) joins; returns its id, in order of joining. */
  join(actor: Actor): number;
  /** The actor of this id has changed its nextTime() (woken, killed, deferred work queued). */
  changed(id: number): void;
  /** The actor of this id is gone for good. */
  leave(id: number): void;
}
