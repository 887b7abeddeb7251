/** `zramctl` as util-linux 2.38 prints it: devices that are set up, the newest node of /dev first. */
import { formatTable } from './columns';
import type { TableOptions } from './columns';
import { humanSize } from './size';

/** What zramctl reads of one device. */
export interface ZramctlDevice {
  /** `zram0`. */
  readonly name: string;
  readonly disksizeBytes: number;
  readonly algorithm: string;
  /** Text of its mm_stat file. */
  readonly mmStat: string;
  /** In use as swap. */
  readonly swap: boolean;
}

export interface ZramctlOptions extends TableOptions {
  readonly bytes?: boolean;
  readonly outputAll?: boolean;
}

const COLUMNS = ['NAME', 'ALGORITHM', 'DISKSIZE', 'DATA', 'COMPR', 'TOTAL', 'STREAMS', 'MOUNTPOINT'] as const;
const ALL_COLUMNS = [
  'NAME', 'DISKSIZE', 'DATA', 'COMPR', 'ALGORITHM', 'STREAMS', 'ZERO-PAGES', 'TOTAL', 'MEM-LIMIT', 'MEM-USED', 'MIGRATED', 'MOUNTPOINT',
] as const;
const LEFT = new Set<string>(['NAME', 'ALGORITHM', 'MOUNTPOINT']);

export function zramctl(devices: readonly ZramctlDevice[], options: ZramctlOptions = {}): string {
  const names: readonly string[] = options.outputAll ? ALL_COLUMNS : COLUMNS;
  const size = (bytes: number): string => (options.bytes ? String(bytes) : humanSize(bytes));
  const rows: string[][] = [];
  const number = ({ name }: ZramctlDevice): number => Number(name.slice(4));
  for (const device of [...devices].sort((a, b) => number(b) - number(a))) {
    if (device.disksizeBytes === 0) continue;
    const stat = device.mmStat.trim().split(/\s+/).map(Number);
    const field = (index: number): number => stat[index] ?? 0;
    const cells: Record<string, string> = {
      NAME: `/dev/${device.name}`, DISKSIZE: size(device.disksizeBytes), DATA: size(field(0)), COMPR: size(field(1)), ALGORITHM: device.algorithm,
      // The kernel has had no max_comp_streams that means anything since 4.7, and no file of that name in 6.18.
      STREAMS: '', 'ZERO-PAGES': String(field(5)), TOTAL: size(field(2)), 'MEM-LIMIT': size(field(3)), 'MEM-USED': size(field(4)),
      MIGRATED: size(field(6)), MOUNTPOINT: device.swap ? '[SWAP]' : '',
    };
    rows.push(names.map((column) => cells[column] ?? ''));
  }
  return formatTable(names.map((name) => ({ name, right: !LEFT.has(name) })), rows, options);
}
