/**
 * What a page compresses to: content kind × compressor, in bytes.
 *
 * Measured on Linux 6.18.44 with a zram device: 1000 pages of the content written to it, compr_data_size of mm_stat divided
 * by 1000, rounded. The 573 bytes of `hog` with lzo are also what the zswap of Linux 7.3.4 shows
 * (guest-captures, 7.3, state 4: 8576091 bytes for 14967 pages). Compressors that neither kernel has (zstd: ENOENT in both)
 * are not there.
 *
 * | content | what is in a page |
 * |---------|-------------------|
 * | hog     | 512 varying bytes of a linear congruential generator, the rest zero (guest-captures/hog.c) |
 * | block   | a 128-byte block of varying bytes over and over: memhog with MEMHOG_FILL=pattern. The xswap v3 cover letter does not give |
 * |         | the pattern (assumed); with lzo it leads to its published number of pages in use within 0.2 % |
 * | words   | 8-byte words that count up, as usemem writes them |
 * | random  | incompressible |
 * | zero    | same-filled: takes no space anywhere |
 */
export type Content = 'zero' | 'hog' | 'block' | 'words' | 'random';

export const CONTENTS: readonly Content[] = ['zero', 'hog', 'block', 'words', 'random'];

const PAGE = 4096;

const TABLE: Readonly<Record<string, Readonly<Record<Exclude<Content, 'zero'>, number>>>> = {
  lzo: { hog: 573, block: 173, words: 1560, random: PAGE },
  'lzo-rle': { hog: 552, block: 175, words: 1563, random: PAGE },
  lz4: { hog: 541, block: 154, words: 2056, random: PAGE },
};

/** Compressors known to the kernel's crypto API here. */
export const COMPRESSORS: readonly string[] = Object.keys(TABLE);

/** Bytes of one page of this content; 4096: incompressible. @throws Error for an unknown compressor */
export function compressedBytes(compressor: string, content: Content): number {
  const row = TABLE[compressor];
  if (row === undefined) throw new Error(`no compressor ${compressor}`);
  return content === 'zero' ? 0 : row[content];
}

/** Content of a page by program and fill. */
export function contentOf(program: string, fill: 'pattern' | 'zero' | 'random'): Content {
  if (fill !== 'pattern') return fill;
  if (program === 'usemem') return 'words';
  return program === 'hog' ? 'hog' : 'block';
}
