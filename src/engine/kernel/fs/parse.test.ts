import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelError } from '../../errno';
import {
  kstrtobool, kstrtoint, kstrtoll, kstrtoull, kstrtouint, memparse, PAGE_COUNTER_MAX, parsePageCounter, parseSysctlInt, showPageCounter,
} from './parse';
import { goldenRows } from './testing/golden';

/** `ok` or the errno that a parser answers. */
function answer(parse: () => unknown): string {
  try {
    parse();
    return 'ok';
  } catch (error) {
    if (error instanceof KernelError) return error.code;
    throw error;
  }
}

/** Rows that a running 6.18 answered for one file. */
const rows = (file: string): { text: string; expected: string; reads: string }[] =>
  goldenRows('writes-6.18.txt')
    .filter(([path]) => path.endsWith(file))
    .map(([, text, expected, reads]) => ({ text: JSON.parse(text) as string, expected: expected, reads: reads }));

/** Replays rows on a value kept by a parser; an empty text is no write. */
function replay<T>(file: string, start: T, parse: (text: string) => T, show: (value: T) => string): void {
  let value = start;
  const all = rows(file);
  expect(all.length).toBeGreaterThan(2);
  for (const { text, expected, reads } of all) {
    const got = text === '' ? 'ok' : answer(() => { value = parse(text); });
    expect([text, got, show(value)]).toEqual([text, expected, JSON.parse(reads)]);
  }
}

describe('numbers as a running 6.18 reads them', () => {
  it('module parameters: kstrtouint', () => replay('/max_pool_percent', 20, (text) => kstrtouint(text), (value) => `${value}\n`));
  it('module parameters: kstrtobool', () => replay('/parameters/enabled', true, kstrtobool, (value) => (value ? 'Y\n' : 'N\n')));
  it('sysctl', () => replay('/swappiness', 60, (text) => parseSysctlInt(text, 0, 200), (value) => `${value}\n`));
  it('sizes of the memory controller, wrapping beyond 64 bits', () => {
    const bytes = (pages: number): string => `${BigInt(pages) * 4096n}\n`;
    replay('/memory.limit_in_bytes', 0, (text) => parsePageCounter(text, false, '-1'), bytes);
  });
});

describe('sizes', () => {
  it('beyond 64 bits wrap around up to 6.18 and stop at the end in 7.3', () => {
    expect(showPageCounter(parsePageCounter('99999999999999999999\n', false))).toBe('7766279631452237824');
    expect(showPageCounter(parsePageCounter('99999999999999999999\n', true))).toBe('max');
    expect(memparse('16E', false).value).toBe(0n);
    expect(memparse('16E', true).value).toBe((1n << 64n) - 1n);
  });

  it('max means no limit, and only max', () => {
    expect(parsePageCounter(' max\n', true)).toBe(PAGE_COUNTER_MAX);
    expect(showPageCounter(PAGE_COUNTER_MAX)).toBe('max');
    for (const word of ['Max\n', 'maximum\n', 'infinity\n', '-1\n']) expect(answer(() => parsePageCounter(word, true))).toBe('EINVAL');
  });

  it('read back what was written, rounded down to pages', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: (1n << 63n) - 4097n }), fc.constantFrom(10, 16, 8), (bytes, base) => {
      const prefix = base === 16 ? '0x' : base === 8 ? '0' : '';
      const pages = parsePageCounter(`${prefix}${bytes.toString(base)}\n`, true);
      expect(showPageCounter(pages)).toBe(String((bytes >> 12n) << 12n));
    }));
  });
});

describe('kstrto…', () => {
  it('is exact to the last of 64 bits', () => {
    expect(kstrtoull('18446744073709551615')).toBe(18446744073709551615n);
    expect(answer(() => kstrtoull('18446744073709551616'))).toBe('ERANGE');
    expect(kstrtoll('-9223372036854775808')).toBe(-9223372036854775808n);
    expect(answer(() => kstrtoll('9223372036854775808'))).toBe('ERANGE');
    expect(answer(() => kstrtoll('-9223372036854775809'))).toBe('ERANGE');
    expect(kstrtoint('-2147483648\n')).toBe(-2147483648);
    expect(answer(() => kstrtoint('2147483648'))).toBe('ERANGE');
  });

  it('takes any number with its sign and one newline, and nothing else', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), fc.constantFrom('', '\n'), (value, end) => {
      expect(kstrtoll(`${value}${end}`)).toBe(BigInt(value));
    }));
    fc.assert(fc.property(fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), (value, rest) => {
      fc.pre(!/^[\d\0]|^\n(\0.*)?$|^[xX]/s.test(rest));
      expect(answer(() => kstrtoll(`${value}${rest}`, 10))).toBe('EINVAL');
    }));
  });
});
