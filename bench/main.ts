import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deviceSize, slotSize } from './device-size';
import type { Row } from './row';
import { slotPath } from './slot-path';
import { readRecordings, traceReplay } from './trace-replay';
import { compileTwin } from './twin';

const USAGE = 'usage: npm run bench [-- --json]';

function main(args: readonly string[]): number {
  const json = args.includes('--json');
  const unknown = args.find((arg) => arg !== '--json');
  if (unknown !== undefined) {
    process.stderr.write(`unknown argument '${unknown}'; ${USAGE}\n`);
    return 2;
  }
  const note = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  const rows = measure(note);
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
  return 0;
}

function measure(note: (text: string) => void): Row[] {
  const rows: Row[] = [];
  const twin = compileTwin(find('bench/native-twin.c'));
  if (twin === undefined) {
    note('there is no C compiler (cc, gcc or clang), so the rows against native-twin.c are left out');
  } else {
    try {
      rows.push(slotPath('slot-path', twin, { slots: 1 << 20, operations: 10_000_000, rounds: 3 }, note));
      rows.push(slotPath('slot-path-large', twin, { slots: 64 << 20, operations: 10_000_000, rounds: 1 }, note));
    } finally {
      twin.remove();
    }
  }
  rows.push(...traceReplay(readRecordings(find('test-data/kernel-traces/linux-6.18'), 'linux-6.18'), note));
  rows.push(...slotSize(), ...deviceSize());
  return rows;
}

/** A path of the repository, of which this bundle is the output (out/bench). */
function find(path: string): string {
  const found = ['..', '../..'].map((up) => join(__dirname, up, path)).find((place) => existsSync(place));
  if (found === undefined) throw new Error(`${path} is missing beside ${__dirname}`);
  return found;
}

function table(rows: readonly Row[]): string {
  const lines = [['id', 'ours', 'theirs', 'unit', 'ratio', 'what']];
  for (const row of rows) lines.push([row.id, figure(row.ours), figure(row.theirs), row.unit, row.ratio.toFixed(2), row.what]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const cell = (text: string, column: number): string => {
    const width = widths[column] ?? 0;
    return column === 0 || column >= 3 ? text.padEnd(width) : text.padStart(width);
  };
  return lines.map((line) => `${line.map(cell).join('  ').trimEnd()}\n`).join('');
}

const figure = (value: number): string => (value >= 1000 ? Math.round(value).toString() : value.toFixed(value >= 10 ? 1 : 2));

process.exitCode = main(process.argv.slice(2));
