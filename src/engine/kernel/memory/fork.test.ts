/** Slots in use and SwapCached after a fork, as a real Linux 6.18.44 shows them: zram, 4096 pages paged out first. */
import { describe, expect, it } from 'vitest';
import { kernelOf } from '../../assembly/kernels';
import { Scheduler } from '../../simulation/scheduler';
import { SwapSystem } from '../swap/swap-system';
import { Memory } from './memory';
import type { Process } from './process';

const PAGES = 4096;

interface Family {
  readonly parent: Process;
  readonly child: Process;
  touch(who: Process, write: boolean): void;
  /** Slots in use, and pages in the swap cache. */
  counts(): [number, number];
}

function forked(): Family & { readonly memory: Memory } {
  const { swap, memory: policies, release } = kernelOf('linux-6.18');
  const machine = { ram_pages: 65536, cpus: 1, nodes: 1, swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 16384 }] } as const;
  const memory = new Memory({ machine, policies, release }, (host) => new SwapSystem(swap, 1, 1, host), new Scheduler());
  memory.swapon('/dev/zram0');
  const touch = (who: Process, write: boolean): void => {
    for (let page = 0; page < PAGES; page++) memory.touch(who, page, write);
    expect(memory.checkInvariants()).toEqual([]);
  };
  const parent = memory.spawn({ name: 'p', sizePages: PAGES, fill: 'pattern', memcg: memory.root, cpu: 0 });
  touch(parent, true);
  memory.pageout(parent, 0, PAGES);
  const child = memory.fork(parent, { name: 'c', cpu: 0 });
  const counts = (): [number, number] => [memory.swap.totalPages - memory.swap.freePages, memory.meminfo().SwapCached / 4];
  return { memory, parent, child, touch, counts };
}

describe('a fork after page-out', () => {
  it('parent and child read, the child writes, then the parent', () => {
    const { parent, child, touch, counts } = forked();
    expect(counts()).toEqual([PAGES, 0]);
    touch(parent, false);
    expect(counts()).toEqual([PAGES, PAGES]);
    touch(child, false);
    expect(counts()).toEqual([PAGES, PAGES]);
    touch(child, true);
    expect(counts()).toEqual([PAGES, PAGES]);
    touch(parent, true);
    expect(counts()).toEqual([0, 0]);
  });

  it('the child goes first: the parent alone reads its slots away', () => {
    const { memory, parent, child, touch, counts } = forked();
    memory.exit(child.pid, false);
    expect(counts()).toEqual([PAGES, 0]);
    touch(parent, false);
    expect(counts()).toEqual([0, 0]);
  });

  it('the parent writes while the child names the slots: they stay until the child drops them', () => {
    const { memory, parent, child, touch, counts } = forked();
    touch(parent, true);
    expect(counts()).toEqual([PAGES, PAGES]);
    memory.drop(child, 0, PAGES);
    expect(counts()).toEqual([0, 0]);
  });
});
