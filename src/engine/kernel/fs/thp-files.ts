/** /sys/kernel/mm/transparent_hugepage. Source: mm/huge_memory.c of 6.18 and 7.3; file sets from the captures. */
import { THP_STAT } from '../memory/counters';
import type { ThpStatName } from '../memory/counters';
import type { MemorySystem, ThpMode } from '../memory/types';
import { eraOf } from './era';
import type { FsKernel } from './kernel';
import { dir, file } from './node';
import type { DirNode, Node } from './node';
import { parseChoice, showChoice } from './parse';

const GLOBAL_MODES = ['always', 'madvise', 'never'] as const;
const SIZE_MODES = ['always', 'inherit', 'madvise', 'never'] as const satisfies readonly ThpMode[];

/** Orders with a directory of their own; anonymous memory uses those from 2 (16 kB) on. */
export const THP_ORDERS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const ANON_ORDER_LEAST = 2;

/** `64kB` of order 4. */
export const thpSizeName = (order: number): string => `${4 << order}kB`;

/** A size that only shared memory can have (8 kB) lacks the counters of anonymous folios. */
function hasStat(name: ThpStatName, order: number, collapse: boolean): boolean {
  if (name.startsWith('collapse')) {
    return collapse && (order >= ANON_ORDER_LEAST || name === 'collapse_alloc' || name === 'collapse_alloc_failed');
  }
  if (order >= ANON_ORDER_LEAST) return true;
  return !name.startsWith('anon_') && !name.startsWith('nr_anon') && name !== 'split_deferred';
}

export function thpStats(order: number, collapse: boolean): readonly ThpStatName[] {
  return THP_STAT.filter((name) => hasStat(name, order, collapse));
}

function sizeDir(memory: MemorySystem, order: number, collapse: boolean): DirNode {
  const stats: Record<string, Node> = {};
  for (const name of thpStats(order, collapse)) stats[name] = file('sysfs', () => `${memory.thpStat(order, name)}\n`);
  const entries: Record<string, Node> = { stats: dir('sysfs', stats) };
  if (order >= ANON_ORDER_LEAST) {
    entries['enabled'] = file(
      'sysfs',
      () => showChoice(SIZE_MODES, memory.thpMode(order)),
      (text) => memory.setThpMode(order, parseChoice(text, SIZE_MODES)),
    );
  }
  return dir('sysfs', entries);
}

export function thpDir(kernel: FsKernel): DirNode {
  const { memory } = kernel;
  const { collapseStats } = eraOf(memory.config.release);
  const entries: Record<string, Node> = {
    enabled: file('sysfs', () => showChoice(GLOBAL_MODES, memory.thpGlobal), (text) => {
      memory.thpGlobal = parseChoice(text, GLOBAL_MODES);
    }),
    hpage_pmd_size: file('sysfs', () => '2097152\n'),
  };
  for (const order of THP_ORDERS) entries[`hugepages-${thpSizeName(order)}`] = sizeDir(memory, order, collapseStats);
  return dir('sysfs', entries);
}
