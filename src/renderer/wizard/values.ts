/** Typed texts as numbers, and objects without what was not said. */

export function numberOf(text: string): number {
  const value = Number(text.trim());
  if (text.trim() === '' || !Number.isFinite(value)) throw new Error(`expected a number, got “${text}”`);
  return value;
}

export const optionalNumber = (text: string): number | undefined => (text.trim() === '' ? undefined : numberOf(text));

/** Leaves out what is undefined, so that files hold only what was said. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
