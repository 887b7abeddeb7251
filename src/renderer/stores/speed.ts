/**
 * The speed slider: logarithmic, four notches to a factor of ten, from a thousandth of real time to a thousandfold;
 * the last notch is “as fast as possible”. Speed is simulated seconds a wall-clock second.
 */
const PER_DECADE = 4;
const LOWEST_DECADE = -3;
const HIGHEST_DECADE = 3;

export const SPEED_STEPS = (HIGHEST_DECADE - LOWEST_DECADE) * PER_DECADE + 1;
export const MAX_STEP = SPEED_STEPS;

/** Notches of one decade: the preferred numbers 1, 2, 5 would be uneven steps; these are even on the logarithmic scale to 6 %. */
const NOTCHES = [1, 1.8, 3.2, 5.6] as const;

/** Notch 0 … MAX_STEP → speed; MAX_STEP → Infinity. */
export function speedOfStep(step: number): number {
  const at = Math.max(0, Math.min(MAX_STEP, Math.round(step)));
  if (at === MAX_STEP) return Infinity;
  const decade = Math.floor(at / PER_DECADE) + LOWEST_DECADE;
  const value = (NOTCHES[at % PER_DECADE] ?? 1) * 10 ** decade;
  return Number(value.toPrecision(2));
}

/** The nearest notch on the logarithmic scale. */
export function stepOfSpeed(speed: number): number {
  if (speed === Infinity) return MAX_STEP;
  let best = 0;
  for (let step = 1; step < MAX_STEP; step += 1) {
    if (Math.abs(Math.log(speedOfStep(step) / speed)) < Math.abs(Math.log(speedOfStep(best) / speed))) best = step;
  }
  return best;
}

/** ×0.001 … ×1 … ×1000, or “max”. */
export const speedText = (speed: number): string => (speed === Infinity ? 'max' : `×${speed}`);
