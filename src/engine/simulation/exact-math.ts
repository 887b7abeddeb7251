/**
 * Powers to the same bit everywhere: the library's exp, log and pow differ in the last bit between runtimes, so these are made of the
 * operations that IEEE 754 fixes. Relative error below 1e-14 for 1 ≤ base ≤ 2^32 and |exponent| ≤ 2.
 */
const LN2 = 0.6931471805599453;
const TERMS = 22;

/** Natural logarithm of x ≥ 1: powers of two taken out, then 2 artanh((m - 1) / (m + 1)) as a series. */
const ln = (x: number): number => {
  let mantissa = x;
  let twos = 0;
  while (mantissa >= 1.5) {
    mantissa /= 2;
    twos++;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let sum = 0;
  for (let n = 2 * TERMS + 1; n >= 1; n -= 2) sum = sum * square + 1 / n;
  return twos * LN2 + 2 * ratio * sum;
};

/** e^x for |x| ≤ 50. */
const exp = (x: number): number => {
  const twos = Math.floor(x / LN2 + 0.5);
  const rest = x - twos * LN2;
  let sum = 1;
  for (let n = TERMS; n >= 1; n--) sum = 1 + (sum * rest) / n;
  let power = sum;
  for (let i = 0; i < twos; i++) power *= 2;
  for (let i = 0; i > twos; i--) power /= 2;
  return power;
};

/** base^exponent. */
export const power = (base: number, exponent: number): number => exp(exponent * ln(base));
