/**
 * What the memory layer offers to /proc and /sys, to the script, to programs and to the recorder.
 * The class that implements it is `Memory` in memory.ts:
 * `new Memory(config, (host) => new SwapSystem(policies, cpus, nodes, host), timeline)`; the swap layer it made is `memory.swap`.
 * It joins the timeline with its workers by itself.
 * Units: pages of 4 KiB unless the name says _kB or bytes; simulated time in integer nanoseconds.
 */
import type { MachineSpec } from '../../experiment/spec';
import type { Timeline } from '../../simulation/actor';
import type { SwapSystem } from '../swap/swap-system';
import type { SwapHost } from '../swap/types';
import type { MemcgStatName, ThpStatName } from './counters';

/** PAGE_COUNTER_MAX = LONG_MAX / PAGE_SIZE: a limit that reads `max`. Exact in a double. */
export const PAGES_MAX = 2251799813685247;

/** Where kernels differ in this layer. Defaults are those of Linux 7.3. */
export interface MemoryPolicies {
  /** Slot at an exclusive write fault: freed (up to 6.18, and 7.3), or retained (7.0 to 7.2). */
  readonly exclusiveWriteFreesSlot: boolean;
  /** Folios unmapped in one reclaim pass are written in batches; those left when the goal is met stay in the swap cache. */
  readonly batchedPageout: boolean;
  /** Incompressible pages are kept in zswap as they are (6.18 and later) instead of rejected. */
  readonly zswapStoresIncompressible: boolean;
  /** zswap takes folios of several pages (6.13 and later), or leaves them to the device. */
  readonly zswapTakesLargeFolios: boolean;
  /** A load leaves its entry in zswap (6.1; up to 6.8 by default), or takes it out. */
  readonly zswapLoad: 'kept' | 'exclusive';
  /** Every swap-in goes through the swap cache (7.0 and later); up to 6.18 that from a synchronous device goes past it if it can. */
  readonly swapinThroughCache: boolean;
  /** Swap-in from synchronous devices: whole folios of the enabled sizes (6.12 and later), or page by page. */
  readonly largeSwapin: 'whole' | 'page-by-page';
}

/** What Memory is made from. */
export interface MemoryConfig {
  readonly machine: MachineSpec;
  readonly policies: MemoryPolicies;
  /** Text in the OOM report: `7.3.4` and so on. */
  readonly release: string;
}

/** One cgroup of the v2 tree as files show it. All numbers current. */
export interface MemcgView {
  /** 0 is the root; ids are not reused while swap of the cgroup exists. */
  readonly id: number;
  /** `/` for the root, `/app`, `/app/worker`. */
  readonly path: string;
  readonly name: string;
  readonly parent: MemcgView | null;
  readonly children: readonly MemcgView[];
  /** Pages charged, per-CPU stock included, descendants included (memory.current is this × 4096). */
  readonly currentPages: number;
  readonly peakPages: number;
  /** PAGES_MAX: no limit. */
  readonly maxPages: number;
  readonly highPages: number;
  readonly lowPages: number;
  readonly minPages: number;
  readonly swapCurrentPages: number;
  readonly swapPeakPages: number;
  readonly swapMaxPages: number;
  readonly swapHighPages: number;
  /** Compressed bytes (memory.zswap.current). */
  readonly zswapCurrentBytes: number;
  /** In pages, as the kernel stores the limit. */
  readonly zswapMaxPages: number;
  readonly zswapWriteback: boolean;
  readonly oomGroup: boolean;
  /** Descendants included / this cgroup alone. */
  readonly events: Readonly<MemcgEvents>;
  readonly eventsLocal: Readonly<MemcgEvents>;
  readonly swapEvents: Readonly<SwapEvents>;
  /** Failed charges (failcnt of the OOM report). */
  readonly failcnt: number;
  readonly swapFailcnt: number;
  /** pids of the processes in this cgroup itself. */
  readonly pids: readonly number[];
}

