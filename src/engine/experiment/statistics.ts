/** Mean and spread over the seeds of an arm. */

export interface Spread {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Sample standard deviation; 0 for one value. */
  readonly deviation: number;
}

export const spreadOf = (values: readonly number[]): Spread => {
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  // Equal values have exactly their value as mean, whatever the sum was rounded to.
  const mean = min === max ? min : sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) * (value - mean);
  return { mean, min, max, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
};
