/** What the files stand on: the swap layer, the memory layer, and a few facts of the machine. */
import type { MemorySystem } from '../memory/types';
import type { SwapDeviceView } from '../swap/types';

/** The part of SwapSystem that files read and write. */
export interface SwapFiles {
  readonly policies: {
    /** Has the kernel /sys/kernel/mm/xswap (CONFIG_XSWAP)? */
    readonly xswap: boolean;
  };
  /** SwapTotal and SwapFree, in pages. */
  readonly totalPages: number;
  readonly freePages: number;
  /** Devices that are on, those in swapoff included. */
  devices(): readonly SwapDeviceView[];
  /** The ceiling of an xswap device in pages, as its limit file reads. */
  xswapLimit(type: number): number;
  /** Writes the ceiling; the swap layer rounds and clamps. */
  setXswapLimit(type: number, pages: number): void;
}

export interface FsKernel {
  readonly swap: SwapFiles;
  readonly memory: MemorySystem;
}

/** Bytes of a page, and kB of one. */
export const PAGE_BYTES = 4096;
export const PAGE_KB = 4;
export const SECTOR_BYTES = 512;

/** `zram0` of `/dev/zram0`, `swapfile` of `/swapfile`: how metrics name a device. */
export function metricDeviceName(name: string): string {
  return name.startsWith('/dev/') ? name.slice(5) : name.startsWith('/') ? name.slice(1) : name;
}

/** What /proc/swaps calls the kind of a device. */
export function swapTypeName(device: SwapDeviceView): string {
  return device.kind === 'zram' || device.kind === 'partition' ? 'partition' : device.kind;
}
