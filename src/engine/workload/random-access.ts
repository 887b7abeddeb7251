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

/** Draws pages of 0 … count - 1. */
type Draw = () => number;

const zipf = (count: number, random: Random): Draw => {
  const pages = Uint32Array.from({ length: count }, (_, page) => page);
  for (let i = count - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const page = pages[i];
    pages[i] = pages[j];
    pages[j] = page;
  }
  /** Sums of the weights up to each rank. */
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 1; rank <= count; rank++) sums[rank - 1] = sum += power(rank, EXPONENT);
  return () => {
    const at = random.fraction() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle] < at) low = middle + 1;
      else high = middle;
    }
    return pages[low];
  };
};

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
    this.draw = spec.law === 'zipf' ? zipf(process.sizePages, random) : () => random.below(process.sizePages);
  }

  operation(): boolean {
    const { process, memory, spec, random } = this;
    if (this.filled < process.sizePages) return memory.touch(process, this.filled++, true);
    if (!this.paused) {
      this.paused = true;
      memory.spent += Math.floor((spec.pause_s ?? 0) * 1e9);
      return true;
    }
    const page = this.draw();
    const alive = memory.touch(process, page, random.below(100) < spec.write_percent);
    return alive && ++this.accesses < spec.count;
  }
}
