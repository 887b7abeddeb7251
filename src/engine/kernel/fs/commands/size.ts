/** Sizes for people, as util-linux and procps print them. */

const UNITS = 'BKMGTPE';

/**
 * util-linux 2.38 size_to_human_string(SIZE_SUFFIX_1LETTER): the largest binary unit, one decimal rounded half up from the
 * third one cut off, none when it is zero: 64M, 53.2M, 7.8G, 0B, 1024M just below 1G.
 * @param bytes a whole number; exact also beyond 2^53 when given as bigint
 */
export function humanSize(bytes: number | bigint): string {
  const value = BigInt(bytes);
  let unit = 0;
  while (unit < 6 && value >= 1n << BigInt(10 * (unit + 1))) unit++;
  const one = 1n << BigInt(10 * unit);
  let whole = value / one;
  const rest = value % one;
  let tenths = ((rest * 1000n) / one + 50n) / 100n;
  if (tenths === 10n) {
    whole++;
    tenths = 0n;
  }
  return `${whole}${tenths === 0n ? '' : `.${tenths}`}${UNITS[unit]}`;
}

/** printf("%.1f") of a float (procps keeps the quotient in a C float): exact decimal expansion, ties to even. */
function oneDecimal(value: number): string {
  const scaled = value * 10;
  let tenths = Math.floor(scaled);
  const rest = scaled - tenths;
  if (rest > 0.5 || (rest === 0.5 && tenths % 2 === 1)) tenths++;
  return `${Math.floor(tenths / 10)}.${tenths % 10}`;
}

/**
 * procps 4.0 `free -h`: the smallest unit whose number fits, with one decimal while that takes at most five characters
 * (1.5Gi), otherwise whole and cut off (23Gi, 191Mi).
 */
export function freeHuman(bytes: number): string {
  const plain = `${bytes}B`;
  if (plain.length <= 4) return plain;
  let one = 1;
  for (let unit = 1; unit < 6; unit++) {
    one *= 1024;
    const quotient = Math.fround(bytes / one);
    const decimal = `${oneDecimal(quotient)}${UNITS[unit]}i`;
    if (decimal.length <= 5) return decimal;
    const whole = `${Math.trunc(quotient)}${UNITS[unit]}i`;
    if (whole.length <= 5) return whole;
  }
  return `${Math.trunc(bytes / one)}Pi`;
}
