/**
 * Parser of kernel traces: what a real kernel's swap allocator did, line by line (test-data/kernel-traces/README.md).
 * Pure: takes the text, gives columns, or says in one sentence with the line why it is no trace.
 */
import { CLUSTER_SLOTS, OFFSET_MASK, ORDERS } from './types';

/** Code of an event line. */
export const EVENT = { alloc: 0, free: 1, split: 2, unordered: 3, none: 4, cpu: 5, swapoff: 6, swapon: 7 } as const;

/** A device of the trace, by /proc/swaps at the start. */
export interface TraceDevice {
  readonly name: string;
  readonly isFile: boolean;
  readonly sizeKiB: number;
  /** In use at the start; a recording that is whole has 0. */
  readonly usedKiB: number;
  readonly priority: number;
  readonly rotational: boolean;
  readonly pageDiscard: boolean;
}

/**
 * Events as columns. The meaning of a, b and c by code:
 *
 * | code      | line              | a      | b      | c      |
 * |-----------|-------------------|--------|--------|--------|
 * | alloc     | A order type off  | order  | type   | offset |
 * | free      | F type off n      | type   | offset | n      |
 * | split     | X order           | order  |        |        |
 * | unordered | U n               | n      |        |        |
 * | none      | N order           | order  |        |        |
 * | cpu       | C cpu             | cpu    |        |        |
 * | swapoff   | O device errno    | device | errno  |        |
 * | swapon    | S device prio err | device | prio   | errno  |
 */
export interface Trace {
  /** `linux 6.18.44` of the first line; undefined: the trace begins with the table and does not name its kernel. */
  readonly kernelRelease: string | undefined;
  readonly devices: readonly TraceDevice[];
  readonly count: number;
  readonly code: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly c: Int32Array;
  /** Line number of the event, from 1. */
  readonly line: Int32Array;
  /** Highest CPU named, plus one. */
  readonly cpus: number;
}

/** The text is no trace: foreign, torn or impossible. The message names the line and what was expected. */
export class TraceError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = 'TraceError';
    this.line = line;
  }
}

const MAX_CPUS = 1024;
/** Devices of a table, and types, at most. */
export const MAX_DEVICES = 24;
const MAX_PRIORITY = 32767;
const HEADER = /^# (linux \d+\.\d+\S*)\s/;
const SWAPS_HEADER = '# Filename';
const SWAPS_ROW = /^# (\/\S+)\s+(partition|file)\s+(\d+)\s+(\d+)\s+(-?\d+)$/;

const isZram = (device: { readonly name: string }): boolean => device.name.startsWith('/dev/zram');

/** @throws TraceError */
export function parseTrace(text: string): Trace {
  return new Parser(text).parse();
}

class Parser {
  private readonly text: string;
  private at = 0;
  private lineNumber = 0;
  private count = 0;
  private code = new Uint8Array(1024);
  private a = new Int32Array(1024);
  private b = new Int32Array(1024);
  private c = new Int32Array(1024);
  private line = new Int32Array(1024);
  private cpus = 1;
  private readonly rows: Omit<TraceDevice, 'rotational' | 'pageDiscard'>[] = [];
  private tables = 0;
  private rotational = false;
  private pageDiscard = false;
  /** 'A 0' lines that may still follow an X or U line. */
  private announced = 0;
  private setIsWhole = false;
  /** The numbers of the present line. */
  private first = 0;
  private second = 0;
  private third = 0;
  private atNumber = 0;

  constructor(text: string) {
    this.text = text;
  }

