/**
 * Everything a machine measures: counters now, probes, automatic probes at OOM kills, extremes, and the recorded columns.
 *
 * Extremes of SwapTotal, SwapFree and swap in use are exact: they are taken up after every single change. Those of other
 * counters are over the samples: at fixed simulated times, after each step of the script, and at each OOM kill.
 */
import type { FsKernel } from '../kernel/fs/kernel';
import { countersOf, Metrics, metricsOf } from '../kernel/fs/metrics';
import type { SwapSystem } from '../kernel/swap/swap-system';
import { Recorder } from '../simulation/recorder';
import type { ColumnSource, RecordedColumn } from '../simulation/recorder';

type Values = Record<string, number | string>;

/** `meminfo` of `meminfo.SwapFree_kB`. */
const groupOf = (name: string): string => name.slice(0, name.indexOf('.'));

/** OOM kills that get a probe of their own; a run can have thousands. */
const OOM_PROBES = 16;
const KB = 4;

export class Measurements {
  readonly recorder: Recorder;
  private readonly metrics: Metrics;
  private readonly probes = new Map<string, Values>();
  /** Numbers that programs and the checker report: `program.churn.round.3.swpout`, `checker.violations`. */
  private readonly reports = new Map<string, number | string>();
  private oomKills = 0;
  private listed: readonly unknown[] = [];
  /** First parts of the counters' names; the names of probes are others. */
  private groups: Set<string> | undefined;
  // Exact extremes, in pages.
  private minFree = Infinity;
  private maxFree = -Infinity;
  private minTotal = Infinity;
  private maxTotal = -Infinity;
  private minUsed = Infinity;
  private maxUsed = -Infinity;

  /** @param own numbers of the machine itself (time, objects) that are no counter of the kernel */
  constructor(
    private readonly kernel: FsKernel,
    private readonly swap: SwapSystem,
    private readonly own: () => Record<string, number>,
    recorder: { bucketMs: number; buckets: number },
  ) {
    this.recorder = new Recorder(recorder.bucketMs, recorder.buckets);
    this.metrics = new Metrics(kernel);
  }

  /** After each change of free or total swap, and after each slot allocated or freed. */
  swapChanged(): void {
    const total = this.swap.totalPages;
    const free = this.swap.freePages;
    if (free < this.minFree) this.minFree = free;
    if (free > this.maxFree) this.maxFree = free;
    if (total < this.minTotal) this.minTotal = total;
    if (total > this.maxTotal) this.maxTotal = total;
    const used = total - free;
    if (used < this.minUsed) this.minUsed = used;
    if (used > this.maxUsed) this.maxUsed = used;
  }

  /** The state before an operation that starts at `next`, when a sample is due. */
  sample(next: number): void {
    this.metrics.refresh();
    this.recorder.sample(next);
  }

  /** The state right after a step at `now`: devices and cgroups may have come or gone. */
  note(now: number): void {
    this.swapChanged();
    const list = this.metrics.list();
    this.metrics.refresh();
    if (list === this.listed) this.recorder.note(now);
    else {
      this.listed = list;
      const used: ColumnSource = { name: 'swap.used_kB', read: () => (this.swap.totalPages - this.swap.freePages) * KB };
      this.recorder.bind([...list, used], now);
    }
  }

  /** Recorded columns; the last bucket shows the state at this moment. */
  series(metrics: readonly string[], points: number): { bucketNs: number; columns: RecordedColumn[] } {
    this.metrics.refresh();
    return this.recorder.series(metrics, points);
  }

  probe(name: string): void {
    this.probes.set(name, this.now());
  }

  /** Counters still show the state at the kill. */
  oomKill(now: number): void {
    this.note(now);
    this.oomKills++;
    if (this.oomKills <= OOM_PROBES) this.probes.set(`oom.${this.oomKills}`, this.now());
  }

  report(name: string, value: number | string): void {
    this.reports.set(name, value);
  }

  /** What was reported so far, in order of first report. */
  reported(): ReadonlyMap<string, number | string> {
    return this.reports;
  }

  counters(): Record<string, number> {
    return { ...countersOf(this.kernel), ...this.ownNumbers() };
  }

  /** All metrics now, texts included; no probes, no extremes. */
  now(): Values {
    return { ...metricsOf(this.kernel), ...this.ownNumbers() };
  }

  /** One metric by name, from wherever it comes; undefined: not there (yet). `now` is asked for only where it is needed. */
  lookup(now: () => Values, name: string): number | string | undefined {
    if (name.startsWith('always.')) return this.extremes()[name];
    const reported = this.reports.get(name);
    if (reported !== undefined) return reported;
    this.groups ??= new Set(Object.keys(now()).map(groupOf));
    if (this.groups.has(groupOf(name)) && Object.hasOwn(now(), name)) return now()[name];
    for (const [probe, values] of this.probes) {
      if (name.startsWith(`${probe}.`)) {
        const metric = name.slice(probe.length + 1);
        if (Object.hasOwn(values, metric)) return values[metric];
      }
    }
    return undefined;
  }

  /** Everything, flat. */
  all(): Values {
    const values: Values = this.now();
    for (const [name, value] of this.reports) values[name] = value;
    for (const [probe, probed] of this.probes) for (const name of Object.keys(probed)) values[`${probe}.${name}`] = probed[name];
    Object.assign(values, this.extremes());
    return values;
  }

  private ownNumbers(): Record<string, number> {
    return { 'swap.used_kB': (this.swap.totalPages - this.swap.freePages) * KB, 'oom.kills': this.oomKills, ...this.own() };
  }

  private extremes(): Record<string, number> {
    const values: Record<string, number> = {};
    this.recorder.forEachExtreme((metric, min, max) => {
      values[`always.min.${metric}`] = min;
      values[`always.max.${metric}`] = max;
    });
    const exact = (name: string, min: number, max: number): void => {
      values[`always.min.${name}`] = min * KB;
      values[`always.max.${name}`] = max * KB;
    };
    exact('meminfo.SwapFree_kB', this.minFree, this.maxFree);
    exact('meminfo.SwapTotal_kB', this.minTotal, this.maxTotal);
    exact('swap.used_kB', this.minUsed, this.maxUsed);
    return values;
  }
}
