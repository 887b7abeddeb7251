/**
 * Every counter as a column over simulated time, in buckets of equal length with minimum, maximum and last value. Memory is
 * bounded however long the run: when the buckets are used up, pairs merge and a bucket lasts twice as long.
 *
 * Work is proportional to what changed: a sample reads every counter once and compares; a counter that has not changed costs
 * nothing more, one that never changed has no arrays at all.
 *
 * Samples are taken at fixed simulated times (SAMPLES_A_BUCKET a bucket) and after each step of the script, so they do not
 * depend on how the run was sliced.
 */

/** A counter that can be read at any time; NaN when it does not exist at the moment. */
export interface ColumnSource {
  readonly name: string;
  read(): number;
}

export interface RecordedColumn {
  readonly metric: string;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly last: Float64Array;
}

const SAMPLES_A_BUCKET = 4;

const same = (a: number, b: number): boolean => a === b || (a !== a && b !== b);
const lower = (a: number, b: number): number => (a < b || b !== b ? a : b);
const higher = (a: number, b: number): number => (a > b || b !== b ? a : b);

class Column {
  /** The value of the last sample. */
  current: number;
  /** Extremes over the whole run; NaN until there was a number. */
  lowest: number;
  highest: number;
  /** Buckets 0…filled-1 of the arrays are written; later ones, up to now, hold `current` throughout. */
  filled = 0;
  /** Absent while the value never changed: then buckets from `since` on hold `current`. */
  min: Float64Array | null = null;
  max: Float64Array | null = null;
  last: Float64Array | null = null;

  constructor(
    readonly metric: string,
    /** Bucket of the first sample. */
    public since: number,
    value: number,
  ) {
    this.current = value;
    this.lowest = value;
    this.highest = value;
  }

  /** Writes `current` into the buckets that were left out, up to and without `bucket`. */
  fill(bucket: number): void {
    if (!this.min || !this.max || !this.last || this.filled >= bucket) return;
    this.min.fill(this.current, this.filled, bucket);
    this.max.fill(this.current, this.filled, bucket);
    this.last.fill(this.current, this.filled, bucket);
    this.filled = bucket;
  }

  change(bucket: number, value: number, capacity: number): void {
    if (!this.min || !this.max || !this.last) {
      this.min = new Float64Array(capacity).fill(NaN);
      this.max = new Float64Array(capacity).fill(NaN);
      this.last = new Float64Array(capacity).fill(NaN);
      this.filled = this.since;
    }
    this.fill(bucket + 1);
    this.min[bucket] = lower(this.min[bucket], value);
    this.max[bucket] = higher(this.max[bucket], value);
    this.last[bucket] = value;
    this.current = value;
    this.lowest = lower(value, this.lowest);
    this.highest = higher(value, this.highest);
  }

  /** Merges pairs of buckets; `used` of them are in use. */
  halve(used: number): void {
    this.since >>= 1;
    if (!this.min || !this.max || !this.last) return;
    this.fill(used);
    const half = (used + 1) >> 1;
    for (let i = 0; i < half; i++) {
      const a = 2 * i;
      const b = a + 1 < used ? a + 1 : a;
      this.min[i] = lower(this.min[a], this.min[b]);
      this.max[i] = higher(this.max[a], this.max[b]);
      this.last[i] = this.last[b];
    }
    this.min.fill(NaN, half);
    this.max.fill(NaN, half);
    this.last.fill(NaN, half);
    this.filled = half;
  }
}

export class Recorder {
  /** Simulated ns of one bucket. */
  bucketNs: number;
  /** The next sample is due before any operation that starts at or after this time. */
  nextSample: number;
  private readonly capacity: number;
  private sampleNs: number;
  private readonly byName = new Map<string, Column>();
  private sources: readonly ColumnSource[] = [];
  private bound: Column[] = [];
  /** Bucket of the latest sample. */
  private bucket = 0;

  /** @param bucketMs length of a bucket at the start, simulated ms, ≥ 1; @param capacity most buckets, an even number ≥ 2 */
  constructor(bucketMs: number, capacity: number) {
    this.bucketNs = bucketMs * 1e6;
    this.sampleNs = this.bucketNs / SAMPLES_A_BUCKET;
    this.nextSample = this.sampleNs;
    this.capacity = capacity + (capacity & 1);
  }

