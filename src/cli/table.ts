/** Plain text tables for a terminal: columns as wide as their widest cell. */

export interface TableColumn {
  readonly title: string;
  readonly right?: boolean;
}

/** Columns of a text as a terminal shows them, near enough: combining marks and wide scripts do not occur in our tables. */
const width = (text: string): number => [...text].length;

const pad = (text: string, to: number, right: boolean): string => {
  const fill = ' '.repeat(Math.max(0, to - width(text)));
  return right ? fill + text : text + fill;
};

export const tableText = (columns: readonly TableColumn[], rows: readonly (readonly string[])[], indent = '  '): string => {
  const widths = columns.map(({ title }, i) => Math.max(width(title), ...rows.map((row) => width(row[i] ?? ''))));
  const line = (cells: readonly string[]): string =>
    `${indent}${columns.map(({ right = false }, i) => pad(cells[i] ?? '', widths[i] ?? 0, right)).join('  ')}`.trimEnd();
  const rule = `${indent}${widths.map((w) => '─'.repeat(w)).join('  ')}`;
  return `${[line(columns.map(({ title }) => title)), rule, ...rows.map(line)].join('\n')}\n`;
};

/** Folds a text at blanks to at most `most` columns. */
export const folded = (text: string, most: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && width(line) + 1 + width(word) > most) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
};

export const sizeText = (bytes: number): string => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
};

export const countText = (n: number): string => {
  if (n >= 1e9) return `${(n / 1e9).toFixed(2)} G`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(2)} M`;
  return n >= 1e4 ? `${(n / 1e3).toFixed(1)} k` : String(Math.round(n));
};
