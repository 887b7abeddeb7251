/**
 * The order of everything: an indexed binary heap of actors by (start of next operation, id). The top one runs on by itself
 * until the runner-up's turn; waking another actor in the meantime pulls that horizon in.
 */
import type { Actor, Horizon, Timeline } from './actor';

export class Scheduler implements Timeline {
  now = 0;
  private readonly actors: (Actor | null)[] = [];
  /** By id: start of the next operation. */
  private readonly times: number[] = [];
  /** By id: place in the heap, -1: gone. */
  private readonly places: number[] = [];
  private readonly heap: number[] = [];
  private readonly horizon: Horizon = { time: 0 };
  private running = -1;

  begin(now: number): void {
    this.now = now;
  }

  join(actor: Actor): number {
    const id = this.actors.length;
    this.actors.push(actor);
    this.times.push(actor.nextTime());
    this.places.push(this.heap.length);
    this.heap.push(id);
    this.up(this.heap.length - 1);
    this.pull(id);
    return id;
  }

  changed(id: number): void {
    const actor = this.actors[id];
    // The running actor's own time is taken up when its step ends.
    if (!actor || id === this.running) return;
    this.place(id, actor.nextTime());
    this.pull(id);
  }

  leave(id: number): void {
    if (id === this.running) {
      this.actors[id] = null;
      this.horizon.time = -Infinity;
      return;
    }
    this.remove(id);
  }

  /** Start of the next operation; Infinity when nobody has anything to do. */
  nextTime(): number {
    return this.heap.length ? this.times[this.heap[0]] : Infinity;
  }

  /** The actor whose turn it is. */
  nextActor(): Actor | null {
    return this.heap.length ? this.actors[this.heap[0]] : null;
  }

  /**
   * Lets the actor whose turn it is act: operations that start before `limit` and before the runner-up's turn, at most
   * `maxOperations`. Returns how many there were. The caller has made sure that nextTime() < limit.
   */
  run(limit: number, maxOperations: number): number {
    const id = this.heap[0];
    const actor = this.actors[id] as Actor;
    this.running = id;
    this.now = this.times[id];
    this.horizon.time = limit;
    if (this.heap.length > 1) this.pull(this.heap[1]);
    if (this.heap.length > 2) this.pull(this.heap[2]);
    let done = 0;
    try {
      done = actor.step(this.horizon, maxOperations);
    } finally {
      this.running = -1;
      if (this.actors[id]) this.place(id, actor.nextTime());
      else this.remove(id);
    }
    return done;
  }

  /** The horizon must not pass actor `id`'s turn. Times are whole numbers, so one of a higher id at time t lets t itself pass. */
  private pull(id: number): void {
    if (this.running < 0 || id === this.running) return;
    const turn = this.times[id] + (id > this.running ? 1 : 0);
    if (turn < this.horizon.time) this.horizon.time = turn;
  }

  private before(a: number, b: number): boolean {
    return this.times[a] < this.times[b] || (this.times[a] === this.times[b] && a < b);
  }

  private place(id: number, time: number): void {
    this.times[id] = time;
    this.up(this.places[id]);
    this.down(this.places[id]);
  }

  private remove(id: number): void {
    const at = this.places[id];
    this.actors[id] = null;
    if (at < 0) return;
    this.places[id] = -1;
    const last = this.heap.pop() as number;
    if (last === id) return;
    this.heap[at] = last;
    this.places[last] = at;
    this.up(at);
    this.down(this.places[last]);
  }

  private up(from: number): void {
    const { heap, places } = this;
    const id = heap[from];
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(id, heap[parent])) break;
      heap[at] = heap[parent];
      places[heap[at]] = at;
      at = parent;
    }
    heap[at] = id;
    places[id] = at;
  }

  private down(from: number): void {
    const { heap, places } = this;
    const id = heap[from];
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.before(heap[child + 1], heap[child])) child++;
      if (!this.before(heap[child], id)) break;
      heap[at] = heap[child];
      places[heap[at]] = at;
      at = child;
    }
    heap[at] = id;
    places[id] = at;
  }
}
