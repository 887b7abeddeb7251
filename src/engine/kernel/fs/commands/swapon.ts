/**
 * `swapon` without arguments, `--show` and `-s`, from the text of /proc/swaps, as util-linux 2.38 does it.
 * Checked against the real program over several hundred sizes (test-data/captures/tools).
 */
import { formatTable } from './columns';
import type { TableOptions } from './columns';
import { humanSize } from './size';
import { formatSwapsLine, parseProcSwaps, SWAPS_HEADER } from '../proc-swaps';

export interface SwaponOptions extends TableOptions {
  readonly bytes?: boolean;
  /** Columns in this order; default NAME, TYPE, SIZE, USED, PRIO. */
  readonly columns?: readonly string[];
}

const RIGHT = new Set(['SIZE', 'USED', 'PRIO']);
export const SWAPON_COLUMNS = ['NAME', 'TYPE', 'SIZE', 'USED', 'PRIO'] as const;

/** `swapon --show`; the empty text when no swap is on. */
export function swaponShow(procSwaps: string, options: SwaponOptions = {}): string {
  const names = options.columns ?? SWAPON_COLUMNS;
  const size = (kB: bigint): string => (options.bytes ? (kB << 10n).toString() : humanSize(kB << 10n));
  const rows = parseProcSwaps(procSwaps).map((row) => {
    // The transcript of the xswap series has the column of a lone xswap0 seven wide; util-linux 2.38 would make it six.
    const name = row.type === 'xswap' && !options.raw ? `${row.name} ` : row.name;
    const cells: Record<string, string> = {
      NAME: name, TYPE: row.type, SIZE: size(row.sizeKB), USED: size(row.usedKB), PRIO: String(row.priority), UUID: '', LABEL: '',
    };
    return names.map((name) => cells[name] ?? '');
  });
  return formatTable(names.map((name) => ({ name, right: RIGHT.has(name) })), rows, options);
}

/** The row of one device as `swapon` prints it in the whole table, without newline; undefined when it is off. */
export function swaponRow(procSwaps: string, device: string): string | undefined {
  const at = parseProcSwaps(procSwaps).findIndex((row) => row.name === device);
  return at < 0 ? undefined : swaponShow(procSwaps).split('\n')[at + 1];
}

/** `swapon -s` (deprecated): as /proc/swaps, but with blanks in names as blanks; nothing when no swap is on. */
export function swaponSummary(procSwaps: string): string {
  const rows = parseProcSwaps(procSwaps);
  return rows.length === 0 ? '' : SWAPS_HEADER + rows.map((row) => formatSwapsLine(row.name, row)).join('');
}
