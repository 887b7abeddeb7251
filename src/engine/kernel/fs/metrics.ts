/**
 * The machine's counters as flat metrics, named as the kernel names them:
 * - `meminfo.<key>_kB` (brackets become an underscore: `meminfo.Active_anon_kB`), `vmstat.<key>`
 * - `swaps.<device>.size_kB`, `.used_kB`, `.priority`, `.free_clusters`;
 *   `reclaim.batch_slots`, `.batch_runs`; `xswap.<device>.limit_pages`, `.mapped_clusters`
 * - `thp.<size>.<counter>` (`thp.64kB.swpout`)
 * - `memcg.<path>.<counter>` (`memcg.app.current`, bytes where the file shows bytes), `memcg.<path>.stat.<key>` of memory.stat
 * - `zswap.<counter>` of debugfs, `zram.<device>.<column of mm_stat>`, `block.<device>.<counter>`
 * Devices go without /dev/ and without a leading slash, cgroups without a leading slash (`memcg.app.oom_kill`).
 */
import type { MemcgStatName } from '../memory/counters';
import type { BlockView, MemcgView, Meminfo, ZramView } from '../memory/types';
import type { SwapDeviceView } from '../swap/types';
import { swaponRow, swaponShow } from './commands/swapon';
import { eraOf } from './era';
import { metricDeviceName, PAGE_BYTES, PAGE_KB } from './kernel';
import type { FsKernel } from './kernel';
import { meminfoValues } from './meminfo';
import { procSwaps } from './proc';
import { THP_ORDERS, thpSizeName, thpStats } from './thp-files';
import { derivedVmstat } from './vmstat';
import { ZSWAP_DEBUG } from './zswap-files';

export interface Metric {
  readonly name: string;
  /** The value now; those of meminfo and of vmstat lines derived from it as of the last refresh(). No allocation. */
  readonly read: () => number;
}

/** Keys of the memory layer's record and the metric each becomes. */
const MEMINFO: readonly (readonly [keyof Meminfo, string])[] = [
  ['MemTotal', 'MemTotal'], ['MemFree', 'MemFree'], ['MemAvailable', 'MemAvailable'], ['SwapCached', 'SwapCached'],
  ['ActiveAnon', 'Active_anon'], ['InactiveAnon', 'Inactive_anon'], ['Zswap', 'Zswap'], ['Zswapped', 'Zswapped'],
  ['Writeback', 'Writeback'], ['AnonPages', 'AnonPages'], ['PageTables', 'PageTables'], ['AnonHugePages', 'AnonHugePages'],
  ['CommittedAS', 'Committed_AS'],
];

/** Lines of /proc/vmstat that come first in the list, whatever the era; the others that the memory layer counts follow. */
const VMSTAT = [
  'pswpin', 'pswpout', 'swpin_zero', 'swpout_zero', 'zswpin', 'zswpout', 'zswpwb', 'pgfault', 'pgmajfault', 'swap_ra', 'swap_ra_hit',
  'pgscan_direct', 'pgsteal_direct', 'pgscan_kswapd', 'pgsteal_kswapd', 'workingset_refault_anon', 'thp_swpout', 'thp_swpout_fallback',
  'oom_kill', 'nr_zspages',
] as const;

const MEMCG: readonly (readonly [string, (memcg: MemcgView) => number])[] = [
  ['current', (memcg) => memcg.currentPages * PAGE_BYTES],
  ['peak', (memcg) => memcg.peakPages * PAGE_BYTES],
  ['swap.current', (memcg) => memcg.swapCurrentPages * PAGE_BYTES],
  ['swap.peak', (memcg) => memcg.swapPeakPages * PAGE_BYTES],
  ['zswap.current', (memcg) => memcg.zswapCurrentBytes],
  ['events.max', (memcg) => memcg.events.max],
  ['oom', (memcg) => memcg.events.oom],
  ['oom_kill', (memcg) => memcg.events.oom_kill],
  ['oom_group_kill', (memcg) => memcg.events.oom_group_kill],
  ['swap.events.max', (memcg) => memcg.swapEvents.max],
  ['swap.events.fail', (memcg) => memcg.swapEvents.fail],
];

const BLOCK: readonly (readonly [string, (block: BlockView) => number])[] = [
  ['read_ios', (block) => block.readIos],
  ['read_merges', (block) => block.readMerges],
  ['read_sectors', (block) => block.readSectors],
  ['write_ios', (block) => block.writeIos],
  ['write_merges', (block) => block.writeMerges],
  ['write_sectors', (block) => block.writeSectors],
  ['discard_ios', (block) => block.discardIos],
];

const ZRAM: readonly (readonly [string, (zram: ZramView) => number])[] = [
  ['orig_data_size', (zram) => zram.origDataBytes],
  ['compr_data_size', (zram) => zram.comprDataBytes],
  ['mem_used_total', (zram) => zram.memUsedTotalBytes],
  ['mem_used_max', (zram) => zram.memUsedMaxBytes],
  ['same_pages', (zram) => zram.samePages],
  ['huge_pages', (zram) => zram.hugePages],
];

/** Cgroups below the root, parents before children. */
export function cgroups(root: MemcgView): MemcgView[] {
  return root.children.flatMap((memcg) => [memcg, ...cgroups(memcg)]);
}

const cgroupName = (memcg: MemcgView): string => `memcg.${memcg.path.slice(1)}`;

