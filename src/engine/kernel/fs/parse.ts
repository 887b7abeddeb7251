/**
 * How the kernel reads the texts that people write to its files. Everything works on the raw bytes of one write(2),
 * newline included, and throws what the kernel answers.
 *
 * Sources: lib/kstrtox.c, lib/cmdline.c (memparse), lib/vsprintf.c (simple_strtoull), mm/page_counter.c, kernel/sysctl.c
 * (proc_get_long), lib/string_helpers.c (sysfs_streq); each rule was asked of a running Linux 6.18 as well
 * (test-data/captures/writes-6.18.txt).
 */
import { KernelError } from '../../errno';
import type { ErrnoName } from '../../errno';

const U64 = 1n << 64n;
const U64_MASK = U64 - 1n;
const I64_MAX = (1n << 63n) - 1n;

/** The C string of a write: sysfs buffers end at the first NUL byte. */
export function cString(text: string): string {
  const nul = text.indexOf('\0');
  return nul < 0 ? text : text.slice(0, nul);
}

/** isspace() of the kernel (lib/ctype.c): tab to carriage return, blank, and the no-break space of Latin-1. */
export function isSpace(char: string): boolean {
  return char === ' ' || (char >= '\t' && char <= '\r') || char === '\u00a0';
}

/** strstrip(): blanks off both ends. */
export function strip(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text[from])) from++;
  while (to > from && isSpace(text[to - 1])) to--;
  return text.slice(from, to);
}

/** sysfs_streq(): equal, or equal but for one newline at the end of what was written. */
export function sysfsEquals(written: string, word: string): boolean {
  const text = cString(written);
  return text === word || text === `${word}\n`;
}

function digitOf(char: string | undefined): number {
  if (char === undefined) return 99;
  if (char >= '0' && char <= '9') return char.charCodeAt(0) - 48;
  const lower = char.charCodeAt(0) | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : 99;
}

interface Digits {
  /** Exact value of the digits. */
  readonly value: bigint;
  /** Index after the last digit. */
  readonly end: number;
  /** Digits read. */
  readonly count: number;
}

/** _parse_integer_fixup_radix() and _parse_integer(): 0x needs a hex digit behind it, a leading 0 means octal. */
function digits(text: string, from: number, base: number): Digits {
  const hexAhead = text[from] === '0' && (text[from + 1] === 'x' || text[from + 1] === 'X');
  let radix = base;
  if (radix === 0) radix = text[from] === '0' ? (hexAhead && digitOf(text[from + 2]) < 16 ? 16 : 8) : 10;
  let at = radix === 16 && hexAhead ? from + 2 : from;
  const first = at;
  let value = 0n;
  const wide = BigInt(radix);
  while (digitOf(text[at]) < radix) {
    value = value * wide + BigInt(digitOf(text[at]));
    at++;
  }
  return { value, end: at, count: at - first };
}

function fail(code: ErrnoName, why: string): never {
  throw new KernelError(code, why);
}

/** How a written text is quoted in explanations. */
export function quoted(text: string): string {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return `“${shown.replaceAll('\n', '\\n')}”`;
}

function unsignedAt(text: string, from: number, base: number): bigint {
  const { value, end, count } = digits(text, from, base);
  if (value >= U64) fail('ERANGE', `${quoted(text)} does not fit in 64 bits`);
  if (count === 0) fail('EINVAL', `${quoted(text)} is not a number: digits must stand at the very beginning, without blanks`);
  const rest = text.slice(end);
  if (rest !== '' && rest !== '\n') fail('EINVAL', `nothing may follow the number in ${quoted(text)} but one newline`);
  return value;
}

/**
 * kstrtoull(): an optional +, digits, at most one newline. base 0: 0x hexadecimal, leading 0 octal.
 * @throws KernelError EINVAL, ERANGE beyond 2^64 - 1
 */
export function kstrtoull(written: string, base = 0): bigint {
  const text = cString(written);
  return unsignedAt(text, text[0] === '+' ? 1 : 0, base);
}

/**
 * kstrtoll(): as kstrtoull() with an optional -.
 * @throws KernelError EINVAL, ERANGE outside -2^63 … 2^63 - 1
 */
export function kstrtoll(written: string, base = 0): bigint {
  const text = cString(written);
  if (text[0] === '-') {
    const value = unsignedAt(text, 1, base);
    if (value > I64_MAX + 1n) fail('ERANGE', `${quoted(text)} is below -2^63`);
    return -value;
  }
  const value = kstrtoull(text, base);
  if (value > I64_MAX) fail('ERANGE', `${quoted(text)} is above 2^63 - 1`);
  return value;
}

/** kstrtou16() and kstrtouint(): kstrtoull() limited to `bits` bits. */
export function kstrtouint(written: string, base = 0, bits = 32): number {
  const value = kstrtoull(written, base);
  if (value >= 1n << BigInt(bits)) fail('ERANGE', `${quoted(written)} does not fit in ${bits} bits`);
  return Number(value);
}

/** kstrtoint(): a signed 32-bit number. */
export function kstrtoint(written: string, base = 0): number {
  const value = kstrtoll(written, base);
  if (value > 0x7fffffffn || value < -0x80000000n) fail('ERANGE', `${quoted(written)} does not fit in a signed 32-bit number`);
  return Number(value);
}

