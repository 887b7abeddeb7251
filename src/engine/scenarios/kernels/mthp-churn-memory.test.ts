/** The mTHP churn through the whole memory layer, as a program does it: faults, MADV_DONTNEED, MADV_PAGEOUT on a machine with RAM to spare. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kernelOf } from '../../assembly/kernels';
import type { KernelSpec } from '../../experiment/spec';
import { Memory } from '../../kernel/memory/memory';
import type { ProcessView } from '../../kernel/memory/types';
import { SwapSystem } from '../../kernel/swap/swap-system';
import { Scheduler } from '../../simulation/scheduler';
import { GlibcRand } from '../../workload/glibc-rand';
import { MthpChurn, type ChurnRound } from '../../workload/mthp-churn';

const FILES = join(import.meta.dirname, '../../../../test-data/kernel-churn');
const MODES = { none: {}, a: { aligned: true }, as: { aligned: true, small: true }, s: { small: true } } as const;
type Mode = keyof typeof MODES;

const ORDER = 4;
const BLOCK = 1 << ORDER;
const LARGE = 60 * 256;
const SMALL = 4 * 256;
const ROUNDS = 100;
const CPUS = 2;

class MemoryChurn {
  readonly memory: Memory;
  private readonly process: ProcessView;
  private readonly random = new GlibcRand(1);
  private readonly aligned: boolean;
  private readonly small: boolean;

  constructor(kernel: KernelSpec, mode: Mode) {
    const options: { aligned?: boolean; small?: boolean } = MODES[mode];
    this.aligned = options.aligned === true;
    this.small = options.small === true;
    const { swap, memory: policies, release } = kernelOf(kernel);
    const machine = {
      ram_pages: 262144, cpus: CPUS, nodes: 1,
      swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 16384 }, { kind: 'zram', name: '/dev/zram1', size_pages: 16384 }] as const,
    };
    this.memory = new Memory({ machine, policies, release }, (host) => new SwapSystem(swap, CPUS, 1, host), new Scheduler());
    const { memory } = this;
    // A machine that has been up for a while has had other swap types before.
    memory.swapon('/dev/zram0');
    memory.swapon('/dev/zram1');
    memory.swapoff('/dev/zram1');
    memory.setThpMode(ORDER, 'always');
    this.process = memory.spawn({
      name: 'churn', sizePages: LARGE + (this.small ? SMALL : 0), smallFoliosFrom: LARGE, fill: 'pattern', memcg: memory.root, cpu: 0,
    });
    this.touch(0, this.process.sizePages);
    this.pageOut();
  }

  private touch(from: number, to: number): void {
    for (let page = from; page < to; page++) if (!this.memory.touch(this.process, page, true)) throw new Error('killed');
    this.memory.spent = 0;
  }

  private pageOut(): void {
    this.memory.pageout(this.process, 0, this.process.sizePages);
    this.memory.spent = 0;
  }

  private counters(): ChurnRound {
    return { swpout: this.memory.thpStat(ORDER, 'swpout'), fallback: this.memory.thpStat(ORDER, 'swpout_fallback') };
  }

  round(): ChurnRound {
    const before = this.counters();
    const unit = this.aligned ? BLOCK : 1;
    for (let i = 0; i < 16 * 256 / unit; i++) {
      const first = (this.random.next() % (LARGE / unit)) * unit;
      this.touch(first, first + unit);
    }
    for (let i = 0; i < 256; i++) {
      const first = (this.random.next() % (LARGE / BLOCK)) * BLOCK;
      this.memory.drop(this.process, first, first + BLOCK);
      this.touch(first, first + BLOCK);
    }
    if (this.small) {
      for (let i = 0; i < 256; i++) {
        const page = LARGE + (this.random.next() % SMALL);
        this.touch(page, page + 1);
      }
    }
    this.pageOut();
    const after = this.counters();
    return { swpout: after.swpout - before.swpout, fallback: after.fallback - before.fallback };
  }

  run(): ChurnRound[] {
    return Array.from({ length: ROUNDS }, () => this.round());
  }
}

const recorded = (kernel: string, mode: Mode): ChurnRound[] =>
  readFileSync(join(FILES, `${kernel}_${mode}.txt`), 'latin1').trim().split('\n').map((line) => {
    const [, swpout, fallback] = line.split(' ').map(Number);
    return { swpout: swpout ?? 0, fallback: fallback ?? 0 };
  });

const sums = (rounds: readonly ChurnRound[]): number[] => rounds.map((round) => round.swpout + round.fallback);

describe.each(['linux-6.12', 'linux-6.18', 'linux-7.2', 'linux-7.3'])('the churn of a program on %s, against the real kernel', (kernel) => {
  it.each(['none', 'a', 'as'] as const)('%s: all 100 rounds', (mode) => {
    const churn = new MemoryChurn(kernel, mode);
    expect(churn.run()).toEqual(recorded(kernel, mode));
    expect(churn.memory.thpStat(ORDER, 'swpin')).toBeGreaterThan(100);
    expect(churn.memory.checkInvariants()).toEqual([]);
  });

  it('s: folios a round', () => {
    const real = recorded(kernel, 's');
    const ours = sums(new MemoryChurn(kernel, 's').run());
    // A chance fallback of the recording keeps its folio split until it is made anew (mthp-churn.test.ts).
    const chance = real.findIndex((round) => round.fallback > 0);
    const until = chance < 0 ? ROUNDS : chance;
    expect(ours.slice(0, until)).toEqual(sums(real).slice(0, until));
  });
});

const SERIES = {
  base: 'linux-6.10',
  set: {
    nonfullLists: true, allocator: 'cluster-lists', freeing: 'folios-direct', fragLists: true, scanReclaim: true, fullClusterReclaim: true,
  },
} as const;

describe.each([['linux-6.10', 'linux-6.10'], ['the whole mTHP series', SERIES]] as const)('the churn of a program on %s', (_name, kernel) => {
  it.each(['none', 'a', 'as', 's'] as const)('%s: as the swap layer alone', (mode) => {
    const { swap } = kernelOf(kernel);
    const alone = new MthpChurn(swap, { aligned: false, small: false, rounds: ROUNDS, cpus: CPUS, ...MODES[mode] }).run();
    const churn = new MemoryChurn(kernel, mode);
    expect(churn.run()).toEqual(alone);
    expect(churn.memory.thpStat(ORDER, 'swpin')).toBe(0);
    expect(churn.memory.checkInvariants()).toEqual([]);
  });
});
