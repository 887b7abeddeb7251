/**
 * Sizes as people type them and as the wizard shows them. K, M, G, T and KiB … TiB are powers of 1024, as swapon, memory.max
 * and lsblk take them; kB is 1024 as in /proc/meminfo; MB, GB, TB are powers of 1000 as on a disk's label.
 */

export const PAGE_BYTES = 4096;

const UNIT_BYTES: ReadonlyMap<string, number> = new Map([
  ['pages', PAGE_BYTES], ['page', PAGE_BYTES], ['p', PAGE_BYTES],
  ['b', 1], ['bytes', 1], ['byte', 1],
  ['k', 2 ** 10], ['ki', 2 ** 10], ['kib', 2 ** 10], ['kb', 2 ** 10],
  ['m', 2 ** 20], ['mi', 2 ** 20], ['mib', 2 ** 20], ['mb', 1e6],
  ['g', 2 ** 30], ['gi', 2 ** 30], ['gib', 2 ** 30], ['gb', 1e9],
  ['t', 2 ** 40], ['ti', 2 ** 40], ['tib', 2 ** 40], ['tb', 1e12],
]);

export type SizeResult =
  | {
      readonly ok: true;
      readonly bytes: number;
      /** Whole pages, rounded down as the kernel does. */
      readonly pages: number;
      /** False: the size was no whole number of pages. */
      readonly exact: boolean;
    }
  | { readonly ok: false; readonly message: string };

const refuse = (message: string): SizeResult => ({ ok: false, message });

/** Spaces between groups of three digits are taken, as the wizard itself prints them; a comma is not, it means two things. */
const NUMBER = /^(\d{1,3}(?:[ _\u00a0\u202f]\d{3})+|\d+)(\.\d+)?\s*([a-zA-Z]*)$/;

/** @param bare what a number without a unit means; `refuse`: the unit has to be said. */
export function parseSize(text: string, bare: 'refuse' | 'bytes' | 'pages' = 'refuse'): SizeResult {
  const trimmed = text.trim();
  if (trimmed === '') return refuse('expected a size such as 8 GiB, 512 MiB or 2097152 pages');
  if (trimmed.startsWith('-')) return refuse(`expected a size above zero, got “${trimmed}”`);
  if (trimmed.includes(',')) return refuse('expected a decimal point and no commas: 1.5 GiB, 2097152 pages');
  const match = NUMBER.exec(trimmed);
  if (!match) return refuse(`expected a number and a unit such as 8 GiB, got “${trimmed}”`);
  const [, whole = '', fraction = '', suffix = ''] = match;
  const value = Number(whole.replace(/[ _\u00a0\u202f]/g, '') + fraction);
  if (suffix === '' && bare === 'refuse') {
    return refuse(`say the unit of ${trimmed}: ${trimmed} GiB, ${trimmed} MiB or ${trimmed} pages`);
  }
  const unit = suffix === '' ? (bare === 'bytes' ? 1 : PAGE_BYTES) : UNIT_BYTES.get(suffix.toLowerCase());
  if (unit === undefined) return refuse(`“${suffix}” is no unit here: use KiB, MiB, GiB, TiB or pages`);
  // Half a byte of slack: 0.1 GiB has no exact double.
  const bytes = Math.floor(value * unit + 0.5);
  if (!Number.isSafeInteger(bytes)) return refuse('expected a size that a machine can have');
  return { ok: true, bytes, pages: Math.floor(bytes / PAGE_BYTES), exact: bytes % PAGE_BYTES === 0 };
}

/** The shortest text that parseSize reads back to exactly these pages. */
export function exactSize(pages: number): string {
  if (pages > 0 && pages % 2 ** 18 === 0) return `${pages / 2 ** 18} GiB`;
  if (pages > 0 && pages % 2 ** 8 === 0) return `${pages / 2 ** 8} MiB`;
  if (pages < 2 ** 8) return `${pages * 4} KiB`;
  return `${pages} pages`;
}

/** As exactSize for bytes: falls back to plain bytes. */
export function exactBytes(bytes: number): string {
  return bytes % PAGE_BYTES === 0 ? exactSize(bytes / PAGE_BYTES) : `${bytes} bytes`;
}

/** `7.76 GiB`: three digits that count, for reading only. */
export function roundSize(pages: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = pages * 4;
  let unit = 0;
  // 1023.99 MiB reads as 1 GiB, not as 1024 MiB.
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${units[unit]}`;
}

/** `2 034 976`: groups of three with narrow spaces, so that long counts can be read and pasted back. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

/** What a size field understood: `2 034 976 pages · 7.76 GiB`. */
export function sizeHint(size: SizeResult): string {
  if (!size.ok) return '';
  const rounded = size.exact ? '' : ', rounded down to whole pages';
  return `${groupDigits(size.pages)} pages · ${roundSize(size.pages)}${rounded}`;
}
