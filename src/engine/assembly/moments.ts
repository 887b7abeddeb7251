/** Looks for single requests and frees of the swap layer while the machine goes on, or keeps a stretch of requests. */
import type { AllocationStates } from '../kernel/swap/allocation-chain';
import { fits } from '../kernel/swap/moment';
import type { SwapGoal, SwapMoment } from '../kernel/swap/moment';
import type { MomentFacts, ObservedSwapSystem, SwapWatcher } from '../kernel/swap/observed-swap-system';

/** Moments of one page operation that are kept behind the one looked for. */
const MOST_PENDING = 256;

export class Moments implements SwapWatcher {
  private goal: SwapGoal | undefined;
  private readonly pending: SwapMoment[] = [];
  private stretch: { readonly from: number; readonly to: number } | undefined;
  private readonly keptMoments: SwapMoment[] = [];

  constructor(private readonly swap: ObservedSwapSystem, private readonly clock: () => number) {}

  /**
   * The next moment that fits: one that the last page operation has left, or else `advance` is called, which carries out one more,
   * until it answers false. Undefined: none so far.
   */
  next(goal: SwapGoal, advance: () => boolean): SwapMoment | undefined {
    for (let left = this.pending.shift(); left !== undefined; left = this.pending.shift()) if (fits(goal, left)) return left;
    this.goal = goal;
    this.swap.watch(this);
    try {
      while (this.pending.length === 0 && advance());
    } finally {
      this.swap.watch(this.stretch === undefined ? undefined : this);
      this.goal = undefined;
    }
    return this.pending.shift();
  }

  /** Moments of the same page operation that follow the last one told. */
  get left(): number {
    return this.pending.length;
  }

  /** The machine went on without looking: what was left is past. */
  forget(): void {
    this.pending.length = 0;
  }

  /** Keeps the requests number `from` … `to` - 1. */
  keep(from: number, to: number): void {
    this.swap.startChain();
    this.stretch = { from, to };
    this.swap.watch(this);
  }

  get kept(): readonly SwapMoment[] {
    return this.keptMoments;
  }

  states(): AllocationStates {
    return this.swap.startChain().states();
  }

  now(): number {
    return this.clock();
  }

  wants(facts: MomentFacts, request: number): boolean {
    if (this.stretch !== undefined && request >= this.stretch.from && request < this.stretch.to) return true;
    if (this.goal === undefined || this.pending.length >= MOST_PENDING) return false;
    return this.pending.length > 0 || fits(this.goal, facts);
  }

  tell(moment: SwapMoment, request: number): void {
    if (this.goal !== undefined) this.pending.push(moment);
    if (this.stretch !== undefined && request >= this.stretch.from && request < this.stretch.to) this.keptMoments.push(moment);
  }
}
