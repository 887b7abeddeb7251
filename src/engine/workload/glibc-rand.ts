/**
 * The C library's rand(): glibc's additive feedback generator of 31 words (TYPE_3), so that a program that does not seed it can be
 * replayed number by number.
 * Source: stdlib/random_r.c of glibc; the sequence of seed 1 begins 1804289383, 846930886, 1681692777.
 */
const WORDS = 31;
const SEPARATION = 3;
const WARM_UP = 310;

export class GlibcRand {
  private readonly state = new Int32Array(WORDS);
  private front = SEPARATION;
  private rear = 0;

  /** `seed` as srand takes it; 0 counts as 1. */
  constructor(seed = 1) {
    let word = seed === 0 ? 1 : seed | 0;
    this.state[0] = word;
    for (let i = 1; i < WORDS; i++) {
      const high = Math.trunc(word / 127773);
      word = 16807 * (word - high * 127773) - 2836 * high;
      if (word < 0) word += 2147483647;
      this.state[i] = word;
    }
    for (let i = 0; i < WARM_UP; i++) this.next();
  }

  /** 0 … 2^31 - 1 */
  next(): number {
    const value = (this.state[this.front] + this.state[this.rear]) | 0;
    this.state[this.front] = value;
    this.front = this.front + 1 === WORDS ? 0 : this.front + 1;
    this.rear = this.rear + 1 === WORDS ? 0 : this.rear + 1;
    return value >>> 1;
  }
}