/** memory.events, in file order. */
export interface MemcgEvents {
  low: number;
  high: number;
  max: number;
  oom: number;
  oom_kill: number;
  oom_group_kill: number;
  sock_throttled: number;
}

/** memory.swap.events, in file order. */
export interface SwapEvents {
  high: number;
  max: number;
  fail: number;
}

export interface ZswapView {
  enabled: boolean;
  compressor: string;
  /** Percent of RAM; any unsigned value is taken, as the kernel does. */
  maxPoolPercent: number;
  acceptThresholdPercent: number;
  shrinkerEnabled: boolean;
  /** Pages of the zsmalloc pool (debugfs pool_total_size is this × 4096). */
  readonly poolPages: number;
  /** Compressed bytes of all stored pages. */
  readonly storedBytes: number;
  readonly storedPages: number;
  readonly storedIncompressiblePages: number;
  readonly poolLimitHit: number;
  readonly writtenBackPages: number;
  readonly rejectReclaimFail: number;
  readonly rejectAllocFail: number;
  readonly rejectKmemcacheFail: number;
  readonly rejectCompressFail: number;
  readonly rejectCompressPoor: number;
  readonly decompressFail: number;
}

/** A zram device (`/sys/block/zramN`). mm_stat is the fields from origDataBytes to hugePagesSince, in that order. */
export interface ZramView {
  readonly name: string;
  /** 0: not set up. A multiple of 4096. */
  readonly disksizeBytes: number;
  readonly compressor: string;
  readonly origDataBytes: number;
  readonly comprDataBytes: number;
  readonly memUsedTotalBytes: number;
  readonly memLimitBytes: number;
  readonly memUsedMaxBytes: number;
  readonly samePages: number;
  readonly pagesCompacted: number;
  readonly hugePages: number;
  readonly hugePagesSince: number;
  readonly numReads: number;
  readonly numWrites: number;
  /** io_stat: failed_reads failed_writes invalid_io notify_free. */
  readonly failedReads: number;
  readonly failedWrites: number;
  readonly invalidIo: number;
  readonly notifyFree: number;
  /** In use as swap. */
  readonly claimed: boolean;
}

/** Requests of a block device, as /sys/block/<name>/stat counts them. */
export interface BlockView {
  /** `vdc`, `zram0`; a swap file counts under its path without the first slash. */
  readonly name: string;
  readonly readIos: number;
  readonly readMerges: number;
  readonly readSectors: number;
  readonly writeIos: number;
  readonly writeMerges: number;
  readonly writeSectors: number;
  readonly discardIos: number;
  readonly discardSectors: number;
}

export type ProcessState = 'running' | 'holding' | 'ended' | 'killed';

export interface ProcessView {
  readonly pid: number;
  /** comm, 15 characters at most. */
  readonly name: string;
  readonly cgroup: MemcgView;
  readonly state: ProcessState;
  readonly sizePages: number;
  /** Pages of its memory touched at least once. */
  readonly touchedPages: number;
  readonly rssAnonPages: number;
  readonly swapEntries: number;
  readonly pageTableBytes: number;
  /** Simulated ns of its start. */
  readonly startedAt: number;
}

/** Parts of /proc/meminfo that this layer models, in kB, by their names there. */
export interface Meminfo {
  MemTotal: number;
  MemFree: number;
  MemAvailable: number;
  SwapCached: number;
  ActiveAnon: number;
  InactiveAnon: number;
  SwapTotal: number;
  SwapFree: number;
  Zswap: number;
  Zswapped: number;
  Writeback: number;
  AnonPages: number;
  PageTables: number;
  AnonHugePages: number;
  CommittedAS: number;
  CommitLimit: number;
  /** Pages held by kernel data, zram pools and everything else that is neither free nor anonymous. */
  KernelOther: number;
}

export type ThpMode = 'always' | 'inherit' | 'madvise' | 'never';

