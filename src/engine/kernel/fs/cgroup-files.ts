/**
 * /sys/fs/cgroup: cgroup v2 with the memory controller. Source: kernel/cgroup/cgroup.c, mm/memcontrol.c of 6.18 and 7.3.
 * Simplified: the memory controller is on in every cgroup, as if each subtree_control had +memory.
 */
import { KernelError } from '../../errno';
import type { MemcgStatName } from '../memory/counters';
import type { MemcgView, MemorySystem } from '../memory/types';
import { eraOf } from './era';
import type { FileEra } from './era';
import type { FsKernel } from './kernel';
import { PAGE_BYTES } from './kernel';
import { file } from './node';
import type { DirNode, FileNode, Node } from './node';
import { exactInteger, cString, kstrtoint, memparse, parsePageCounter, quoted, showPageCounter, strip } from './parse';

const read = (text: () => string): FileNode => file('cgroup', text);

/** A limit in bytes or `max`. */
function limitFile(era: FileEra, get: () => number, set: (pages: number) => void): FileNode {
  return file('cgroup', () => `${showPageCounter(get())}\n`, (text) => set(parsePageCounter(text, era.memparseSaturates)));
}

/** A number that must be 0 or 1. */
function flagFile(get: () => boolean, set: (on: boolean) => void): FileNode {
  return file('cgroup', () => (get() ? '1\n' : '0\n'), (text) => {
    const value = kstrtoint(strip(cString(text)));
    if (value !== 0 && value !== 1) throw new KernelError('EINVAL', 'only 0 and 1 can be written');
    set(value === 1);
  });
}

const pagesFile = (get: () => number): FileNode => read(() => `${exactInteger(get() * PAGE_BYTES)}\n`);

const keyed = (values: object, keys: readonly string[]): string => {
  const map = new Map<string, number>(Object.entries(values) as [string, number][]);
  return keys.map((key) => `${key} ${map.get(key) ?? 0}\n`).join('');
};

const EVENTS = ['low', 'high', 'max', 'oom', 'oom_kill', 'oom_group_kill'] as const;
const SWAP_EVENTS = ['high', 'max', 'fail'] as const;

/** Counters of memory.numa_stat that have no line of their own in memory.stat. */
const NUMA_ONLY = new Set(['hugetlb']);

function statFile(memory: MemorySystem, memcg: MemcgView, era: FileEra): string {
  return era.memcgStat.map((name) => `${name} ${exactInteger(memory.memcgStat(memcg, name as MemcgStatName))}\n`).join('');
}

/** The memory layer does not say on which node a page lies: the first one holds all, the others nothing. */
function numaStatFile(memory: MemorySystem, memcg: MemcgView, era: FileEra): string {
  const others = Array.from({ length: memory.config.machine.nodes - 1 }, (_, index) => ` N${index + 1}=0`).join('');
  return era.memcgNumaStat.map((name) => {
    const value = NUMA_ONLY.has(name) ? 0 : memory.memcgStat(memcg, name as MemcgStatName);
    return `${name} N0=${exactInteger(value)}${others}\n`;
  }).join('');
}

function moveProcess(memory: MemorySystem, memcg: MemcgView, text: string): void {
  let pid: number;
  try {
    pid = kstrtoint(strip(cString(text)));
  } catch (error) {
    if (error instanceof KernelError) throw new KernelError('EINVAL', `${quoted(text)} is no process id`);
    throw error;
  }
  if (pid < 0) throw new KernelError('EINVAL', 'a process id is not negative');
  if (pid === 0) throw new KernelError('ESRCH', 'the shell that writes is no process here: start the program in the cgroup instead');
  memory.attach(pid, memcg);
}

/** Names of controllers that Linux knows; the memory controller alone is in this machine. */
const CONTROLLERS = new Set(['cpuset', 'cpu', 'io', 'memory', 'hugetlb', 'pids', 'rdma', 'misc', 'dmem', 'perf_event']);

function setSubtreeControl(text: string): void {
  for (const word of strip(text).split(' ').filter((each) => each !== '')) {
    const name = word.slice(1);
    if ((word[0] !== '+' && word[0] !== '-') || !CONTROLLERS.has(name)) {
      throw new KernelError('EINVAL', `${quoted(word)} is none of +memory, -memory: a sign and the name of a controller`);
    }
    if (word[0] === '+' && name !== 'memory') throw new KernelError('ENOENT', `the ${name} controller is not in this machine`);
    if (word[0] === '-' && name === 'memory') throw new KernelError('EBUSY', 'Swaplab keeps the memory controller on in every cgroup');
  }
}

/** memory.reclaim: bytes, then `swappiness=…`, which is not modelled. Fewer pages than asked: EAGAIN. */
function reclaim(memory: MemorySystem, memcg: MemcgView, era: FileEra, text: string): void {
  const line = strip(cString(text));
  const { value, rest } = memparse(line, era.memparseSaturates);
  if (rest !== '') throw new KernelError('EINVAL', `${quoted(line)}: bytes to reclaim, with a suffix K, M, G if need be`);
  try {
    memory.reclaim(memcg, Math.min(Number(value >> 12n), memcg.currentPages + 1));
  } catch (error) {
    if (!(error instanceof KernelError) || error.code !== 'EBUSY') throw error;
    throw new KernelError('EAGAIN', 'fewer pages than asked for could be reclaimed');
  }
}

