/**
 * `free` from the text of /proc/meminfo, as procps-ng 4.0.2 does it: used = total - available.
 * Checked against the real program (test-data/captures/tools/free.txt).
 */
import { freeHuman } from './size';

export type FreeUnit = 'k' | 'm' | 'g' | 'b' | 'h';

/** Number behind each key of /proc/meminfo, in kB. */
export function parseMeminfo(text: string): Map<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = /^([^:]+):\s*(\d+)/.exec(line);
    if (match !== null) values.set(match[1] ?? '', Number(match[2]));
  }
  return values;
}

const HEADER = '               total        used        free      shared  buff/cache   available\n';

export function free(meminfo: string, unit: FreeUnit = 'k'): string {
  const values = parseMeminfo(meminfo);
  const kB = (key: string): number => values.get(key) ?? 0;
  const show = (amount: number): string => {
    switch (unit) {
      case 'k': return String(amount);
      case 'm': return String(Math.floor(amount / 1024));
      case 'g': return String(Math.floor(amount / 1048576));
      case 'b': return String(amount * 1024);
      case 'h': return freeHuman(amount * 1024);
    }
  };
  const total = kB('MemTotal');
  // An available amount above the total (containers) counts as what is free.
  const available = kB('MemAvailable') > total ? kB('MemFree') : kB('MemAvailable');
  const memory = [total, total - available, kB('MemFree'), kB('Shmem'), kB('Buffers') + kB('Cached') + kB('SReclaimable'), available];
  const swap = [kB('SwapTotal'), kB('SwapTotal') - kB('SwapFree'), kB('SwapFree')];
  const line = (name: string, amounts: readonly number[]): string =>
    `${name.padEnd(9)}${amounts.map((amount) => show(amount).padStart(11)).join(' ')}\n`;
  return HEADER + line('Mem:', memory) + line('Swap:', swap);
}
