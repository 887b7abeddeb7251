import type { SeriesColumn, SeriesFrame } from '../../contract/engine-api';
import type { ChartSeries, PlotColumns } from './contract';

interface Span { readonly first: number; readonly end: number; readonly group: number }

/** The buckets that a window touches, one more on each side so that lines run out of the picture, in groups for `pixels` pixels. */
function spanOf(frame: SeriesFrame, length: number, from: number, to: number, pixels: number): Span {
  const first = Math.max(0, Math.floor((from - frame.start) / frame.bucketNs) - 1);
  const end = Math.min(length, Math.ceil((to - frame.start) / frame.bucketNs) + 1);
  return { first, end: Math.max(first, end), group: Math.max(1, Math.ceil((end - first) / Math.max(1, pixels))) };
}

/**
 * Recorded columns as lines of at most two points a pixel: the minimum and the maximum of each group of buckets, the one nearer
 * to the group's last value second, so that no spike is lost and the line goes on from where the value ended.
 * @param from, to simulated ns; `now` bounds the last bucket, which is not yet over.
 */
export function reduceColumns(
  frame: SeriesFrame, series: readonly ChartSeries[], from: number, to: number, now: number, pixels: number,
): PlotColumns {
  const byMetric = new Map<string, SeriesColumn>(frame.columns.map((column) => [column.metric, column]));
  const length = frame.columns.reduce((most, column) => Math.max(most, column.last.length), 0);
  const { first, end, group } = spanOf(frame, length, from, to, pixels);
  const groups = Math.ceil((end - first) / group);

  const time = new Float64Array(groups * 2);
  for (let g = 0; g < groups; g += 1) {
    const begins = frame.start + (first + g * group) * frame.bucketNs;
    const ends = Math.min(begins + group * frame.bucketNs, Math.max(now, begins));
    time[2 * g] = begins / 1e9;
    time[2 * g + 1] = ends / 1e9;
  }
  const values = series.map((line) => {
    const column = byMetric.get(line.metric);
    const out = new Float64Array(groups * 2).fill(NaN);
    if (!column) return out;
    for (let g = 0; g < groups; g += 1) {
      const at = first + g * group;
      const until = Math.min(at + group, end);
      if (line.rate) rateOf(column, frame, now, at, until, line.scale, out, 2 * g);
      else extremesOf(column, at, until, line.scale, out, 2 * g);
    }
    return out;
  });
  return { time, values };
}

function extremesOf(column: SeriesColumn, at: number, until: number, scale: number, out: Float64Array, to: number): void {
  let low = Infinity;
  let high = -Infinity;
  let last = NaN;
  for (let i = at; i < until; i += 1) {
    const lowest = column.min[i] ?? NaN;
    const highest = column.max[i] ?? NaN;
    if (lowest < low) low = lowest;
    if (highest > high) high = highest;
    const value = column.last[i] ?? NaN;
    if (!Number.isNaN(value)) last = value;
  }
  if (low > high) return;
  const risesToLast = Math.abs(high - last) <= Math.abs(last - low);
  out[to] = (risesToLast ? low : high) * scale;
  out[to + 1] = (risesToLast ? high : low) * scale;
}

/** Change over the buckets at…until, by the simulated time that has passed in them; the last may not be over yet. */
function rateOf(
  column: SeriesColumn, frame: SeriesFrame, now: number, at: number, until: number, scale: number, out: Float64Array, to: number,
): void {
  let last = NaN;
  for (let i = until - 1; i >= at && Number.isNaN(last); i -= 1) last = column.last[i] ?? NaN;
  let before = at > 0 ? column.last[at - 1] ?? NaN : NaN;
  if (Number.isNaN(before)) before = column.min[at] ?? NaN;
  const begins = frame.start + at * frame.bucketNs;
  const ends = Math.min(frame.start + until * frame.bucketNs, now);
  // Too little of a bucket has passed to tell a rate: its counter may not even have been sampled.
  const rate = ends - begins < frame.bucketNs / 2 ? NaN : ((last - before) / ((ends - begins) / 1e9)) * scale;
  out[to] = rate;
  out[to + 1] = rate;
}

/** The value of a line at a moment, as recorded there (last of the bucket; a rate: of the last whole bucket); NaN: none. */
export function valueAt(frame: SeriesFrame, line: ChartSeries, ns: number, now: number): number {
  const column = frame.columns.find((candidate) => candidate.metric === line.metric);
  if (!column || column.last.length === 0) return NaN;
  const at = Math.max(0, Math.min(column.last.length - 1, Math.floor((ns - frame.start) / frame.bucketNs)));
  if (!line.rate) {
    for (let i = at; i >= 0; i -= 1) { const value = column.last[i] ?? NaN; if (!Number.isNaN(value)) return value * line.scale; }
    return NaN;
  }
  const out = new Float64Array([NaN, NaN]);
  for (let i = at; i >= Math.max(0, at - 1) && Number.isNaN(out[0]); i -= 1) rateOf(column, frame, now, i, i + 1, line.scale, out, 0);
  return out[0] ?? NaN;
}

/** Highest recorded value of a column; 0 when there is none. */
export function highestOf(frame: SeriesFrame | undefined, metric: string): number {
  let most = 0;
  for (const value of frame?.columns.find((column) => column.metric === metric)?.max ?? []) if (value > most) most = value;
  return most;
}

/** Highest value of the drawn columns; 0 when there is none. */
export function highest(columns: PlotColumns): number {
  let most = 0;
  for (const column of columns.values) for (const value of column) if (value > most) most = value;
  return most;
}
