/**
 * random_access: stores to every page in the order of addresses, then reads or writes pages at random. With `zipf` the page of rank r
 * comes with a weight of 1 / r^0.99, ranks shuffled over the pages. Source: the program of the requests captured from real kernels
 * (96 MiB, 100,000 accesses, 30 % writes; docs/fidelity/kernels.md).
 */
import type { AccessSpec } from '../experiment/spec';
import type { Memory } from '../kernel/memory/memory';
import type { Process } from '../kernel/memory/process';
import { power } from '../simulation/exact-math';
import type { Random } from '../simulation/random';
import type { Work } from './program';

const EXPONENT = -0.99;

/** Draws pages. It is put together page by page, so that no operation is a long one. */
interface Draw {
  /** The next page can be drawn as well. */
  add(): void;
  page(): number;
}

class Uniform implements Draw {
  private count = 0;

  constructor(private readonly random: Random) {}

  add(): void {
    this.count++;
  }

  page(): number {
    return this.random.below(this.count);
  }
}

class Zipf implements Draw {
  private count = 0;
  /** By rank, shuffled as they come. */
  private readonly pages: Uint32Array;
  /** Sums of the weights up to each rank. */
  private readonly sums: Float64Array;

  constructor(size: number, private readonly random: Random) {
    this.pages = new Uint32Array(size);
    this.sums = new Float64Array(size);
  }

  add(): void {
    const { pages, sums, count } = this;
    const at = this.random.below(count + 1);
    pages[count] = pages[at];
    pages[at] = count;
    sums[count] = (count > 0 ? sums[count - 1] : 0) + power(count + 1, EXPONENT);
    this.count++;
  }

  page(): number {
    const at = this.random.fraction() * this.sums[this.count - 1];
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.sums[middle] < at) low = middle + 1;
      else high = middle;
    }
    return this.pages[low];
  }
}

export class RandomAccess implements Work {
  private filled = 0;
  private paused = false;
  private accesses = 0;
  private readonly draw: Draw;

  constructor(
    private readonly process: Process,
    private readonly memory: Memory,
    private readonly spec: AccessSpec,
    private readonly random: Random,
  ) {
    this.draw = spec.law === 'zipf' ? new Zipf(process.sizePages, random) : new Uniform(random);
  }

  operation(): boolean {
    const { process, memory, spec, random } = this;
    if (this.filled < process.sizePages) {
      this.draw.add();
      return memory.touch(process, this.filled++, true);
    }
    if (!this.paused) {
      this.paused = true;
      memory.spent += Math.floor(0.5 + (spec.pause_s ?? 0) * 1e9);
      return true;
    }
    const page = this.draw.page();
    const alive = memory.touch(process, page, random.below(100) < spec.write_percent);
    return alive && ++this.accesses < spec.count;
  }
}
