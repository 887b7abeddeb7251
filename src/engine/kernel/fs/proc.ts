/** /proc: swaps, meminfo, vmstat, a few constants, sys/vm, and a directory for each process. */
import type { ProcessView } from '../memory/types';
import { KernelError } from '../../errno';
import { eraOf } from './era';
import type { FsKernel } from './kernel';
import { PAGE_KB, swapTypeName } from './kernel';
import { meminfoFile } from './meminfo';
import { dir, file, liveDir } from './node';
import type { DirNode, FileNode, Node } from './node';
import { parseSysctlInt } from './parse';
import { formatProcSwaps } from './proc-swaps';
import type { SwapsRow } from './proc-swaps';
import { vmstatFile } from './vmstat';

/** Rows of /proc/swaps: in order of swap type, devices in swapoff included. */
export function swapsRows(kernel: FsKernel): SwapsRow[] {
  return [...kernel.swap.devices()]
    .sort((a, b) => a.type - b.type)
    .map((device) => ({
      name: device.name,
      type: swapTypeName(device),
      sizeKB: device.pages * PAGE_KB,
      usedKB: device.inUse * PAGE_KB,
      priority: device.priority,
    }));
}

export const procSwaps = (kernel: FsKernel): string => formatProcSwaps(swapsRows(kernel));

/** A sysctl of one integer within bounds. */
function sysctlInt(low: number, high: number, get: () => number, set: (value: number) => void): FileNode {
  return file('sysctl', () => `${get()}\n`, (text) => set(parseSysctlInt(text, low, high)));
}

/** A sysctl that the simulated kernel does not act on: it reads its default and refuses to change. */
function fixedSysctl(value: number): FileNode {
  return file('sysctl', () => `${value}\n`, (text) => {
    if (parseSysctlInt(text, -0x80000000, 0x7fffffff) !== value) {
      throw new KernelError('EPERM', `Swaplab's kernel knows only the default, ${value}; on a real machine this can be changed`);
    }
  });
}

const STATE: Readonly<Record<ProcessView['state'], string>> = {
  running: 'R (running)', holding: 'S (sleeping)', ended: 'Z (zombie)', killed: 'Z (zombie)',
};

/** The lines of /proc/<pid>/status that the memory layer can tell (fs/proc/task_mmu.c, task_mem()). */
export function statusFile(process: ProcessView): string {
  const kB = (name: string, pages: number): string => `${name}:\t${String(pages * PAGE_KB).padStart(8)} kB\n`;
  return `Name:\t${process.name}\nState:\t${STATE[process.state]}\nPid:\t${process.pid}\n`
    + kB('VmSize', process.sizePages) + kB('VmRSS', process.rssAnonPages) + kB('RssAnon', process.rssAnonPages)
    + kB('RssFile', 0) + kB('RssShmem', 0)
    + `VmPTE:\t${String(Math.floor(process.pageTableBytes / 1024)).padStart(8)} kB\n`
    + kB('VmSwap', process.swapEntries);
}

function processDir(process: ProcessView): DirNode {
  return dir('proc', {
    cgroup: file('proc', () => `0::${process.cgroup.path}\n`),
    comm: file('proc', () => `${process.name}\n`),
    status: file('proc', () => statusFile(process)),
  });
}

export function procDir(kernel: FsKernel): DirNode {
  const { memory } = kernel;
  const { release } = memory.config;
  const era = eraOf(release);
  const fixed: Record<string, Node> = {
    cmdline: file('proc', () => `BOOT_IMAGE=/boot/vmlinuz-${release} root=/dev/vda1 ro\n`),
    meminfo: file('proc', () => meminfoFile(kernel, era)),
    swaps: file('proc', () => procSwaps(kernel)),
    version: file('proc', () => `Linux version ${release} (swaplab@localhost) #1 SMP PREEMPT_DYNAMIC\n`),
    vmstat: file('proc', () => vmstatFile(kernel, era)),
    sys: dir('sysctl', {
      kernel: dir('sysctl', {
        osrelease: file('sysctl', () => `${release}\n`),
        ostype: file('sysctl', () => 'Linux\n'),
      }),
      vm: dir('sysctl', {
        overcommit_memory: fixedSysctl(0),
        overcommit_ratio: fixedSysctl(50),
        'page-cluster': sysctlInt(0, 31, () => memory.pageCluster, (value) => { memory.pageCluster = value; }),
        swappiness: sysctlInt(0, 200, () => memory.swappiness, (value) => { memory.swappiness = value; }),
      }),
    }),
  };
  const alive = (): readonly ProcessView[] => memory.processes.filter(({ state }) => state === 'running' || state === 'holding');
  return liveDir('proc', fixed, () => alive().map(({ pid }) => String(pid)), (name) => {
    const found = alive().find(({ pid }) => String(pid) === name);
    return found === undefined ? undefined : processDir(found);
  });
}
