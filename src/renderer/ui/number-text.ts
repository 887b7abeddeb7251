/** Limits of a number field. */
export interface NumberLimits { readonly min?: number; readonly max?: number; readonly decimals?: boolean }

/** The number that a text means, or a message that says what was expected. */
export function checkNumber(text: string, limits: NumberLimits): { value?: number; message: string } {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, decimals = false } = limits;
  const kind = decimals ? 'a number' : 'a whole number';
  const trimmed = text.trim();
  const shape = decimals ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  if (!shape.test(trimmed)) return { message: `Expected ${kind} ${range}` };
  const value = Number(trimmed);
  if (value < min || value > max) return { message: `Expected ${kind} ${range}` };
  return { value, message: '' };
}
