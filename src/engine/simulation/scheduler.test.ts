import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Actor, Horizon } from './actor';
import { Scheduler } from './scheduler';

/** Does operations of given lengths, noting each; may wake another actor along the way. */
class Worker implements Actor {
  id = -1;
  done = 0;
  constructor(
    readonly name: string,
    private readonly scheduler: Scheduler,
    private readonly log: string[],
    public clock: number,
    private readonly lengths: readonly number[],
    private readonly onOperation: (worker: Worker) => void = () => undefined,
  ) {}
  nextTime(): number {
    return this.done < this.lengths.length ? this.clock : Infinity;
  }
  step(horizon: Horizon, maxOperations: number): number {
    let count = 0;
    while (this.done < this.lengths.length && this.clock < horizon.time && count < maxOperations) {
      this.scheduler.begin(this.clock);
      this.log.push(`${this.clock} ${this.name}`);
      const length = this.lengths[this.done++];
      this.onOperation(this);
      this.clock += length;
      count++;
    }
    return count;
  }
}

const drain = (scheduler: Scheduler, slices: readonly number[], until = Infinity): void => {
  let turn = 0;
  while (scheduler.nextTime() < until) {
    const slice = slices[turn++ % slices.length];
    expect(scheduler.run(Math.min(until, scheduler.nextTime() + slice), 1 + (slice % 3))).toBeGreaterThan(0);
  }
};

describe('Scheduler', () => {
  it('lets the actor furthest behind act, ties by id, however the run is sliced', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 12 });
    const machine = fc.array(fc.record({ start: fc.nat(5), lengths }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(machine, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (actors, slices) => {
        const log: string[] = [];
        const scheduler = new Scheduler();
        for (const [i, { start, lengths }] of actors.entries()) scheduler.join(new Worker(String(i), scheduler, log, start, lengths));
        drain(scheduler, slices);
        const expected: [number, number][] = [];
        for (const [i, { start, lengths }] of actors.entries()) {
          let clock = start;
          for (const length of lengths) {
            expected.push([clock, i]);
            clock += length;
          }
        }
        expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(log).toEqual(expected.map(([at, i]) => `${at} ${i}`));
      }),
      { numRuns: 300 },
    );
  });

  it('stops a running actor for one that it wakes, before or after it at the same time as the ids say', () => {
    for (const slices of [[1000], [1]]) {
      const log: string[] = [];
      const scheduler = new Scheduler();
      const sleeper = (name: string): Worker => new Worker(name, scheduler, log, Infinity, [1]);
      const early = sleeper('early');
      const late = sleeper('late');
      early.id = scheduler.join(early);
      const waker = new Worker('waker', scheduler, log, 0, [10, 10, 10, 10], (self) => {
        if (self.done !== 1) return;
        for (const worker of [early, late]) {
          worker.clock = 20;
          scheduler.changed(worker.id);
        }
      });
      scheduler.join(waker);
      late.id = scheduler.join(late);
      drain(scheduler, slices);
      expect(log).toEqual(['0 waker', '10 waker', '20 early', '20 waker', '20 late', '30 waker']);
    }
  });

  it('lets actors join and leave while another one runs', () => {
    const log: string[] = [];
    const scheduler = new Scheduler();
    const victim = new Worker('victim', scheduler, log, 5, [5, 5, 5]);
    const starter = new Worker('starter', scheduler, log, 0, [6, 6, 6], (self) => {
      if (self.done === 1) scheduler.join(new Worker('child', scheduler, log, scheduler.now + 3, [1]));
      if (self.done === 2) scheduler.leave(victim.id);
      if (self.done === 3) scheduler.leave(self.id);
    });
    starter.id = scheduler.join(starter);
    victim.id = scheduler.join(victim);
    drain(scheduler, [1000]);
    expect(log).toEqual(['0 starter', '3 child', '5 victim', '6 starter', '12 starter']);
    expect(scheduler.nextTime()).toBe(Infinity);
  });
});
