/** /proc/swaps: to write and to read. Source: mm/swapfile.c, swap_show() of 6.18 and 7.3 (same format). */

/** What one line shows. */
export interface SwapsRow {
  readonly name: string;
  /** partition, file or xswap. */
  readonly type: string;
  readonly sizeKB: number;
  readonly usedKB: number;
  readonly priority: number;
}

export const SWAPS_HEADER = 'Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n';

/** Blank, tab, newline and backslash as octal escapes (seq_file_path(…, " \t\n\\")). */
export function mangle(name: string): string {
  return name.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

export function unmangle(name: string): string {
  return name.replace(/\\([0-3][0-7]{2})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
}

/** Bytes of a text in UTF-8: what the kernel counts when it pads. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** One line: the name padded to column 40 (one blank behind longer ones), tabs that keep eight-digit numbers aligned. */
export function formatSwapsLine(shownName: string, row: ParsedSwapsRow): string {
  const length = utf8Length(shownName);
  const pad = ' '.repeat(length < 40 ? 40 - length : 1);
  const type = row.type === 'partition' ? row.type : `${row.type}\t`;
  const tab = (value: bigint): string => (value < 10000000n ? '\t' : '');
  return `${shownName}${pad}${type}\t${row.sizeKB}\t${tab(row.sizeKB)}${row.usedKB}\t${tab(row.usedKB)}${row.priority}\n`;
}

export const swapsLine = (row: SwapsRow): string =>
  formatSwapsLine(mangle(row.name), { ...row, sizeKB: BigInt(row.sizeKB), usedKB: BigInt(row.usedKB) });

export function formatProcSwaps(rows: readonly SwapsRow[]): string {
  return SWAPS_HEADER + rows.map(swapsLine).join('');
}

export interface ParsedSwapsRow {
  readonly name: string;
  readonly type: string;
  readonly sizeKB: bigint;
  readonly usedKB: bigint;
  readonly priority: number;
}

/** Reads the kernel's own text back, as swapon does. Lines it cannot read are left out. */
export function parseProcSwaps(text: string): ParsedSwapsRow[] {
  const rows: ParsedSwapsRow[] = [];
  for (const line of text.split('\n').slice(1)) {
    const match = /^(\S+)\s+(\S+)\s+(\d+)\s+(\d+)\s+(-?\d+)$/.exec(line);
    if (match === null) continue;
    const [, name = '', type = '', size = '', used = '', priority = ''] = match;
    rows.push({ name: unmangle(name), type, sizeKB: BigInt(size), usedKB: BigInt(used), priority: Number(priority) });
  }
  return rows;
}
