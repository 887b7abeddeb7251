/**
 * Kernel threads and deferred work as actors: kswapd, the end of device writes, the zswap shrinker, and what the swap layer
 * puts off (discards, reclaim of full clusters, the shrink of an xswap device).
 */
import type { Actor, Horizon, Timeline } from '../../simulation/actor';
import type { SwapWork } from '../swap/types';
import type { Mm } from './mm';
import { tryToFreePages } from './reclaim';
import { shrinkZswapPool } from './zswap-writeback';

abstract class Worker implements Actor {
  abstract readonly name: string;
  protected clock = Infinity;
  /** End of its last piece of work: whoever wakes it before finds it still at that. */
  private busyUntil = 0;
  protected readonly mm: Mm;
  private readonly id: number;

  constructor(mm: Mm, timeline: Timeline) {
    this.mm = mm;
    this.id = timeline.join(this);
  }

  nextTime(): number {
    return this.clock;
  }

  /** Runs at `at` at the latest, or as soon as it has finished what it is doing. */
  wake(at: number): void {
    const time = Math.max(Math.ceil(at), this.busyUntil);
    if (time >= this.clock) return;
    this.clock = time;
    this.mm.timeline.changed(this.id);
  }

  step(horizon: Horizon, maxOperations: number): number {
    const { mm } = this;
    let done = 0;
    while (done < maxOperations && this.clock < horizon.time) {
      const start = this.clock;
      mm.timeline.begin(start);
      const { spent, cpu, current } = mm;
      mm.spent = 0;
      mm.cpu = 0;
      mm.current = undefined;
      this.clock = Infinity;
      const next = this.work(start);
      const end = start + Math.max(1, Math.ceil(mm.spent));
      this.busyUntil = end;
      this.clock = Math.max(end, Math.min(this.clock, Math.ceil(next)));
      mm.spent = spent;
      mm.cpu = cpu;
      mm.current = current;
      done++;
    }
    return done;
  }

  /** Does one piece; returns when to go on (at once: the start itself; Infinity: sleep). */
  protected abstract work(start: number): number;
}

const MAX_RECLAIM_RETRIES = 16;

/** Reclaims in the background while free memory is below the high mark. */
class Kswapd extends Worker {
  readonly name = 'kswapd0';

  protected work(start: number): number {
    const { mm } = this;
    const missing = mm.wmarkHigh - mm.freePages;
    if (missing <= 0) {
      mm.kswapdFailures = 0;
      return Infinity;
    }
    if (mm.kswapdFailures === 0) mm.events.pageoutrun++;
    mm.reclaimer = 'kswapd';
    const reclaimed = tryToFreePages(mm, null, Math.min(missing, 128));
    if (reclaimed === 0) mm.kswapdFailures++;
    return mm.kswapdFailures >= MAX_RECLAIM_RETRIES ? Infinity : start;
  }
}

/** Ends of writes to asynchronous devices. */
class WriteEnds extends Worker {
  readonly name = 'writeback';

  protected work(start: number): number {
    this.mm.writeback.complete(this.mm, start);
    return this.mm.writeback.nextDone();
  }
}

class ZswapShrinker extends Worker {
  readonly name = 'zswap-shrink';

  protected work(start: number): number {
    return shrinkZswapPool(this.mm) ? start : Infinity;
  }
}

class SwapWorker extends Worker {
  readonly name = 'kworker/swap';
  private readonly queue: { readonly kind: SwapWork; readonly type: number }[] = [];

  add(kind: SwapWork, type: number, at: number): void {
    this.queue.push({ kind, type });
    this.wake(at);
  }

  protected work(start: number): number {
    const next = this.queue.shift();
    if (next !== undefined) {
      this.mm.swap.runWork(next.kind, next.type);
      this.mm.spent += this.mm.costs.systemCall;
      this.mm.listener.onSwapChange?.();
    }
    return this.queue.length > 0 ? start : Infinity;
  }
}

export interface Workers {
  scheduleSwapWork(kind: SwapWork, type: number): void;
}

/** Starts the workers and ties the wake-ups of `mm` to them. */
export function startWorkers(mm: Mm, timeline: Timeline): Workers {
  const kswapd = new Kswapd(mm, timeline);
  const writeEnds = new WriteEnds(mm, timeline);
  const shrinker = new ZswapShrinker(mm, timeline);
  const swapWorker = new SwapWorker(mm, timeline);
  const now = (): number => timeline.now + mm.spent;
  mm.wakeKswapd = () => {
    if (mm.kswapdFailures < MAX_RECLAIM_RETRIES) kswapd.wake(now());
  };
  mm.wakeWriteback = () => writeEnds.wake(mm.writeback.nextDone());
  mm.wakeZswapShrinker = () => shrinker.wake(now());
  return { scheduleSwapWork: (kind, type) => swapWorker.add(kind, type, now() + mm.costs.workDelay) };
}