/** kstrtobool(): only the first letters count, so `nope` is no and `1x` is yes. */
export function kstrtobool(written: string): boolean {
  const text = cString(written);
  switch (text[0]) {
    case 'y': case 'Y': case 't': case 'T': case '1':
      return true;
    case 'n': case 'N': case 'f': case 'F': case '0':
      return false;
    case 'o': case 'O':
      if (text[1] === 'n' || text[1] === 'N') return true;
      if (text[1] === 'f' || text[1] === 'F') return false;
      break;
    default:
      break;
  }
  return fail('EINVAL', `${quoted(text)} is no truth value: it must begin with y, t, 1 or on for yes, n, f, 0 or of for no`);
}

const SUFFIX_BITS: Readonly<Record<string, bigint>> = { k: 10n, m: 20n, g: 30n, t: 40n, p: 50n, e: 60n };

export interface MemparseResult {
  /** Bytes, 0 … 2^64 - 1. */
  readonly value: bigint;
  /** What the kernel left unread. */
  readonly rest: string;
}

/**
 * memparse(): digits with base by prefix, then one letter of KMGTPE in either case. Never fails; text gives 0.
 * `saturate`: what happens beyond 64 bits; Linux up to 6.18 wraps around, 7.3 stops at the highest number.
 */
export function memparse(written: string, saturate: boolean): MemparseResult {
  const text = cString(written);
  const { value, end, count } = digits(text, 0, 0);
  let at = count === 0 ? 0 : end;
  let bytes = value;
  const bits = SUFFIX_BITS[(text[at] ?? '').toLowerCase()];
  const cut = (wide: bigint): bigint => (wide < U64 ? wide : saturate ? U64_MASK : wide & U64_MASK);
  bytes = cut(bytes);
  if (bits !== undefined) {
    bytes = cut(bytes << bits);
    at++;
  }
  return { value: bytes, rest: text.slice(at) };
}

/** PAGE_COUNTER_MAX (LONG_MAX / PAGE_SIZE): what `max` means, in pages; an exact integer below 2^53. */
export const PAGE_COUNTER_MAX = 2251799813685247;

/**
 * page_counter_memparse() as memory.max and its neighbours use it: blanks off both ends, `max`, or bytes with a suffix;
 * nothing at all is 0.
 * @returns pages of 4 KiB, rounded down, at most PAGE_COUNTER_MAX
 * @throws KernelError EINVAL
 */
export function parsePageCounter(written: string, saturate: boolean, word = 'max'): number {
  const text = strip(cString(written));
  if (text === word) return PAGE_COUNTER_MAX;
  const { value, rest } = memparse(text, saturate);
  if (rest !== '') {
    fail('EINVAL', `${quoted(text)} is not a size: ${word}, or bytes with at most one suffix K, M, G, T, P or E behind the digits`);
  }
  const pages = value >> 12n;
  return pages < BigInt(PAGE_COUNTER_MAX) ? Number(pages) : PAGE_COUNTER_MAX;
}

/** What a page counter shows: `max`, or exact bytes. */
export function showPageCounter(pages: number): string {
  return pages >= PAGE_COUNTER_MAX ? 'max' : exactInteger(BigInt(pages) << 12n);
}

/** An integer in full, also beyond 2^53 where JavaScript would round. */
export function exactInteger(value: number | bigint): string {
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? value.toString() : BigInt(Math.trunc(value)).toString();
}

/** Longest number that proc_get_long() takes (TMPBUFLEN - 1 of kernel/sysctl.c is one more). */
const SYSCTL_DIGITS = 20;

/**
 * proc_dointvec_minmax() for one number: leading blanks, an optional -, digits with base by prefix, then the end or a blank;
 * what follows a blank is not looked at.
 * @throws KernelError EINVAL
 */
export function parseSysctlInt(written: string, low: number, high: number): number {
  let from = 0;
  while (from < written.length && isSpace(written[from])) from++;
  const text = written.slice(from);
  const negative = text[0] === '-' && text.length > 1;
  const start = negative ? 1 : 0;
  const decimal = digitOf(text[start]);
  if (decimal > 9) fail('EINVAL', text === '' ? 'no number was written' : `${quoted(text)} does not begin with a number`);
  const { value, end } = digits(text, start, 0);
  if (end > SYSCTL_DIGITS) fail('EINVAL', `${quoted(text)} is too long for a number here`);
  const next = text[end];
  if (next !== undefined && next !== ' ' && next !== '\t' && next !== '\n') {
    fail('EINVAL', `behind the number in ${quoted(text)} only a blank, a tab or a newline may stand`);
  }
  const limit = BigInt(high);
  if (value > limit || (negative && -value < BigInt(low)) || (!negative && value < BigInt(low))) {
    fail('EINVAL', `the value must lie between ${low} and ${high}`);
  }
  return negative && value !== 0n ? -Number(value) : Number(value);
}

/** Offset of `word` within a choice file's list. @throws KernelError EINVAL */
export function parseChoice<W extends string>(written: string, words: readonly W[]): W {
  for (const word of words) if (sysfsEquals(written, word)) return word;
  return fail('EINVAL', `${quoted(written)} is none of ${words.join(', ')}`);
}

/** A choice file's text: every word in the kernel's order, the current one in brackets. */
export function showChoice<W extends string>(words: readonly W[], current: W): string {
  return `${words.map((word) => (word === current ? `[${word}]` : word)).join(' ')}\n`;
}
