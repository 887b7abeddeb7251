/** The commands on a machine: each reads the files that the real program reads. */
import type { FsKernel } from '../kernel';
import type { FileTree } from '../tree';
import { mmStat } from '../block-files';
import { free } from './free';
import type { FreeUnit } from './free';
import { swaponShow, swaponSummary } from './swapon';
import type { SwaponOptions } from './swapon';
import { zramctl } from './zramctl';
import type { ZramctlOptions } from './zramctl';

/** `swapon`, `swapon --show`. */
export const swaponOf = (tree: FileTree, options?: SwaponOptions): string => swaponShow(tree.read('/proc/swaps'), options);

/** `swapon -s`. */
export const swaponSummaryOf = (tree: FileTree): string => swaponSummary(tree.read('/proc/swaps'));

/** `free -k`, `-m`, `-g`, `-b`, `-h`. */
export const freeOf = (tree: FileTree, unit?: FreeUnit): string => free(tree.read('/proc/meminfo'), unit);

/** `zramctl`. */
export function zramctlOf(kernel: FsKernel, options?: ZramctlOptions): string {
  return zramctl(kernel.memory.zrams.map((zram) => ({
    name: zram.name, disksizeBytes: zram.disksizeBytes, algorithm: zram.compressor, mmStat: mmStat(zram), swap: zram.claimed,
  })), options);
}