/** A kernel log line: printk time and text. */
export interface LogLine {
  /** Simulated ns. */
  readonly at: number;
  /** Without time stamp and newline. */
  readonly text: string;
}

/** Told of things that samplers and scripts must not miss. */
export interface MemoryListener {
  /** An OOM kill is about to free the victim's memory: counters still show the state at the kill. */
  onOomKill?(victim: ProcessView, memcg: MemcgView | null): void;
  /** SwapTotal, SwapFree or another watched counter may have a new extreme: called after each change of free or total swap. */
  onSwapChange?(): void;
}

/** Operations and views. Every operation that the kernel can refuse throws KernelError. */
export interface MemorySystem extends SwapHost {
  readonly config: MemoryConfig;
  readonly timeline: Timeline;
  readonly swap: SwapSystem;
  listener: MemoryListener;

  // ---- views
  readonly root: MemcgView;
  readonly zswap: ZswapView;
  /** By device number. */
  readonly zrams: readonly ZramView[];
  readonly blocks: readonly BlockView[];
  /** In order of pid; ended ones stay listed until reaped with forget(). */
  readonly processes: readonly ProcessView[];
  readonly log: readonly LogLine[];
  /**
   * Slots that passes of reclaim (shrink_folio_list) have taken since the start, and the runs of adjacent ones among them: slots / runs is
   * the mean length of what can be written in one request.
   */
  readonly reclaimBatches: { readonly slots: number; readonly runs: number };
  meminfo(): Meminfo;
  /** A line of /proc/vmstat by its name there; undefined: this layer does not model it. */
  vmstat(name: string): number | undefined;
  /** The same as a function, looked up once, for samplers. */
  vmstatReader(name: string): (() => number) | undefined;
  /** A line of memory.stat: bytes for the states of memory, counts for the events, as the file shows it. */
  memcgStat(memcg: MemcgView, name: MemcgStatName): number;
  /** One counter of hugepages-<size>/stats; order 1 (8kB) … 9 (2048kB). */
  thpStat(order: number, name: ThpStatName): number;

  // ---- cgroups
  /** @throws KernelError ENOENT */
  memcg(path: string): MemcgView;
  hasMemcg(path: string): boolean;
  /** mkdir. @throws KernelError EEXIST, ENOENT */
  createMemcg(path: string): MemcgView;
  /** rmdir. @throws KernelError EBUSY (processes or children), ENOENT */
  removeMemcg(path: string): void;
  /** Moves a process (memory stays charged where it is, as in cgroup v2). @throws KernelError ESRCH */
  attach(pid: number, memcg: MemcgView): void;
  /** Lowered below use: reclaims at once, then kills. Returns when done, as the write(2) does. */
  setMemoryMax(memcg: MemcgView, pages: number): void;
  setMemoryHigh(memcg: MemcgView, pages: number): void;
  setMemoryLow(memcg: MemcgView, pages: number): void;
  setMemoryMin(memcg: MemcgView, pages: number): void;
  setSwapMax(memcg: MemcgView, pages: number): void;
  setSwapHigh(memcg: MemcgView, pages: number): void;
  setZswapMax(memcg: MemcgView, pages: number): void;
  setZswapWriteback(memcg: MemcgView, on: boolean): void;
  setOomGroup(memcg: MemcgView, on: boolean): void;
  /** memory.reclaim. @throws KernelError EAGAIN is not modelled: EBUSY when fewer pages could be reclaimed. */
  reclaim(memcg: MemcgView, pages: number): void;
  resetPeak(memcg: MemcgView): void;

  // ---- knobs
  swappiness: number;
  pageCluster: number;
  /** transparent_hugepage/enabled. */
  thpGlobal: 'always' | 'madvise' | 'never';
  thpMode(order: number): ThpMode;
  setThpMode(order: number, mode: ThpMode): void;
  setZswapEnabled(on: boolean): void;
  /** @throws KernelError ENOENT: unknown compressor */
  setZswapCompressor(name: string): void;
  setZswapMaxPoolPercent(percent: number): void;
  setZswapAcceptThreshold(percent: number): void;

