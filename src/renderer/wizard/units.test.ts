import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactBytes, exactSize, groupDigits, parseSize, roundSize, sizeHint } from './units';

const pagesOf = (text: string): number => {
  const size = parseSize(text);
  if (!size.ok) throw new Error(size.message);
  return size.pages;
};

describe('parseSize', () => {
  it.each([
    ['8G', 2097152], ['8 GiB', 2097152], ['8gib', 2097152], ['8Gi', 2097152], ['512 MiB', 131072], ['2097152 pages', 2097152], ['1 page', 1],
    ['4K', 1], ['8140796 kB', 2035199], ['1.5 GiB', 393216], ['0.1 GiB', 26214], ['1 T', 268435456], ['2 034 976 pages', 2034976],
    ['2\u202f034\u202f976 pages', 2034976], ['1 GB', 244140], ['  64m ', 16384],
  ])('%s is %d pages', (text, pages) => {
    expect(pagesOf(text)).toBe(pages);
  });

  it.each([
    ['', 'such as 8 GiB'], ['8', 'say the unit of 8'], ['-8 GiB', 'above zero'], ['1,5 GiB', 'decimal point'], ['8 QiB', '“QiB” is no unit'],
    ['eight', 'a number and a unit'], ['1e9 GiB', 'a number and a unit'], ['0x10 MiB', 'a number and a unit'],
    ['99999999999 TiB', 'a machine can have'], ['12 34 MiB', 'a number and a unit'],
  ])('refuses “%s” and says %s', (text, part) => {
    const size = parseSize(text);
    expect(size.ok).toBe(false);
    if (!size.ok) expect(size.message).toContain(part);
  });

  it('takes a bare number where the field has a unit of its own', () => {
    expect(parseSize('2147483648', 'bytes')).toMatchObject({ bytes: 2147483648, pages: 524288, exact: true });
    expect(parseSize('512', 'pages')).toMatchObject({ pages: 512 });
  });

  it('says when it rounded down to whole pages', () => {
    expect(parseSize('5000 bytes')).toMatchObject({ pages: 1, exact: false });
    expect(sizeHint(parseSize('5000 bytes'))).toContain('rounded down');
  });
});

describe('printing', () => {
  it('exactSize reads back to the same pages', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 28 }), (pages) => pagesOf(exactSize(pages)) === pages));
  });

  it('exactBytes reads back to the same bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (bytes) => {
        const size = parseSize(exactBytes(bytes));
        return size.ok && size.bytes === bytes;
      }),
    );
  });

  it('rounds for reading', () => {
    expect(roundSize(2034976)).toBe('7.76 GiB');
    expect(roundSize(2 ** 18)).toBe('1 GiB');
    expect(roundSize(255)).toBe('1020 KiB');
    expect(roundSize(262143)).toBe('1 GiB');
    expect(roundSize(5 * 2 ** 16)).toBe('1.25 GiB');
    expect(groupDigits(2034976)).toBe('2\u202f034\u202f976');
  });
});
