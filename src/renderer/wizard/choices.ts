/** The choices that the wizard offers, with one line on each. */
import type { SwapDeviceKind } from '../../engine/experiment/spec';
import { COMPRESSORS } from '../../engine/kernel/memory/compression';

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly about: string;
}

export const DEVICE_KINDS: readonly Choice<SwapDeviceKind>[] = [
  { value: 'zram', label: 'zram', about: 'Compressed block device in RAM. Synchronous: no readahead, takes large folios.' },
  { value: 'partition', label: 'partition', about: 'Disk partition on an SSD or a rotational disk. Takes large folios.' },
  { value: 'file', label: 'swap file', about: 'File on a file system. Takes small pages only: large folios are split.' },
  { value: 'xswap', label: 'xswap', about: 'No storage behind it: pages live in zswap; starts at the size of RAM and grows its table on demand.' },
];

/** The compressors as choices; an empty value leaves the kernel's default in place. */
export function compressorOptions(byDefault: string): { value: string; label: string }[] {
  const others = COMPRESSORS.filter((name) => name !== byDefault);
  return [{ value: '', label: `${byDefault} (default)` }, ...others.map((name) => ({ value: name, label: name }))];
}

export type ThpMode = 'always' | 'inherit' | 'madvise' | 'never';

export const THP_MODES: readonly Choice<ThpMode>[] = [
  { value: 'never', label: 'never', about: 'no folio of this size' },
  { value: 'madvise', label: 'madvise', about: 'where a program asks for it' },
  { value: 'inherit', label: 'inherit', about: 'as transparent_hugepage/enabled says' },
  { value: 'always', label: 'always', about: 'wherever it fits' },
];

/** Anonymous folio sizes on x86-64, order 2 to 9: /sys/kernel/mm/transparent_hugepage/hugepages-<size>. */
export const THP_SIZES: readonly string[] = ['16kB', '32kB', '64kB', '128kB', '256kB', '512kB', '1024kB', '2048kB'];

export interface MachinePreset {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly ram: string;
  readonly cpus: string;
  readonly nodes: string;
}

export const MACHINE_PRESETS: readonly MachinePreset[] = [
  { id: 'seed', label: 'xswap VM', about: 'the guest of the xswap series', ram: '2034976 pages', cpus: '2', nodes: '1' },
  { id: 'guest', label: '2 GiB guest', about: 'the guest of the recorded /proc and cgroup files', ram: '503683 pages', cpus: '2', nodes: '1' },
  { id: 'board', label: '128 MiB board', about: 'router or set-top box: swap is zram or nothing', ram: '128 MiB', cpus: '1', nodes: '1' },
  { id: 'laptop', label: '16 GiB laptop', about: 'zram or a swap file, as distributions set it up', ram: '16 GiB', cpus: '8', nodes: '1' },
  { id: 'server', label: '256 GiB server', about: 'zswap in front of an SSD', ram: '256 GiB', cpus: '64', nodes: '2' },
];
