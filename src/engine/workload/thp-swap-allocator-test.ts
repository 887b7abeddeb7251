/**
 * thp_swap_allocator_test, step by step as tools/mm of the kernel tree has it: memory for 64 KiB folios, with -s a fifteenth more for small
 * ones (MADV_NOHUGEPAGE); all of it written and paged out. Then each round writes to 4/15 of the first at random in steps of 4 KiB (with -a of
 * 64 KiB), drops and makes anew 4/15 of it in 64 KiB folios, writes to a quarter of the second, and pages everything out (MADV_PAGEOUT).
 * The numbers are the C library's, unseeded, so that a round compares with a real machine's one to one.
 *
 * The counters are the machine's, as in the tool: what others swap out meanwhile counts as well.
 *
 * Reports after each round: `round.N.swpout`, `round.N.fallback`, `round.N.percent` of hugepages-64kB, and `round.N.line`, which it prints as
 * the tool does; over all rounds `rounds`, `swpout`, `fallback`, `percent.mean`, `percent.min`, `percent.max`, `rounds_with_fallback`.
 */
import { DEFAULT_ROUNDS, type ChurnSpec } from '../experiment/spec';
import type { Memory } from '../kernel/memory/memory';
import type { Process } from '../kernel/memory/process';
import { GlibcRand } from './glibc-rand';
import type { ProgramListener, Work } from './program';

const ORDER = 4;
const BLOCK = 1 << ORDER;
/** Pages that one operation pages out, so that a run can be stopped in between. */
const PAGEOUT_CHUNK = 1024;

/** Pages of small folios that -s adds. */
export const smallPagesOf = (largePages: number, churn: ChurnSpec | undefined): number => (churn?.small === true ? largePages / 15 : 0);

/** Over all rounds so far. */
interface Totals {
  swpout: number;
  fallback: number;
  percents: number;
  least: number;
  most: number;
  withFallback: number;
}

export class ThpSwapAllocatorTest implements Work {
  private readonly random = new GlibcRand(1);
  private readonly steps: Generator<boolean, void>;

  constructor(
    private readonly process: Process,
    private readonly memory: Memory,
    private readonly large: number,
    private readonly churn: ChurnSpec,
    private readonly listener: ProgramListener,
  ) {
    this.steps = this.run();
  }

  operation(): boolean {
    const { done, value } = this.steps.next();
    return done !== true && value;
  }

  /** One operation a yield; false: killed in it. */
  private *run(): Generator<boolean, void> {
    const { large, churn, memory } = this;
    const small = this.process.sizePages - large;
    yield* this.write(0, large);
    yield* this.pageOut(0, large);
    yield* this.write(large, small);
    yield* this.pageOut(large, small);
    const unit = churn.aligned === true ? BLOCK : 1;
    const churned = (4 * large) / 15;
    const rounds = churn.rounds ?? DEFAULT_ROUNDS;
    const total: Totals = { swpout: 0, fallback: 0, percents: 0, least: 100, most: 0, withFallback: 0 };
    for (let round = 1; round <= rounds; round++) {
      const swpout = memory.thpStat(ORDER, 'swpout');
      const fallback = memory.thpStat(ORDER, 'swpout_fallback');
      for (let i = 0; i < Math.floor(churned / unit); i++) yield* this.write((this.random.next() % (large / unit)) * unit, unit);
      for (let i = 0; i < Math.floor(churned / BLOCK); i++) {
        const from = (this.random.next() % (large / BLOCK)) * BLOCK;
        memory.drop(this.process, from, from + BLOCK);
        yield* this.write(from, BLOCK);
      }
      for (let i = 0; i < Math.floor(small / 4); i++) yield* this.write(large + (this.random.next() % small), 1);
      yield* this.pageOut(0, large);
      yield* this.pageOut(large, small);
      this.tell(round, memory.thpStat(ORDER, 'swpout') - swpout, memory.thpStat(ORDER, 'swpout_fallback') - fallback, total);
    }
  }

  private tell(round: number, swpout: number, fallback: number, total: Totals): void {
    const percent = swpout + fallback > 0 ? (100 * fallback) / (swpout + fallback) : 0;
    total.swpout += swpout;
    total.fallback += fallback;
    total.percents += percent;
    total.least = Math.min(total.least, percent);
    total.most = Math.max(total.most, percent);
    if (fallback > 0) total.withFallback++;
    const line = `Iteration ${round}: swpout inc: ${swpout}, swpout fallback inc: ${fallback}, Fallback percentage: ${percent.toFixed(2)}%`;
    const report = (name: string, value: number | string): void => this.listener.onReport(name, value);
    this.listener.onOutput(line);
    report(`round.${round}.line`, line);
    report(`round.${round}.swpout`, swpout);
    report(`round.${round}.fallback`, fallback);
    report(`round.${round}.percent`, percent);
    report('rounds', round);
    report('swpout', total.swpout);
    report('fallback', total.fallback);
    report('percent.mean', total.percents / round);
    report('percent.min', total.least);
    report('percent.max', total.most);
    report('rounds_with_fallback', total.withFallback);
  }

  /** memset over pages. */
  private *write(from: number, pages: number): Generator<boolean, void> {
    for (let page = from; page < from + pages; page++) yield this.memory.touch(this.process, page, true);
  }

  private *pageOut(from: number, pages: number): Generator<boolean, void> {
    for (let page = from; page < from + pages; page += PAGEOUT_CHUNK) {
      this.memory.pageout(this.process, page, Math.min(page + PAGEOUT_CHUNK, from + pages));
      yield this.process.alive;
    }
  }
}
