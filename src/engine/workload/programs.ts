/**
 * Programs as actors: they store to their memory page by page from the start, hold it, and end. `memhog`, `usemem` and `hog`
 * differ in what they write (kernel/memory/compression.ts). One operation is one page touched, with every fault and reclaim it takes.
 */
import { DEFAULT_HOLD_S } from '../experiment/spec';
import type { ProgramSpec } from '../experiment/spec';
import type { Memory } from '../kernel/memory/memory';
import type { Process } from '../kernel/memory/process';
import type { ProcessView } from '../kernel/memory/types';
import type { Actor, Horizon } from '../simulation/actor';

class TouchAll implements Actor {
  readonly name: string;
  private id = -1;
  private clock: number;
  private page = 0;
  private readonly holdNs: number;

  constructor(
    private readonly process: Process,
    private readonly memory: Memory,
    spec: ProgramSpec,
    at: number,
    /** The program has touched its last page or ended, at this time. */
    private readonly onChange: (at: number) => void,
  ) {
    this.name = spec.name;
    this.clock = at;
    this.holdNs = Math.floor(0.5 + (spec.hold_s ?? DEFAULT_HOLD_S) * 1e9);
  }

  join(): void {
    this.id = this.memory.timeline.join(this);
  }

  nextTime(): number {
    return this.process.alive ? this.clock : Infinity;
  }

  step(horizon: Horizon, maxOperations: number): number {
    const { process, memory } = this;
    const { timeline } = memory;
    let done = 0;
    while (done < maxOperations && this.clock < horizon.time && process.state === 'running') {
      timeline.begin(this.clock);
      memory.spent = 0;
      const alive = memory.touch(process, this.page, true);
      const spent = Math.ceil(memory.spent);
      this.clock += spent > 0 ? spent : 1;
      done++;
      if (!alive) this.onChange(this.clock);
      else if (++this.page === process.sizePages) {
        process.state = 'holding';
        this.onChange(this.clock);
        this.clock += this.holdNs;
      }
    }
    if (done === 0 && process.state === 'holding' && this.clock < horizon.time) {
      timeline.begin(this.clock);
      memory.spent = 0;
      memory.exit(process.pid, false);
      this.clock += Math.max(1, Math.ceil(memory.spent));
      this.onChange(this.clock);
      done = 1;
    }
    memory.spent = 0;
    if (!process.alive) timeline.leave(this.id);
    return done;
  }
}

/** Starts a program at `at` (simulated ns). @throws KernelError ENOENT: no such cgroup */
export const startProgram = (spec: ProgramSpec, at: number, memory: Memory, onChange: (at: number) => void): ProcessView => {
  const process = memory.spawn({
    name: spec.name,
    sizePages: spec.size_pages,
    fill: spec.fill,
    program: spec.program,
    memcg: memory.memcg(spec.cgroup ?? '/'),
    cpu: spec.cpu ?? 0,
  });
  new TouchAll(process, memory, spec, at, onChange).join();
  return process;
};