  parse(): Trace {
    const { text } = this;
    if (text.length === 0) throw new TraceError(1, 'the file is empty');
    const header = HEADER.exec(text.slice(0, 200));
    if (header === null && !text.startsWith(SWAPS_HEADER)) throw new TraceError(1, "expected '# linux <release> …': this is no kernel trace");
    while (this.at < text.length) {
      this.lineNumber++;
      let end = text.indexOf('\n', this.at);
      if (end < 0) throw new TraceError(this.lineNumber, 'the file ends in the middle of a line');
      const start = this.at;
      this.at = end + 1;
      if (end > start && text.charCodeAt(end - 1) === 13) end--;
      if (text.charCodeAt(start) === 35) this.comment(text.slice(start, end));
      else this.event(start, end);
    }
    this.endSet();
    if (this.rows.length === 0) throw new TraceError(this.lineNumber, 'expected the table of /proc/swaps before the first event');
    if (this.count === 0) throw new TraceError(this.lineNumber, 'there are no events');
    return {
      kernelRelease: header?.[1],
      devices: this.devices(),
      count: this.count,
      code: this.code.subarray(0, this.count),
      a: this.a.subarray(0, this.count),
      b: this.b.subarray(0, this.count),
      c: this.c.subarray(0, this.count),
      line: this.line.subarray(0, this.count),
      cpus: this.cpus,
    };
  }

  /** The flags describe the disks of the table; zram never rotates, and has discard said of it only where there is nothing else. */
  private devices(): TraceDevice[] {
    const onlyZram = this.rows.every(isZram);
    return this.rows.map((row) => ({
      ...row,
      rotational: this.rotational && !isZram(row),
      pageDiscard: this.pageDiscard && (onlyZram || !isZram(row)),
    }));
  }

  /** Only what stands before the first event describes the start. */
  private comment(line: string): void {
    if (this.count > 0) return;
    if (line.startsWith(SWAPS_HEADER)) {
      this.tables++;
      return;
    }
    const row = SWAPS_ROW.exec(line);
    if (row !== null && this.tables === 1) {
      const sizeKiB = Number(row[3]);
      if (!(sizeKiB >= 4 && sizeKiB % 4 === 0 && sizeKiB / 4 <= OFFSET_MASK)) {
        throw new TraceError(this.lineNumber, `a device of ${row[3]} KiB: expected a multiple of 4, at most 512 GiB`);
      }
      const priority = Number(row[5]);
      if (priority > MAX_PRIORITY) throw new TraceError(this.lineNumber, `priority ${row[5]}: expected at most ${MAX_PRIORITY}`);
      if (this.rows.some((other) => other.name === row[1])) throw new TraceError(this.lineNumber, `${row[1]} is in the table twice`);
      if (this.rows.length === MAX_DEVICES) throw new TraceError(this.lineNumber, `more than ${MAX_DEVICES} devices`);
      this.rows.push({ name: row[1], isFile: row[2] === 'file', sizeKiB, usedKiB: Number(row[4]), priority });
      return;
    }
    if (line.includes('rotational=1')) this.rotational = true;
    if (line.includes('discard=pages')) this.pageDiscard = true;
  }

  private event(start: number, end: number): void {
    if (this.rows.length === 0) throw new TraceError(this.lineNumber, 'expected the table of /proc/swaps before the first event');
    const letter = this.text.charCodeAt(start);
    if (letter !== 65) this.endSet();
    switch (letter) {
      case 65: return this.alloc(start, end);
      case 70: return this.freed(start, end);
      case 88: return this.announce(EVENT.split, start, end);
      case 85: return this.announce(EVENT.unordered, start, end);
      case 78: {
        this.numbers(start, end, 1, 'N order');
        this.checkOrder(this.first);
        return this.push(EVENT.none, this.first, 0, 0);
      }
      case 67: {
        this.numbers(start, end, 1, 'C cpu');
        const cpu = this.first;
        if (cpu >= MAX_CPUS) throw new TraceError(this.lineNumber, `CPU ${cpu}: expected 0 to ${MAX_CPUS - 1}`);
        if (cpu >= this.cpus) this.cpus = cpu + 1;
        return this.push(EVENT.cpu, cpu, 0, 0);
      }
      case 79:
      case 83: return this.onOff(this.text.slice(start, end));
      default: throw new TraceError(this.lineNumber, 'expected a line that begins with A, F, X, U, N, C, O, S or #');
    }
  }

