/**
 * /proc/meminfo. Source: fs/proc/meminfo.c and arch/x86/mm/pat/set_memory.c of 6.18 and 7.3; keys and order by era (era.ts).
 * The memory layer models the anonymous half; page cache, slab and the rest of a running system are not there and read 0.
 */
import type { FileEra } from './era';
import type { Meminfo } from '../memory/types';
import type { FsKernel } from './kernel';
import { PAGE_KB } from './kernel';

const GIB_KB = 1048576;

/** VMALLOC_TOTAL of x86-64 with four levels of page tables, in kB. */
const VMALLOC_TOTAL_KB = 34359738367;

/**
 * What the kernel holds that no other line shows: since boot, and slab. Linux shows only a part of it anywhere; here it all
 * stands in SUnreclaim, so that the lines add up. The pages of zram show in no line but nr_zspages of /proc/vmstat, as in Linux.
 */
function kernelHeldKB(kernel: FsKernel, memory: Meminfo): number {
  const zram = (kernel.memory.vmstat('nr_zspages') ?? 0) * PAGE_KB - memory.Zswap;
  return Math.max(0, memory.KernelOther - memory.PageTables - zram);
}

/** All values in kB by key, for the keys that are not 0. */
export function meminfoValues(kernel: FsKernel): Map<string, number> {
  const memory = kernel.memory.meminfo();
  const active = memory.ActiveAnon;
  const inactive = memory.InactiveAnon;
  const slab = kernelHeldKB(kernel, memory);
  return new Map<string, number>([
    ['MemTotal', memory.MemTotal],
    ['MemFree', memory.MemFree],
    ['MemAvailable', memory.MemAvailable],
    ['SwapCached', memory.SwapCached],
    ['Active', active],
    ['Inactive', inactive],
    ['Active(anon)', active],
    ['Inactive(anon)', inactive],
    ['SwapTotal', memory.SwapTotal],
    ['SwapFree', memory.SwapFree],
    ['Zswap', memory.Zswap],
    ['Zswapped', memory.Zswapped],
    ['Writeback', memory.Writeback],
    ['AnonPages', memory.AnonPages],
    ['Slab', slab],
    ['SUnreclaim', slab],
    ['PageTables', memory.PageTables],
    ['CommitLimit', memory.CommitLimit],
    ['Committed_AS', memory.CommittedAS],
    ['VmallocTotal', VMALLOC_TOTAL_KB],
    ['AnonHugePages', memory.AnonHugePages],
    ['Hugepagesize', 2048],
    ...directMap(memory.MemTotal),
  ]);
}

/** The kernel maps RAM with the largest pages that fit: whole GiB, whole 2 MiB, the rest in 4 kB. */
function directMap(total: number): [string, number][] {
  const gib = Math.floor(total / GIB_KB) * GIB_KB;
  const large = Math.floor((total - gib) / 2048) * 2048;
  return [['DirectMap4k', total - gib - large], ['DirectMap2M', large], ['DirectMap1G', gib]];
}

/** One line: the name and a colon padded to 16, the number right-aligned to eight more; two kinds of line are narrower. */
export function meminfoLine(key: string, value: number): string {
  const name = `${key}:`;
  if (key.startsWith('HugePages_')) return `${name.padEnd(16)}${String(value).padStart(8)}\n`;
  // HardwareCorrupted's name takes 18 places; its number gets the six that are left of the column.
  return `${name.padEnd(16)}${String(value).padStart(name.length > 16 ? 24 - name.length : 8)} kB\n`;
}

export function formatMeminfo(keys: readonly string[], values: ReadonlyMap<string, number>): string {
  return keys.map((key) => meminfoLine(key, values.get(key) ?? 0)).join('');
}

export function meminfoFile(kernel: FsKernel, era: FileEra): string {
  return formatMeminfo(era.meminfo, meminfoValues(kernel));
}
