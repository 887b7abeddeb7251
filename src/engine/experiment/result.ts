/** Assembles the result of an experiment from the runs of its arms and seeds. */
import type { Machine, Series } from '../machine';
import { Digest } from '../simulation/digest';
import { evaluateClaim } from './claims';
import type { Lookup } from './expression';
import type { ClaimSpec, ExperimentSpec, KernelSpec } from './spec';
import { spreadOf } from './statistics';
import type { Spread } from './statistics';

export interface SeedRun {
  readonly seed: number;
  readonly digest: string;
  readonly operations: number;
  readonly simulated_ns: number;
  /** Why it did not run to its end. */
  readonly failure?: string;
  readonly metrics: Record<string, number | string>;
  readonly series: { readonly start_ns: number; readonly bucket_ns: number; readonly columns: Record<string, SeriesColumns> };
}

interface SeriesColumns {
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly last: Float64Array;
}

export interface ArmResult {
  readonly name: string;
  readonly kernel: string;
  readonly runs: readonly SeedRun[];
  readonly spread: Record<string, Spread>;
}

export interface ClaimResult extends ClaimSpec {
  readonly value: number | string | null;
  readonly holds: boolean;
  /** Metrics that it needs and that no run had; absent when there are none. */
  readonly missing?: readonly string[];
}

export interface RunResult {
  readonly format: 'swaplab/result';
  readonly version: 1;
  readonly title: string;
  readonly complete: boolean;
  readonly digest: string | null;
  readonly arms: readonly ArmResult[];
  readonly claims: readonly ClaimResult[];
}

/** Most buckets that a result keeps a column. */
const RESULT_POINTS = 256;

export const kernelText = (kernel: KernelSpec): string => {
  if (typeof kernel === 'string') return kernel;
  const set = Object.entries(kernel.set ?? {}).map(([policy, value]) => `${policy}=${value}`);
  return set.length ? `${kernel.base} with ${set.join(', ')}` : kernel.base;
};

const columnsOf = (series: Series): Record<string, SeriesColumns> => {
  const columns: Record<string, SeriesColumns> = {};
  for (const { metric, min, max, last } of series.columns) {
    // A column that never left one value is told by the metrics already.
    if (min.some((value, i) => value !== min[0] || max[i] !== min[0])) columns[metric] = { min, max, last };
  }
  return columns;
};

/** What a machine has to tell once its run is over (or as far as it has come). */
export const seedRun = (machine: Machine): SeedRun => {
  const series = machine.series(machine.columns(), RESULT_POINTS);
  const failure = machine.failure();
  return {
    seed: machine.seed,
    digest: machine.digest(),
    operations: machine.operations(),
    simulated_ns: machine.now(),
    ...(failure === undefined ? {} : { failure }),
    metrics: machine.measure(),
    series: { start_ns: series.start, bucket_ns: series.bucketNs, columns: columnsOf(series) },
  };
};

/** The mean over the seeds for numbers; a text must be the same in all of them. */
const overSeeds = (runs: readonly SeedRun[], name: string): number | string | undefined => {
  const values = runs.map((run) => (Object.hasOwn(run.metrics, name) ? run.metrics[name] : undefined));
  const first = values[0];
  if (values.every((value): value is number => typeof value === 'number')) return values.length ? spreadOf(values).mean : undefined;
  return values.every((value) => value === first) ? first : undefined;
};

const splitArm = (name: string): [arm: string | undefined, metric: string] => {
  const colon = name.indexOf(':');
  return colon < 0 ? [undefined, name] : [name.slice(0, colon), name.slice(colon + 1)];
};

/** `memcg./app.current` and `swaps./dev/zram0.used_kB` are taken for `memcg.app.current` and `swaps.zram0.used_kB`. */
const withoutSlashes = (metric: string): string => metric.replace(/\.\/(dev\/)?/g, '.');

/** `<arm>:<metric>`, or the bare metric where there is but one arm. */
export const armLookup = (arms: ReadonlyMap<string, Lookup>): Lookup => (name) => {
  const [arm, written] = splitArm(name);
  const metric = withoutSlashes(written);
  const ofArm = arm === undefined ? undefined : arms.get(arm);
  if (ofArm) return ofArm(metric);
  // A colon may belong to the metric: swap files have names of their own.
  return arms.size === 1 ? [...arms.values()][0](withoutSlashes(name)) : undefined;
};

export const assembleResult = (spec: ExperimentSpec, arms: readonly { name: string; kernel: KernelSpec; runs: readonly SeedRun[] }[]): RunResult => {
  const complete = arms.every((arm) => arm.runs.length > 0 && arm.runs.every((run) => run.failure === undefined));
  const digest = new Digest();
  for (const arm of arms) {
    digest.text(arm.name);
    for (const run of arm.runs) digest.number(run.seed).text(run.digest);
  }
  // Claims on arms that were not asked for are neither held nor broken.
  const ran = new Set(arms.map((arm) => arm.name));
  const leftOut = new Set(spec.arms.map((arm) => arm.name).filter((name) => !ran.has(name)));
  const lookup = armLookup(new Map(arms.map((arm) => [arm.name, (name: string) => overSeeds(arm.runs, name)])));
  return {
    format: 'swaplab/result',
    version: 1,
    title: spec.title,
    complete,
    digest: complete ? digest.hex() : null,
    arms: arms.map(({ name, kernel, runs }) => ({ name, kernel: kernelText(kernel), runs, spread: spreadsOf(runs) })),
    claims: spec.claims.flatMap((claim) => {
      const outcome = evaluateClaim(claim, lookup);
      if (outcome.missing.some((name) => leftOut.has(splitArm(name)[0] ?? ''))) return [];
      // What a division by nothing gives is no value.
      const value = outcome.value === undefined || (typeof outcome.value === 'number' && !Number.isFinite(outcome.value)) ? null : outcome.value;
      const missing = outcome.missing.length ? { missing: outcome.missing } : {};
      return [{ ...claim, value, holds: value !== null && (outcome.holds ?? false), ...missing }];
    }),
  };
};

const spreadsOf = (runs: readonly SeedRun[]): Record<string, Spread> => {
  const spreads: Record<string, Spread> = {};
  if (runs.length < 2) return spreads;
  for (const name of Object.keys(runs[0].metrics)) {
    const values = runs.map((run) => run.metrics[name]);
    if (!values.every((value): value is number => typeof value === 'number')) continue;
    if (values.some((value) => value !== values[0])) spreads[name] = spreadOf(values);
  }
  return spreads;
};
