import { describe, expect, it } from 'vitest';
import { Digest } from './digest';

// From a C program with the reference MurmurHash3_x86_128, seed 0, over words w[i] = i * 2654435761 + 12345 (mod 2^32).
const GOLDEN: readonly [number, string][] = [
  [0, '00000000000000000000000000000000'],
  [1, 'a3f022d5d6cd4ac3d6cd4ac3d6cd4ac3'],
  [2, '9d50a738191b96ec2a31a9402a31a940'],
  [3, 'c228ffc1210a0ad64e305c276e3cac23'],
  [4, '2c332ba39399298f100c0f40de312b5b'],
  [5, 'f7e910310a297eec96c382033bd49543'],
  [6, '7e1021cbd45434095f6a908c78ab8640'],
  [7, '64bf09c57ebad132ecf0a4c585927e18'],
  [63, 'cf10e92e2e1adc2e9fc44584ae657c3b'],
  [64, 'a828c67e5172de980e0e192bfacc5ae3'],
];

describe('Digest', () => {
  it.each(GOLDEN)('%i words', (length, expected) => {
    const digest = new Digest();
    for (let i = 0; i < length; i++) digest.word((Math.imul(i, 2654435761) + 12345) >>> 0);
    expect(digest.hex()).toBe(expected);
    expect(digest.hex()).toBe(expected);
  });

  it('tells numbers apart by their bits, and knows one NaN', () => {
    const of = (x: number): string => new Digest().number(x).hex();
    const values = [0, -0, 1, 1 + 2 ** -52, -1, 2 ** 53, Infinity, -Infinity, NaN, 5e-324];
    expect(new Set(values.map(of)).size).toBe(values.length);
    const odd = new Float64Array(new Uint32Array([1, 0x7ff80001]).buffer)[0];
    expect(of(odd)).toBe(of(NaN));
  });

  it('takes texts as UTF-8 and keeps their borders', () => {
    const of = (...texts: string[]): string => {
      const digest = new Digest();
      for (const text of texts) digest.text(text);
      return digest.hex();
    };
    const all = [of(), of(''), of('a'), of('a', ''), of('', 'a'), of('ab'), of('a', 'b'), of('abcd'), of('abcd\0'), of('é'), of('€'), of('😀')];
    expect(new Set(all).size).toBe(all.length);
    const bytes = new TextEncoder().encode('aé€😀b');
    const words = new Digest();
    for (let i = 0; i < bytes.length; i += 4) {
      words.word((bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24));
    }
    words.word(bytes.length).word(Math.ceil(bytes.length / 4) + 1);
    expect(of('aé€😀b')).toBe(words.hex());
  });
});
