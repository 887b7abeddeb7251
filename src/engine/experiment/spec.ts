/**
 * The experiment as the engine takes it: plain data, already validated.
 * The zod schemas in src/contract/experiment.ts describe the same shapes for everything that comes from outside;
 * a compile-time check there keeps both in step.
 */

/** Kernel ids of the command line and of files. An id is a named set of policies (kernel/swap/registry.ts). */
export type KernelId = string;

/** A kernel: an id, or an id with single policies replaced. */
export type KernelSpec = KernelId | { readonly base: KernelId; readonly set?: Readonly<Record<string, string | number | boolean>> };

export type SwapDeviceKind = 'zram' | 'partition' | 'file' | 'xswap';

/** One swap device of the machine. `size_pages` includes the header page, as the block device or file would. */
export interface SwapDeviceSpec {
  readonly kind: SwapDeviceKind;
  /** As swapon takes it: `/dev/zram0`, `/dev/vdc`, `/swapfile`; xswap devices are named by the kernel (`xswap0`). */
  readonly name: string;
  /** Whole device in pages of 4 KiB. Ignored (may be absent) for xswap, whose size follows RAM. */
  readonly size_pages?: number;
  /** 0…32767 as with `swapon -p`; absent: the kernel's default. For xswap: the text written to `create`. */
  readonly priority?: number;
  /** partition and file only. */
  readonly rotational?: boolean;
  readonly discard?: 'none' | 'once' | 'pages';
  /** zram only; default lzo-rle. */
  readonly compressor?: string;
  /** False: described, but left for the workload to switch on. Default true. */
  readonly on?: boolean;
}

export interface ZswapSpec {
  readonly enabled: boolean;
  readonly compressor?: string;
  readonly max_pool_percent?: number;
  readonly accept_threshold_percent?: number;
  readonly shrinker_enabled?: boolean;
}

export interface CgroupSpec {
  /** Path below /sys/fs/cgroup, with a leading slash: `/app`, `/app/worker`. */
  readonly path: string;
  /** Texts written to the cgroup's files in this order, e.g. {"memory.max": "2147483648"}. */
  readonly set?: Readonly<Record<string, string>>;
}

export interface MachineSpec {
  /** Pages of 4 KiB that the kernel manages (MemTotal / 4 KiB). 512 … 2^28. */
  readonly ram_pages: number;
  readonly cpus: number;
  readonly nodes: number;
  readonly swap: readonly SwapDeviceSpec[];
  readonly zswap?: ZswapSpec;
  /** mTHP sizes: `{"64kB": "always", "2048kB": "never"}`; absent sizes are `never`. */
  readonly thp?: Readonly<Record<string, 'always' | 'inherit' | 'madvise' | 'never'>>;
  readonly cgroups?: readonly CgroupSpec[];
  readonly swappiness?: number;
  readonly page_cluster?: number;
}

/** Seconds that a program stays alive after its last page was touched when the file does not say. */
export const DEFAULT_HOLD_S = 300;

/** A program that the workload starts. */
export interface ProgramSpec {
  readonly name: string;
  /** hog: the test program of the guest captures, 512 varying bytes a page. */
  readonly program: 'memhog' | 'usemem' | 'hog';
  /** Anonymous memory in pages of 4 KiB. */
  readonly size_pages: number;
  /** Content of the pages: decides same-filled and the compressed size (memory/compression.ts). */
  readonly fill: 'pattern' | 'zero' | 'random';
  readonly cgroup?: string;
  readonly cpu?: number;
  /** Seconds of simulated time it stays alive after the last page was touched. Default DEFAULT_HOLD_S. */
  readonly hold_s?: number;
}

/** Steps that may stand inside a repeat. */
export type RepeatedStep =
  | { readonly write: string; readonly text: string; /** errno name expected, e.g. "EINVAL"; absent: must succeed */ readonly expect?: string }
  | { readonly mkdir: string; readonly expect?: string }
  | { readonly rmdir: string; readonly expect?: string }
  /** Until the program has ended, or has touched all its memory, or (ended) either by exit or by a kill. */
  | { readonly wait: string; readonly until: 'touched' | 'ended' }
  | { readonly kill: string; readonly expect?: string }
  /** Seconds of simulated time. */
  | { readonly sleep: number }
  | { readonly swapon: string; readonly priority?: number; readonly expect?: string }
  | { readonly swapoff: string; readonly expect?: string }
  /** madvise(MADV_PAGEOUT) over the program's memory from its start until `pages` swap slots are in use in total. */
  | { readonly pageout: string; readonly pages: number };

/** One step of the script. Steps run one after the other; programs go on in the background. */
export type Step =
  | RepeatedStep
  | { readonly start: ProgramSpec }
  /** Records every metric as NAME.<metric>. */
  | { readonly probe: string }
  /** The steps n times over. Probes, starts and further repeats do not stand inside. */
  | { readonly repeat: number; readonly steps: readonly RepeatedStep[] };

/** A change made while the run was going, replayed before any operation that starts at or after `at`. */
export interface WorkloadEvent {
  /** Simulated nanoseconds, an integer. */
  readonly at: number;
  readonly step: Step;
}

export interface WorkloadSpec {
  readonly steps: readonly Step[];
  readonly events?: readonly WorkloadEvent[];
}

export interface ArmSpec {
  readonly name: string;
  /** Paths of the experiment with other values: {"kernel": "linux-6.18", "machine.ram_pages": 1024}. */
  readonly set?: Readonly<Record<string, unknown>>;
}

export interface MeasureSpec {
  /** Length of a recorder bucket at the start, in simulated ms; it doubles as the run grows. Default 10. */
  readonly bucket_ms?: number;
  /** Most buckets kept a column. Default 2048. */
  readonly buckets?: number;
}

export interface ClaimSpec {
  readonly id: string;
  readonly source: string;
  readonly what: string;
  readonly published?: number | string;
  /** One of the two. */
  readonly metric?: string;
  readonly expression?: string;
  /** One of the two. */
  readonly band?: readonly [number, number];
  readonly equals?: number | string;
}

export interface ExperimentSpec {
  readonly format: 'swaplab/experiment';
  readonly version: 1;
  readonly title: string;
  readonly notes: string;
  readonly machine: MachineSpec;
  readonly kernel: KernelSpec;
  readonly workload: WorkloadSpec;
  readonly arms: readonly ArmSpec[];
  readonly measure: MeasureSpec;
  readonly seeds: readonly number[];
  readonly claims: readonly ClaimSpec[];
}
