/**
 * A table as libsmartcols prints it to a pipe: columns as wide as their widest cell, one blank between them,
 * the last one not padded unless it stands to the right.
 */
export interface Column {
  readonly name: string;
  readonly right?: boolean;
}

export interface TableOptions {
  /** Single blanks, blanks in cells as \x20 (`--raw`). */
  readonly raw?: boolean;
  readonly noHeadings?: boolean;
}

const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`;

/** Raw cells: blank, backslash, control characters and the bytes of anything beyond ASCII as \xNN (libsmartcols, C locale). */
function nonBlank(cell: string): string {
  let out = '';
  for (const char of cell) {
    const code = char.codePointAt(0) ?? 0;
    if (code > 0x20 && code < 0x7f && char !== '\\') out += char;
    else if (code < 0x80) out += hex(code);
    else if (code < 0x800) out += hex(0xc0 | (code >> 6)) + hex(0x80 | (code & 63));
    else if (code < 0x10000) out += hex(0xe0 | (code >> 12)) + hex(0x80 | ((code >> 6) & 63)) + hex(0x80 | (code & 63));
    else out += hex(0xf0 | (code >> 18)) + hex(0x80 | ((code >> 12) & 63)) + hex(0x80 | ((code >> 6) & 63)) + hex(0x80 | (code & 63));
  }
  return out;
}

/** Cells of a terminal: code points, not UTF-16 units. */
const width = (cell: string): number => [...cell].length;

/** @returns the table with a newline behind each line; empty when there are no rows (as swapon and zramctl print nothing). */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[], options: TableOptions = {}): string {
  if (rows.length === 0) return '';
  const head = options.noHeadings ? [] : [columns.map((column) => column.name)];
  if (options.raw) {
    return [...head, ...rows.map((row) => row.map(nonBlank))].map((row) => `${row.join(' ')}\n`).join('');
  }
  const lines = [...head, ...rows];
  const widths = columns.map((_, index) => lines.reduce((most, row) => Math.max(most, width(row[index] ?? '')), 0));
  let text = '';
  for (const row of lines) {
    columns.forEach((column, index) => {
      const cell = row[index] ?? '';
      const last = index === columns.length - 1;
      const pad = ' '.repeat(Math.max(0, (widths[index] ?? 0) - width(cell)));
      text += column.right ? pad + cell : last ? cell : cell + pad;
      text += last ? '\n' : ' ';
    });
  }
  return text;
}