function populated(memcg: MemcgView): boolean {
  return memcg.pids.length > 0 || memcg.children.some(populated);
}

function descendants(memcg: MemcgView): number {
  return memcg.children.reduce((sum, child) => sum + 1 + descendants(child), 0);
}

const cgroupStat = (below: number): string =>
  `nr_descendants ${below}\nnr_subsys_memory ${below + 1}\nnr_dying_descendants 0\nnr_dying_subsys_memory 0\n`;

/** Files that the root has as well. */
function commonFiles(memory: MemorySystem, memcg: MemcgView, era: FileEra): Record<string, Node> {
  return {
    'cgroup.controllers': read(() => 'memory\n'),
    'cgroup.procs': file(
      'cgroup',
      () => [...memcg.pids].sort((a, b) => a - b).map((pid) => `${pid}\n`).join(''),
      (text) => moveProcess(memory, memcg, text),
    ),
    'cgroup.stat': read(() => cgroupStat(descendants(memcg))),
    'cgroup.subtree_control': file('cgroup', () => 'memory\n', setSubtreeControl),
    'memory.numa_stat': read(() => numaStatFile(memory, memcg, era)),
    'memory.reclaim': file('cgroup', undefined, (text) => reclaim(memory, memcg, era, text)),
    'memory.stat': read(() => statFile(memory, memcg, era)),
    'memory.zswap.writeback': flagFile(() => memcg.zswapWriteback, (on) => memory.setZswapWriteback(memcg, on)),
  };
}

/** Files of every cgroup but the root. */
function memberFiles(memory: MemorySystem, memcg: MemcgView, era: FileEra): Record<string, Node> {
  const events = era.sockThrottled ? [...EVENTS, 'sock_throttled'] : EVENTS;
  // A write to a peak file starts a new peak for that open file alone; who opens the file anew reads the old one.
  const peak = (get: () => number): FileNode => file('cgroup', () => `${exactInteger(get() * PAGE_BYTES)}\n`, () => undefined);
  return {
    'cgroup.events': read(() => `populated ${populated(memcg) ? 1 : 0}\nfrozen 0\n`),
    'cgroup.type': read(() => 'domain\n'),
    'memory.current': pagesFile(() => memcg.currentPages),
    'memory.events': read(() => keyed(memcg.events, events)),
    'memory.events.local': read(() => keyed(memcg.eventsLocal, events)),
    'memory.high': limitFile(era, () => memcg.highPages, (pages) => memory.setMemoryHigh(memcg, pages)),
    'memory.low': limitFile(era, () => memcg.lowPages, (pages) => memory.setMemoryLow(memcg, pages)),
    'memory.max': limitFile(era, () => memcg.maxPages, (pages) => memory.setMemoryMax(memcg, pages)),
    'memory.min': limitFile(era, () => memcg.minPages, (pages) => memory.setMemoryMin(memcg, pages)),
    'memory.oom.group': flagFile(() => memcg.oomGroup, (on) => memory.setOomGroup(memcg, on)),
    'memory.peak': peak(() => memcg.peakPages),
    'memory.swap.current': pagesFile(() => memcg.swapCurrentPages),
    'memory.swap.events': read(() => keyed(memcg.swapEvents, SWAP_EVENTS)),
    'memory.swap.high': limitFile(era, () => memcg.swapHighPages, (pages) => memory.setSwapHigh(memcg, pages)),
    'memory.swap.max': limitFile(era, () => memcg.swapMaxPages, (pages) => memory.setSwapMax(memcg, pages)),
    'memory.swap.peak': peak(() => memcg.swapPeakPages),
    'memory.zswap.current': read(() => `${exactInteger(memcg.zswapCurrentBytes)}\n`),
    'memory.zswap.max': limitFile(era, () => memcg.zswapMaxPages, (pages) => memory.setZswapMax(memcg, pages)),
  };
}

function join(memcg: MemcgView, name: string): string {
  return memcg.path === '/' ? `/${name}` : `${memcg.path}/${name}`;
}

function cgroupDir(memory: MemorySystem, memcg: MemcgView, era: FileEra): DirNode {
  const files = new Map<string, Node>(Object.entries(commonFiles(memory, memcg, era)));
  if (memcg.parent !== null) for (const [name, node] of Object.entries(memberFiles(memory, memcg, era))) files.set(name, node);
  return {
    kind: 'dir',
    system: 'cgroup',
    names: () => [...files.keys(), ...memcg.children.map((child) => child.name)],
    get: (name) => {
      const node = files.get(name);
      if (node !== undefined) return node;
      const child = memcg.children.find((each) => each.name === name);
      return child === undefined ? undefined : cgroupDir(memory, child, era);
    },
    mkdir: (name) => {
      if (name.includes('\n')) throw new KernelError('EINVAL', 'a cgroup name has no newline');
      memory.createMemcg(join(memcg, name));
    },
    rmdir: (name) => memory.removeMemcg(join(memcg, name)),
  };
}

export function cgroupRoot(kernel: FsKernel): DirNode {
  const { memory } = kernel;
  return cgroupDir(memory, memory.root, eraOf(memory.config.release));
}
