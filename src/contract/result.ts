/** The result file: what was run, what was measured by arm and seed, and how the claims fared. */
import { z } from 'zod';
import type { RunResult } from '../engine/experiment/result';

export const RESULT_FORMAT = 'swaplab/result';
export const RESULT_VERSION = 1;

const metricValue = z.union([z.number(), z.string()]);
const spread = z.strictObject({ mean: z.number(), min: z.number(), max: z.number(), deviation: z.number() });
const column = z.strictObject({
  min: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  last: z.array(z.number().nullable()),
});

export const resultSchema = z.strictObject({
  format: z.literal(RESULT_FORMAT),
  version: z.literal(RESULT_VERSION),
  title: z.string(),
  /** Every arm and seed ran to its end. */
  complete: z.boolean(),
  /** 128 bits in hex over the digests of all runs; null when one of them failed. */
  digest: z.string().regex(/^[0-9a-f]{32}$/).nullable(),
  arms: z.array(z.strictObject({
    name: z.string(),
    kernel: z.string(),
    runs: z.array(z.strictObject({
      seed: z.number().int(),
      digest: z.string().regex(/^[0-9a-f]{32}$/),
      operations: z.number().int(),
      simulated_ns: z.number().int(),
      failure: z.string().optional(),
      metrics: z.record(z.string(), metricValue),
      series: z.strictObject({ start_ns: z.number(), bucket_ns: z.number(), columns: z.record(z.string(), column) }),
    })),
    /** Over the seeds, for metrics that are numbers and not the same in all of them. */
    spread: z.record(z.string(), spread),
  })),
  claims: z.array(z.strictObject({
    id: z.string(),
    source: z.string(),
    what: z.string(),
    published: metricValue.optional(),
    metric: z.string().optional(),
    expression: z.string().optional(),
    band: z.tuple([z.number(), z.number()]).optional(),
    equals: metricValue.optional(),
    /** null: a metric that it needs was never there. */
    value: metricValue.nullable(),
    holds: z.boolean(),
    /** Metrics that it needs and that no run had. */
    missing: z.array(z.string()).optional(),
  })),
});

export type ResultFile = z.infer<typeof resultSchema>;

/** Compile-time check: what the engine assembles is what the file holds (typed arrays are written as lists). */
type Comparable<T> = T extends Float64Array ? (number | null)[]
  : T extends readonly [infer A, infer B] ? [A, B]
  : T extends readonly (infer U)[] ? Comparable<U>[]
  : T extends object ? { -readonly [K in keyof T]: Comparable<T[K]> } : T;
type Agrees<A extends B, B> = A;
export type EngineFillsFile = Agrees<Comparable<RunResult>, ResultFile>;
