import type { CompareArmResult, CompareResult } from '../../contract/compare';

export interface MetricRow {
  readonly metric: string;
  /** One an arm; undefined: the arm has no such metric. */
  readonly values: readonly (number | string | undefined)[];
  /** Against the first arm, numbers only. */
  readonly differences: readonly (number | undefined)[];
  /** 0: all alike; 1: as far apart as numbers of one sign can be. Texts that differ: 1. */
  readonly distance: number;
}

/** A metric that another kernel does not have differs less than any that both have. */
const MISSING = 1e-12;

const between = (a: number | string | undefined, b: number | string | undefined): number => {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return MISSING;
  if (typeof a !== 'number' || typeof b !== 'number') return 1;
  return Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
};

/** Lowest and highest values over the run stand behind the values themselves. */
const isExtreme = (row: MetricRow): boolean => row.metric.startsWith('always.');

export interface RowChoice {
  readonly search: string;
  readonly alike: boolean;
  readonly sort: 'difference' | 'name';
}

/** What a run is told by besides its metrics. */
const own = (arm: CompareArmResult): Record<string, number | string> => ({
  'slots.requests': arm.requests, ...arm.metrics,
});

export function metricRows(result: CompareResult, choice: RowChoice): MetricRow[] {
  const all = result.arms.map(own);
  const words = choice.search.toLowerCase().split(/\s+/).filter(Boolean);
  const names = [...new Set(all.flatMap((metrics) => Object.keys(metrics)))];
  const rows = names
    .filter((name) => words.every((word) => name.toLowerCase().includes(word)))
    .map((metric) => {
      const values = all.map((metrics) => metrics[metric]);
      const [first] = values;
      return {
        metric, values,
        differences: values.map((value) => (typeof first === 'number' && typeof value === 'number' ? value - first : undefined)),
        distance: values.reduce<number>((most, value) => Math.max(most, between(first, value)), 0),
      };
    })
    .filter((row) => choice.alike || row.distance > 0);
  const byName = (a: MetricRow, b: MetricRow): number => a.metric.localeCompare(b.metric);
  const byDistance = (a: MetricRow, b: MetricRow): number => (
    b.distance - a.distance || Number(isExtreme(a)) - Number(isExtreme(b)) || byName(a, b)
  );
  return rows.sort(choice.sort === 'name' ? byName : byDistance);
}

const cell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The table as CSV at full precision, with comment lines that say where it comes from. */
export function metricsCsv(result: CompareResult, rows: readonly MetricRow[], version: string): string {
  const heads = result.arms.map((arm) => `${arm.name} (${arm.kernel})`);
  const differences = result.arms.slice(1).map((arm) => `${arm.name} minus ${result.arms[0]?.name ?? ''}`);
  const lines = rows.map((row) => [
    row.metric, ...row.values.map((value) => (value === undefined ? '' : String(value))),
    ...row.differences.slice(1).map((value) => (value === undefined ? '' : String(value))),
  ]);
  const digests = result.arms.map((arm) => `# ${arm.name}: digest ${arm.digest}`);
  return [`# Swaplab ${version} · ${result.title} · seed ${result.seed}`, ...digests, ...[['metric', ...heads, ...differences], ...lines]
    .map((line) => line.map(cell).join(','))].join('\n').concat('\n');
}
