/** Ends of axes and texts of ticks. */

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10] as const;

/** A value axis from 0 with at most `most` lines at round numbers, its end a little above `value`. 0…1 for nothing at all. */
export function valueAxis(value: number, most = 5): { top: number; step: number } {
  if (!(value > 0)) return { top: 1, step: most < 4 ? 0.5 : 0.25 };
  const wanted = value * 1.03;
  const raw = wanted / most;
  const decade = 10 ** Math.floor(Math.log10(raw));
  const step = Number(((STEPS.find((candidate) => candidate * decade >= raw) ?? 10) * decade).toPrecision(3));
  return { top: Number((Math.ceil(wanted / step) * step).toPrecision(6)), step };
}

/** A tick on a value axis: at most four characters and a unit prefix. */
export function tickText(value: number): string {
  const abs = Math.abs(value);
  if (abs >= 1e9) return `${trim(value / 1e9)}G`;
  if (abs >= 1e6) return `${trim(value / 1e6)}M`;
  if (abs >= 1e4) return `${trim(value / 1e3)}k`;
  return trim(value);
}
const trim = (value: number): string => String(Number(value.toPrecision(3)));

/** A tick on the time axis; `step` is the distance of ticks in seconds. */
export function timeTick(seconds: number, step: number): string {
  if (seconds === 0) return '0 s';
  if (step >= 60) return `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;
  if (step >= 1) return `${Math.round(seconds)} s`;
  if (step >= 0.001) return `${Number((seconds).toFixed(3))} s`;
  return `${Number((seconds * 1e3).toFixed(6))} ms`;
}

/** Distance of about five ticks over a range: 1, 2 or 5 times a power of ten; over a minute whole parts of minutes. */
export function tickStep(range: number, ticks = 5): number {
  if (!(range > 0)) return 1;
  const raw = range / ticks;
  if (raw > 10) {
    for (const step of [15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400]) if (step >= raw) return step;
    return Math.ceil(raw / 14400) * 14400;
  }
  const decade = 10 ** Math.floor(Math.log10(raw));
  // A hair of tolerance: 0.001 / 5 is not quite 2e-4.
  for (const step of [1, 2, 5, 10]) if (step * decade >= raw * (1 - 1e-9)) return step * decade;
  return decade * 10;
}

/** The round times of a range, in seconds. */
export function timeTicks(from: number, to: number): number[] {
  const step = tickStep(to - from);
  const ticks: number[] = [];
  // Multiples, not sums: a sum of thousandths drifts away from the round number that the label shows.
  for (let n = Math.ceil(from / step - 1e-9) + 0; n * step <= to && ticks.length < 50; n += 1) ticks.push(n * step);
  return ticks;
}

/** A value with up to four significant digits, for legends and tables. */
export function valueText(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const abs = Math.abs(value);
  if (abs >= 1e4) return tickText(value);
  if (abs >= 1000) return String(Math.round(value));
  return Number.isInteger(value) ? String(value) : value.toFixed(abs >= 100 ? 1 : abs >= 1 ? 2 : 3);
}