  // ---- devices
  /** disksize. @throws KernelError EINVAL, EBUSY */
  setZramDisksize(zram: ZramView, bytes: number): void;
  /** @throws KernelError EBUSY while in use */
  resetZram(zram: ZramView): void;
  /** @throws KernelError EINVAL unknown, EBUSY when set up */
  setZramCompressor(zram: ZramView, name: string): void;
  hotAddZram(): number;
  /** @throws KernelError ENODEV, EBUSY */
  hotRemoveZram(index: number): void;
  /**
   * swapon(2) of a device of the machine: `/dev/zram0`, `/dev/vdc`, `/swapfile`. Priority as with `swapon -p`; absent: default.
   * Returns the swap type. @throws KernelError ENOENT, EBUSY, EINVAL, EPERM
   */
  swapon(name: string, priority?: number): number;
  /** swapoff(2): brings every page back first. @throws KernelError EINVAL (not a swap device), ENOMEM */
  swapoff(name: string): void;
  /** xswap create; returns the type. @throws KernelError EOPNOTSUPP without zswap, EPERM when no type is free */
  createXswap(priority?: number): number;
  /** xswap destroy. @throws KernelError EINVAL: no such type or of another kind; ENOMEM */
  destroyXswap(type: number): void;

  // ---- processes
  /** Starts a process; its memory is untouched. */
  spawn(args: SpawnArgs): ProcessView;
  /**
   * fork(2): a child with the same memory, in the cgroup of the parent. Pages are shared until one of them is written, swap slots gain a
   * user each. @throws KernelError ESRCH (it has ended), ENOMEM (no memory for its page tables, or the parent was killed for it)
   */
  fork(process: ProcessView, args: ForkArgs): ProcessView;
  /** exit(2) or SIGKILL from outside. @throws KernelError ESRCH */
  exit(pid: number, killed: boolean): void;
  /** Drops ended processes from the list. */
  forget(pid: number): void;
  /**
   * Touches page `page` of the process (write = true: stores to it), with every fault, charge and reclaim that takes.
   * Adds the cost in ns to `spent`. Returns false when the process was killed meanwhile.
   */
  touch(process: ProcessView, page: number, write: boolean): boolean;
  /** madvise(MADV_PAGEOUT) over a range; stops once `usedSlots` swap slots are in use in total. Returns pages written out. */
  pageout(process: ProcessView, from: number, to: number, usedSlots?: number): number;
  /** madvise(MADV_DONTNEED) over a range. */
  drop(process: ProcessView, from: number, to: number): void;
  /** Simulated ns that operations have cost since it was last set to 0 by the actor that pays. */
  spent: number;

  // ---- upkeep
  /** Sentences about broken sums; empty when sound. */
  checkInvariants(): string[];
  /** Typed arrays and numbers that make up the state, for the digest, in a fixed order. */
  digestState(feed: (part: ArrayBufferView | number | string) => void): void;
  /** Objects alive (folios, slot chunks, zspages, cgroups, processes): what must not grow over create/destroy cycles. */
  liveObjects(): number;
  readonly bytes: number;
}

export interface ForkArgs {
  readonly name: string;
  readonly cpu: number;
}

export interface SpawnArgs {
  readonly name: string;
  readonly sizePages: number;
  /** First page that takes small folios only (MADV_NOHUGEPAGE from there on). Absent: none. */
  readonly smallFoliosFrom?: number;
  /** Content that the process writes into its pages. */
  readonly fill: 'pattern' | 'hog-pattern' | 'zero' | 'random';
  /** Decides what `pattern` is (compression.ts): `memhog` (default), `usemem`, `hog`. */
  readonly program?: string;
  readonly memcg: MemcgView;
  readonly cpu: number;
}
