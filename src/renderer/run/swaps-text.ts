import type { DeviceRow } from '../../contract/engine-api';
import { formatProcSwaps } from '../../engine/kernel/fs/proc-swaps';
import { swaponShow } from '../../engine/kernel/fs/commands/swapon';

/** TYPE as /proc/swaps prints it: block devices are partitions, whatever they are. */
const typeText = (kind: string): string => (kind === 'xswap' || kind === 'file' ? kind : 'partition');

/** What `swapon --show` prints for these devices; empty when no swap is on, as the program prints nothing. */
export function swaponText(devices: readonly DeviceRow[]): string {
  return swaponShow(formatProcSwaps(devices.map((device) => ({
    name: device.name, type: typeText(device.kind), sizeKB: device.sizePages * 4, usedKB: device.usedPages * 4, priority: device.priority,
  }))));
}

const LINES = ['MemTotal', 'MemFree', 'SwapCached', 'SwapTotal', 'SwapFree', 'Zswap', 'Zswapped'] as const;

/** The lines of /proc/meminfo that are about swap, as the kernel pads them; those that the counters know. */
export function meminfoText(counters: Readonly<Record<string, number>>): string {
  return LINES.flatMap((name) => {
    const value = counters[`meminfo.${name}_kB`];
    return value === undefined ? [] : [`${`${name}:`.padEnd(15)} ${String(value).padStart(8)} kB`];
  }).join('\n');
}