/** Recorder's view of a machine: a list of readers that is built anew only when devices or cgroups come or go. */
export class Metrics {
  private readonly kernel: FsKernel;
  private readings: Metric[] = [];
  private devices: SwapDeviceView[] = [];
  private zrams: ZramView[] = [];
  private blocks: BlockView[] = [];
  private groups: MemcgView[] = [];
  private snapshot: Meminfo;
  private built = false;

  constructor(kernel: FsKernel) {
    this.kernel = kernel;
    this.snapshot = kernel.memory.meminfo();
  }

  /** Takes a new picture of meminfo; call it once before a round of read(). */
  refresh(): void {
    this.snapshot = this.kernel.memory.meminfo();
  }

  /** The readers as of now, in a stable order; the same array as long as no device and no cgroup has come or gone. */
  list(): readonly Metric[] {
    if (!this.built || this.changed()) this.build();
    return this.readings;
  }

  private changed(): boolean {
    const same = (now: readonly unknown[], then: readonly unknown[]): boolean =>
      now.length === then.length && now.every((each, index) => each === then[index]);
    const { memory, swap } = this.kernel;
    return !same(swap.devices(), this.devices) || !same(memory.zrams, this.zrams) || !same(memory.blocks, this.blocks)
      || !same(cgroups(memory.root), this.groups);
  }

  private build(): void {
    const { memory, swap } = this.kernel;
    this.built = true;
    this.devices = [...swap.devices()];
    this.zrams = [...memory.zrams];
    this.blocks = [...memory.blocks];
    this.groups = cgroups(memory.root);
    const readings: Metric[] = [
      { name: 'meminfo.SwapTotal_kB', read: () => swap.totalPages * PAGE_KB },
      { name: 'meminfo.SwapFree_kB', read: () => swap.freePages * PAGE_KB },
    ];
    for (const [key, name] of MEMINFO) readings.push({ name: `meminfo.${name}_kB`, read: () => this.snapshot[key] });
    for (const device of this.devices) {
      const name = metricDeviceName(device.name);
      readings.push(
        { name: `swaps.${name}.size_kB`, read: () => device.pages * PAGE_KB },
        { name: `swaps.${name}.used_kB`, read: () => device.inUse * PAGE_KB },
        { name: `swaps.${name}.priority`, read: () => device.priority },
        { name: `swaps.${name}.free_clusters`, read: () => device.freeClusters },
      );
      if (device.kind !== 'xswap') continue;
      readings.push(
        { name: `xswap.${name}.limit_pages`, read: () => device.pages },
        { name: `xswap.${name}.mapped_clusters`, read: () => device.clusters },
      );
    }
    readings.push(
      { name: 'reclaim.batch_slots', read: () => memory.reclaimBatches.slots },
      { name: 'reclaim.batch_runs', read: () => memory.reclaimBatches.runs },
    );
    const era = eraOf(memory.config.release);
    for (const name of new Set([...VMSTAT, ...era.vmstat])) {
      const read = memory.vmstatReader(name);
      if (read !== undefined) readings.push({ name: `vmstat.${name}`, read });
    }
    for (const order of THP_ORDERS) {
      for (const stat of thpStats(order, era.collapseStats)) readings.push({ name: `thp.${thpSizeName(order)}.${stat}`, read: () => memory.thpStat(order, stat) });
    }
    for (const memcg of this.groups) {
      for (const [name, read] of MEMCG) readings.push({ name: `${cgroupName(memcg)}.${name}`, read: () => read(memcg) });
      for (const key of era.memcgStat) {
        readings.push({ name: `${cgroupName(memcg)}.stat.${key}`, read: () => memory.memcgStat(memcg, key as MemcgStatName) });
      }
    }
    for (const [name, read] of Object.entries(ZSWAP_DEBUG)) readings.push({ name: `zswap.${name}`, read: () => read(memory.zswap) });
    for (const zram of this.zrams) {
      for (const [name, read] of ZRAM) readings.push({ name: `zram.${zram.name}.${name}`, read: () => read(zram) });
    }
    for (const block of this.blocks) {
      for (const [name, read] of BLOCK) readings.push({ name: `block.${metricDeviceName(block.name)}.${name}`, read: () => read(block) });
    }
    this.readings = readings;
  }
}

/** Every number the files show: what the recorder keeps, and the lines of meminfo and vmstat that derive from it. */
export function countersOf(kernel: FsKernel): Record<string, number> {
  const { memory } = kernel;
  const era = eraOf(memory.config.release);
  const values: Record<string, number> = {};
  for (const { name, read } of new Metrics(kernel).list()) values[name] = read();
  const info = meminfoValues(kernel);
  for (const key of era.meminfo) {
    const unit = key.startsWith('HugePages_') ? '' : '_kB';
    values[`meminfo.${key.replace('(', '_').replace(')', '')}${unit}`] = info.get(key) ?? 0;
  }
  const derived = derivedVmstat(kernel);
  for (const key of era.vmstat) values[`vmstat.${key}`] = memory.vmstat(key) ?? derived.get(key) ?? 0;
  return values;
}

/** countersOf() and texts: `swapon.show` the whole table, `swapon.<device>` its row in it, both as the command prints them. */
export function metricsOf(kernel: FsKernel): Record<string, number | string> {
  const text = procSwaps(kernel);
  const values: Record<string, number | string> = countersOf(kernel);
  values['swapon.show'] = swaponShow(text);
  for (const device of kernel.swap.devices()) {
    values[`swapon.${metricDeviceName(device.name)}`] = swaponRow(text, device.name) ?? '';
  }
  return values;
}
