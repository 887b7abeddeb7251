import { describe, expect, it } from 'vitest';
import { EVENT, TraceError, parseTrace } from './trace';

const HEADER = '# linux 6.18.44 x86_64\n';
const TABLE = '# Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n';
const ZRAM = '# /dev/zram0                              partition\t16380\t\t0\t\t5\n';
const DISK = '# /dev/vdb                                partition\t32764\t\t0\t\t-2\n';
const START = `${HEADER}${TABLE}${ZRAM}`;
const errorOf = (text: string): string => {
  try {
    parseTrace(text);
  } catch (error) {
    if (error instanceof TraceError) return error.message;
    throw error;
  }
  return 'no error';
};

describe('a kernel trace', () => {
  it('becomes columns with the line of each event', () => {
    const events = [
      'C 1', 'A 4 0 512', '# said in between', 'F 0 512 16', 'X 2', 'A 0 0 1', 'U 1', 'A 0 0 2', 'N 9', 'O /dev/zram0 0', 'S /dev/zram0 -1 16',
    ];
    const trace = parseTrace(`${START}${events.join('\n')}\n`);
    const rows = Array.from({ length: trace.count }, (_, i) => [trace.line[i], trace.code[i], trace.a[i], trace.b[i], trace.c[i]]);
    expect(rows).toEqual([
      [4, EVENT.cpu, 1, 0, 0], [5, EVENT.alloc, 4, 0, 512], [7, EVENT.free, 0, 512, 16], [8, EVENT.split, 2, 0, 0],
      [9, EVENT.alloc, 0, 0, 1], [10, EVENT.unordered, 1, 0, 0], [11, EVENT.alloc, 0, 0, 2], [12, EVENT.none, 9, 0, 0],
      [13, EVENT.swapoff, 0, 0, 0], [14, EVENT.swapon, 0, -1, 16],
    ]);
    expect([trace.kernelRelease, trace.cpus]).toEqual(['linux 6.18.44', 2]);
  });

  it('may have CRLF at its line ends, and more events than the first columns hold', () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `A 0 0 ${i + 1}`);
    const trace = parseTrace(`${START}${lines.join('\n')}\n`.replaceAll('\n', '\r\n'));
    expect([trace.count, trace.c[4999], trace.line[4999]]).toEqual([5000, 5000, 5003]);
  });

  it('may begin with the table, and then does not name its kernel', () => {
    expect(parseTrace(`${TABLE}${ZRAM}A 0 0 1\n`).kernelRelease).toBeUndefined();
  });

  it('has flags said of its disks, not of the zram beside them; of zram alone, discard', () => {
    const flags = (table: string, note: string): unknown[] =>
      parseTrace(`${HEADER}${TABLE}${table}# ${note}\nA 0 0 1\n`).devices.map((device) => [device.rotational, device.pageDiscard]);
    expect(flags(ZRAM + DISK, 'rotational=1, discard=pages')).toEqual([[false, false], [true, true]]);
    expect(flags(ZRAM + DISK, 'rotational=0, no discard')).toEqual([[false, false], [false, false]]);
    expect(flags(ZRAM, 'zram, rotational=0, discard=pages')).toEqual([[false, true]]);
  });

  it.each([
    ['', 'line 1: the file is empty'],
    ['\n', "line 1: expected '# linux <release> …': this is no kernel trace"],
    ['# linux banana\n', "line 1: expected '# linux <release> …': this is no kernel trace"],
    [HEADER, 'line 1: expected the table of /proc/swaps before the first event'],
    [START, 'line 3: there are no events'],
    [`${START}A 0 0 1\nA 0 0`, 'line 5: the file ends in the middle of a line'],
    [`${START}A 0 0\n`, "line 4: expected 'A order type offset'"],
    [`${START}A 0 0 \n`, "line 4: expected 'A order type offset' with numbers"],
    [`${START}A 0 0 1 \n`, "line 4: expected 'A order type offset' and nothing more"],
    [`${START}A 0 0 1 7\n`, "line 4: expected 'A order type offset' and nothing more"],
    [`${START}A 0 0 -1\n`, "line 4: expected 'A order type offset' with numbers"],
    [`${START}A 0 0 99999999999999999999\n`, "line 4: expected 'A order type offset' with numbers"],
    [`${START}A\t0\t0\t1\n`, "line 4: expected 'A order type offset'"],
    [`${START}A 10 0 1\n`, 'line 4: order 10: expected 0 to 9'],
    [`${START}F 0 1 0\n`, 'line 4: expected at least one slot'],
    [`${START}X 12\n`, 'line 4: order 12: expected 0 to 9'],
    [`${START}U 600\n`, 'line 4: expected 1 to 512 pages'],
    [`${START}U 3\nA 0 0 1\n`, "line 5: expected 2 more 'A 0' lines of the U line before"],
    [`${START}C 5000\n`, 'line 4: CPU 5000: expected 0 to 1023'],
    [`${START}O /dev/zram7 0\n`, 'line 4: /dev/zram7 is not in the table of /proc/swaps at the start'],
    [`${START}O /dev/zram0\n`, "line 4: expected 'O device errno'"],
    [`${START}S /dev/zram0 5\n`, "line 4: expected 'S device priority errno'"],
    [`${START}\n`, 'line 4: expected a line that begins with A, F, X, U, N, C, O, S or #'],
    [`${START} A 0 0 1\n`, 'line 4: expected a line that begins with A, F, X, U, N, C, O, S or #'],
    [`${START}${ZRAM}`, 'line 4: /dev/zram0 is in the table twice'],
    [START.replace('16380', '16381'), 'line 3: a device of 16381 KiB: expected a multiple of 4, at most 512 GiB'],
    [START.replace('16380', '9'.repeat(30)), `line 3: a device of ${'9'.repeat(30)} KiB: expected a multiple of 4, at most 512 GiB`],
    [START.replace('\t5\n', '\t99999\n'), 'line 3: priority 99999: expected at most 32767'],
  ])('%j is refused with the line', (text, message) => {
    expect(errorOf(text)).toBe(message);
  });
});