  private alloc(start: number, end: number): void {
    this.numbers(start, end, 3, 'A order type offset');
    this.checkOrder(this.first);
    if (this.announced > 0 && this.first === 0) this.announced--;
    else this.endSet();
    this.push(EVENT.alloc, this.first, this.second, this.third);
  }

  private freed(start: number, end: number): void {
    this.numbers(start, end, 3, 'F type offset n');
    if (this.third < 1) throw new TraceError(this.lineNumber, 'expected at least one slot');
    this.push(EVENT.free, this.first, this.second, this.third);
  }

  private announce(code: number, start: number, end: number): void {
    this.numbers(start, end, 1, code === EVENT.split ? 'X order' : 'U n');
    const n = this.first;
    if (code === EVENT.split) this.checkOrder(n);
    else if (n < 1 || n > CLUSTER_SLOTS) throw new TraceError(this.lineNumber, `expected 1 to ${CLUSTER_SLOTS} pages`);
    this.push(code, n, 0, 0);
    this.announced = code === EVENT.split ? 1 << n : n;
    this.setIsWhole = code === EVENT.unordered;
  }

  private onOff(line: string): void {
    const words = line.split(' ');
    const isOn = words[0] === 'S';
    if (words.length !== (isOn ? 4 : 3) || words.slice(2).some((word) => !/^-?\d{1,6}$/.test(word))) {
      throw new TraceError(this.lineNumber, isOn ? "expected 'S device priority errno'" : "expected 'O device errno'");
    }
    const device = this.rows.findIndex((row) => row.name === words[1]);
    if (device < 0) throw new TraceError(this.lineNumber, `${words[1]} is not in the table of /proc/swaps at the start`);
    this.push(isOn ? EVENT.swapon : EVENT.swapoff, device, Number(words[2]), isOn ? Number(words[3]) : 0);
  }

  /** Reads one or three decimal numbers after the letter, one blank before each. */
  private numbers(start: number, end: number, count: 1 | 3, shape: string): void {
    this.atNumber = start + 1;
    this.first = this.number(end, shape);
    if (count === 3) {
      this.second = this.number(end, shape);
      this.third = this.number(end, shape);
    }
    if (this.atNumber !== end) throw new TraceError(this.lineNumber, `expected '${shape}' and nothing more`);
  }

  private number(end: number, shape: string): number {
    const { text } = this;
    let at = this.atNumber;
    if (text.charCodeAt(at) !== 32) throw new TraceError(this.lineNumber, `expected '${shape}'`);
    const first = ++at;
    let value = 0;
    for (; at < end; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === first || at - first > 9) throw new TraceError(this.lineNumber, `expected '${shape}' with numbers`);
    this.atNumber = at;
    return value;
  }

  private checkOrder(order: number): void {
    if (order >= ORDERS) throw new TraceError(this.lineNumber, `order ${order}: expected 0 to ${ORDERS - 1}`);
  }

  /** The A lines that a U line announced must all be there; after an X some may be missing, when swap ran full. */
  private endSet(): void {
    if (this.announced > 0 && this.setIsWhole) {
      throw new TraceError(this.lineNumber, `expected ${this.announced} more 'A 0' lines of the U line before`);
    }
    this.announced = 0;
  }

  private push(code: number, a: number, b: number, c: number): void {
    if (this.count === this.code.length) this.makeRoom();
    const at = this.count++;
    this.code[at] = code;
    this.a[at] = a;
    this.b[at] = b;
    this.c[at] = c;
    this.line[at] = this.lineNumber;
  }

  private makeRoom(): void {
    const size = this.code.length * 2;
    const code = new Uint8Array(size);
    code.set(this.code);
    this.code = code;
    this.a = widened(this.a, size);
    this.b = widened(this.b, size);
    this.c = widened(this.c, size);
    this.line = widened(this.line, size);
  }
}

function widened(from: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(size);
  to.set(from);
  return to;
}
