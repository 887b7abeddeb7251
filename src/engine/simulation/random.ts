/**
 * Random streams: xoshiro128** (Blackman and Vigna, public domain), seeded through splitmix32 from a seed and a stream
 * name, so that one consumer drawing more numbers never shifts what another one sees.
 */

/** One step of splitmix32 over a state; returns a well-mixed word. */
const splitmix32 = (state: number): number => {
  let z = state | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
};

export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** Four words of state, not all zero. */
  constructor(a: number, b: number, c: number, d: number) {
    this.a = a | 0;
    this.b = b | 0;
    this.c = c | 0;
    this.d = d | 0;
  }

  /** The stream `name` of a run with this seed (a whole number below 2^53). */
  static stream(seed: number, name: string): Random {
    let state = (seed % 0x100000000) ^ Math.imul(Math.floor(seed / 0x100000000), 0x9e3779b1);
    for (let i = 0; i < name.length; i++) state = splitmix32(state + 0x9e3779b9 + name.charCodeAt(i));
    const word = (): number => {
      state = (state + 0x9e3779b9) | 0;
      return splitmix32(state);
    };
    return new Random(word(), word(), word(), word() | 1);
  }

  /** The next 32 bits, unsigned. */
  next(): number {
    const times5 = Math.imul(this.b, 5);
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9) >>> 0;
    const t = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= t;
    this.d = (this.d << 11) | (this.d >>> 21);
    return result;
  }

  /** A whole number from 0 to n-1, 1 ≤ n ≤ 2^32, without bias (rejection). */
  below(n: number): number {
    const limit = 0x100000000 - (0x100000000 % n);
    for (;;) {
      const word = this.next();
      if (word < limit) return word % n;
    }
  }

  /** 53 random bits in [0, 1). */
  fraction(): number {
    const high = this.next() >>> 5;
    const low = this.next() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }
}
