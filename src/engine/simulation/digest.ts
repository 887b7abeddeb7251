/**
 * The engine's 128-bit hash: MurmurHash3_x86_128 (Appleby, public domain) over a stream of 32-bit words. It tells whether
 * two runs are the same to the bit; it is no defence against forgery. Texts go in as UTF-8, numbers as IEEE 754 bits, low
 * word first, NaN as one canonical pattern.
 */
const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

const rotl = (x: number, r: number): number => (x << r) | (x >>> (32 - r));

const finish = (x: number): number => {
  let h = x ^ (x >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
};

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

export class Digest {
  private h1 = 0;
  private h2 = 0;
  private h3 = 0;
  private h4 = 0;
  private readonly block = new Int32Array(4);
  private filled = 0;
  /** Words so far; a double, so it does not wrap before 2^53. */
  private count = 0;

  /** Adds one word (taken modulo 2^32). */
  word(x: number): this {
    this.block[this.filled++] = x;
    this.count++;
    if (this.filled === 4) {
      this.filled = 0;
      this.mix();
    }
    return this;
  }

  number(x: number): this {
    double[0] = x === x ? x : NaN;
    if (x === x) return this.word(halves[0]).word(halves[1]);
    return this.word(0).word(0x7ff80000);
  }

  /** Length in bytes, then the UTF-8 bytes, four to a word, zero-padded. Lone surrogates count as U+FFFD. */
  text(text: string): this {
    const at = this.count;
    let length = 0;
    let packed = 0;
    const byte = (value: number): void => {
      packed |= value << ((length & 3) * 8);
      length++;
      if ((length & 3) === 0) {
        this.word(packed);
        packed = 0;
      }
    };
    for (const symbol of text) {
      let point = symbol.codePointAt(0) as number;
      if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
      if (point < 0x80) byte(point);
      else if (point < 0x800) {
        byte(0xc0 | (point >> 6));
        byte(0x80 | (point & 63));
      } else if (point < 0x10000) {
        byte(0xe0 | (point >> 12));
        byte(0x80 | ((point >> 6) & 63));
        byte(0x80 | (point & 63));
      } else {
        byte(0xf0 | (point >> 18));
        byte(0x80 | ((point >> 12) & 63));
        byte(0x80 | ((point >> 6) & 63));
        byte(0x80 | (point & 63));
      }
    }
    if ((length & 3) !== 0) this.word(packed);
    // The length last: a text is never the beginning of another one, and one pass over it is enough.
    return this.word(length).word(this.count - at);
  }

  /** Adds every element as a word, preceded by their number. */
  words(values: ArrayLike<number>, from = 0, to = values.length): this {
    this.word(to - from);
    for (let i = from; i < to; i++) this.word(values[i]);
    return this;
  }

  /** Adds the bytes of a typed array, preceded by their number, four to a word, zero-padded. */
  bytes(view: ArrayBufferView): this {
    const whole = view.byteLength >>> 2;
    if (view.byteOffset & 3) return this.bytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice());
    this.words(new Uint32Array(view.buffer, view.byteOffset, whole));
    const rest = new Uint8Array(view.buffer, view.byteOffset + whole * 4, view.byteLength & 3);
    let last = 0;
    for (let i = 0; i < rest.length; i++) last |= rest[i] << (i * 8);
    return this.word(view.byteLength).word(last);
  }

  /** 32 hexadecimal digits over everything added so far; more may be added afterwards. */
  hex(): string {
    let { h1, h2, h3, h4 } = this;
    const { block, filled } = this;
    if (filled > 2) h3 ^= Math.imul(rotl(Math.imul(block[2], C3), 17), C4);
    if (filled > 1) h2 ^= Math.imul(rotl(Math.imul(block[1], C2), 16), C3);
    if (filled > 0) h1 ^= Math.imul(rotl(Math.imul(block[0], C1), 15), C2);
    const bytes = (this.count * 4) | 0;
    h1 ^= bytes;
    h2 ^= bytes;
    h3 ^= bytes;
    h4 ^= bytes;
    h1 = (h1 + h2 + h3 + h4) | 0;
    h2 = (h2 + h1) | 0;
    h3 = (h3 + h1) | 0;
    h4 = (h4 + h1) | 0;
    h1 = finish(h1);
    h2 = finish(h2);
    h3 = finish(h3);
    h4 = finish(h4);
    h1 = (h1 + h2 + h3 + h4) | 0;
    h2 = (h2 + h1) | 0;
    h3 = (h3 + h1) | 0;
    h4 = (h4 + h1) | 0;
    return [h1, h2, h3, h4].map((h) => (h >>> 0).toString(16).padStart(8, '0')).join('');
  }

  private mix(): void {
    const { block } = this;
    let { h1, h2, h3, h4 } = this;
    h1 ^= Math.imul(rotl(Math.imul(block[0], C1), 15), C2);
    h1 = rotl(h1, 19);
    h1 = (Math.imul((h1 + h2) | 0, 5) + 0x561ccd1b) | 0;
    h2 ^= Math.imul(rotl(Math.imul(block[1], C2), 16), C3);
    h2 = rotl(h2, 17);
    h2 = (Math.imul((h2 + h3) | 0, 5) + 0x0bcaa747) | 0;
    h3 ^= Math.imul(rotl(Math.imul(block[2], C3), 17), C4);
    h3 = rotl(h3, 15);
    h3 = (Math.imul((h3 + h4) | 0, 5) + 0x96cd1c35) | 0;
    h4 ^= Math.imul(rotl(Math.imul(block[3], C4), 18), C1);
    h4 = rotl(h4, 13);
    h4 = (Math.imul((h4 + h1) | 0, 5) + 0x32ac3b17) | 0;
    this.h1 = h1;
    this.h2 = h2;
    this.h3 = h3;
    this.h4 = h4;
  }
}