  /** The counters to record from now (ns) on. Columns that are no longer there read NaN from now on. */
  bind(sources: readonly ColumnSource[], now: number): void {
    this.reach(Math.floor(now / this.bucketNs));
    const gone = new Set(this.bound);
    this.sources = sources;
    this.bound = sources.map((source) => {
      const value = source.read();
      let column = this.byName.get(source.name);
      if (!column) {
        column = new Column(source.name, this.bucket, value);
        this.byName.set(source.name, column);
      } else if (!same(column.current, value)) column.change(this.bucket, value, this.capacity);
      gone.delete(column);
      return column;
    });
    for (const column of gone) if (!same(column.current, NaN)) column.change(this.bucket, NaN, this.capacity);
  }

  /** A sample that was due: the state before the operation that starts at `next` ≥ nextSample. */
  sample(next: number): void {
    // The state has stood since an operation less than one sample length before nextSample: that is the bucket it belongs to.
    this.reach(Math.ceil(this.nextSample / this.bucketNs) - 1);
    this.take();
    this.reach(Math.floor(next / this.bucketNs));
    this.nextSample = (Math.floor(next / this.sampleNs) + 1) * this.sampleNs;
  }

  /** A sample out of turn: the state right after an operation at `now`. */
  note(now: number): void {
    this.reach(Math.floor(now / this.bucketNs));
    this.take();
  }

  names(): string[] {
    return [...this.byName.keys()];
  }

  /** Lowest and highest value sampled; absent for an unknown name or one that never was a number. */
  extremes(metric: string): { min: number; max: number } | undefined {
    const column = this.byName.get(metric);
    return column && column.lowest === column.lowest ? { min: column.lowest, max: column.highest } : undefined;
  }

  /** Calls back for each column that ever was a number. */
  forEachExtreme(callback: (metric: string, min: number, max: number) => void): void {
    for (const column of this.byName.values()) {
      if (column.lowest === column.lowest) callback(column.metric, column.lowest, column.highest);
    }
  }

  /**
   * Columns as recorded so far, merged by a power of two to at most `points` buckets. The last bucket takes in the state at
   * this moment without keeping it, so that looking changes nothing.
   */
  series(metrics: readonly string[], points: number): { bucketNs: number; columns: RecordedColumn[] } {
    const used = this.bucket + 1;
    let factor = 1;
    while (Math.ceil(used / factor) > points) factor *= 2;
    const live = new Map<Column, number>();
    this.bound.forEach((column, i) => live.set(column, this.sources[i].read()));
    const columns = metrics.map((metric) => {
      const column = this.byName.get(metric);
      return { metric, ...this.reduce(column, used, factor, column ? (live.get(column) ?? NaN) : NaN) };
    });
    return { bucketNs: this.bucketNs * factor, columns };
  }

  private reduce(column: Column | undefined, used: number, factor: number, live: number): Omit<RecordedColumn, 'metric'> {
    const length = Math.ceil(used / factor);
    const min = new Float64Array(length).fill(NaN);
    const max = new Float64Array(length).fill(NaN);
    const last = new Float64Array(length).fill(NaN);
    if (!column) return { min, max, last };
    column.fill(used);
    for (let i = 0; i < used; i++) {
      const to = Math.floor(i / factor);
      const constant = i >= column.since ? column.current : NaN;
      min[to] = lower(min[to], column.min ? column.min[i] : constant);
      max[to] = higher(max[to], column.max ? column.max[i] : constant);
      last[to] = column.last ? column.last[i] : constant;
    }
    min[length - 1] = lower(min[length - 1], live);
    max[length - 1] = higher(max[length - 1], live);
    last[length - 1] = live;
    return { min, max, last };
  }

  private take(): void {
    const { sources, bound } = this;
    for (let i = 0; i < bound.length; i++) {
      const value = sources[i].read();
      const column = bound[i];
      if (value !== column.current && !same(value, column.current)) column.change(this.bucket, value, this.capacity);
    }
  }

  /** Makes `bucket` (in buckets of the present length) the latest one, merging pairs as often as needed. */
  private reach(bucket: number): void {
    let wanted = bucket;
    while (wanted >= this.capacity) {
      for (const column of this.byName.values()) column.halve(this.bucket + 1);
      this.bucket >>= 1;
      wanted = Math.floor(wanted / 2);
      this.bucketNs *= 2;
      this.sampleNs *= 2;
    }
    if (wanted > this.bucket) this.bucket = wanted;
  }
}
