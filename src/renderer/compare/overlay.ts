import type { SeriesColumn, SeriesFrame } from '../../contract/engine-api';

/** A column of an arm in the common frame. */
export const overlayName = (arm: string, metric: string): string => `${arm}: ${metric}`;

/**
 * Columns of several runs in one frame, so that one chart can draw them: buckets of the coarsest run, finer ones put together
 * (recorders double their buckets, so each coarse one holds a whole number of fine ones). A run that ended earlier has NaN behind its end.
 */
export function overlay(runs: readonly { readonly name: string; readonly series: SeriesFrame }[], metrics: readonly string[]): SeriesFrame {
  const bucketNs = runs.reduce((most, run) => Math.max(most, run.series.bucketNs), 1);
  const columns = runs.flatMap((run) => metrics.flatMap((metric) => {
    const column = run.series.columns.find((candidate) => candidate.metric === metric);
    if (!column) return [];
    return [{ ...coarser(column, Math.max(1, Math.round(bucketNs / run.series.bucketNs))), metric: overlayName(run.name, metric) }];
  }));
  const length = columns.reduce((most, column) => Math.max(most, column.last.length), 0);
  return { start: 0, bucketNs, columns: columns.map((column) => padded(column, length)) };
}

function coarser(column: SeriesColumn, group: number): SeriesColumn {
  if (group === 1) return column;
  const length = Math.ceil(column.last.length / group);
  const min = new Float64Array(length).fill(NaN);
  const max = new Float64Array(length).fill(NaN);
  const last = new Float64Array(length).fill(NaN);
  for (let i = 0; i < column.last.length; i += 1) {
    const to = Math.floor(i / group);
    const value = column.last[i] ?? NaN;
    if (Number.isNaN(value)) continue;
    min[to] = Math.min(min[to] ?? NaN, column.min[i] ?? NaN);
    max[to] = Math.max(max[to] ?? NaN, column.max[i] ?? NaN);
    if (Number.isNaN(min[to] ?? NaN)) min[to] = column.min[i] ?? NaN;
    if (Number.isNaN(max[to] ?? NaN)) max[to] = column.max[i] ?? NaN;
    last[to] = value;
  }
  return { metric: column.metric, min, max, last };
}

function padded(column: SeriesColumn, length: number): SeriesColumn {
  if (column.last.length === length) return column;
  const pad = (values: Float64Array): Float64Array => {
    const out = new Float64Array(length).fill(NaN);
    out.set(values);
    return out;
  };
  return { metric: column.metric, min: pad(column.min), max: pad(column.max), last: pad(column.last) };
}
