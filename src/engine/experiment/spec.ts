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
  /**
   * NUMA node that the device is attached to; absent: none. Below `nodes` of the machine; xswap has none. It matters to kernels with a
   * list of devices for each node (4.14 to 6.18), and there to devices with a default priority.
   */
  readonly node?: number;
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

/** Rounds of thp_swap_allocator_test when the file does not say. */
export const DEFAULT_ROUNDS = 100;

/** Options of thp_swap_allocator_test, as the tool of the kernel tree (tools/mm) has them. */
export interface ChurnSpec {
  /** -a: swapped-out memory is written to in steps of 64 KiB instead of 4 KiB. */
  readonly aligned?: boolean;
  /** -s: a fifteenth of size_pages more, of small folios. */
  readonly small?: boolean;
  /** Default DEFAULT_ROUNDS. */
  readonly rounds?: number;
}

/** What random_access does once its memory is filled. */
export interface AccessSpec {
  /** Accesses to a page each. */
  readonly count: number;
  /** How many of 100 are writes. */
  readonly write_percent: number;
  /** All pages alike, or the page of rank r with a weight of 1 / r^0.99, ranks shuffled. */
  readonly law: 'uniform' | 'zipf';
  /** Seconds of simulated time between the fill and the first access. Default 0. */
  readonly pause_s?: number;
}

/** A program that the workload starts. */
export interface ProgramSpec {
  readonly name: string;
  /**
   * memhog, usemem, hog: store to all pages once; hog is the test program of the guest captures, 512 varying bytes a page.
   * thp_swap_allocator_test: the mTHP churn. random_access: fills its memory, then reads and writes it at random.
   */
  readonly program: 'memhog' | 'usemem' | 'hog' | 'thp_swap_allocator_test' | 'random_access';
  /** Anonymous memory in pages of 4 KiB; for thp_swap_allocator_test its large folios, a multiple of 240 (the tool: 15360). */
  readonly size_pages: number;
  /** Tasks of this kind, NAME.1 … NAME.n, the i-th on CPU (cpu + i - 1) modulo CPUs. Absent: one, called NAME. */
  readonly copies?: number;
  /** thp_swap_allocator_test only. */
  readonly churn?: ChurnSpec;
  /** random_access only, and there required. */
  readonly access?: AccessSpec;
  /** Content of the pages: decides same-filled and the compressed size (memory/compression.ts). */
  readonly fill: 'pattern' | 'zero' | 'random';
  readonly cgroup?: string;
  readonly cpu?: number;
  /** Seconds of simulated time it stays alive after its work is done. Default DEFAULT_HOLD_S. */
  readonly hold_s?: number;
}

/** Steps that may stand inside a repeat. */
export type RepeatedStep =
  | { readonly write: string; readonly text: string; /** errno name expected, e.g. "EINVAL"; absent: must succeed */ readonly expect?: string }
  | { readonly mkdir: string; readonly expect?: string }
  | { readonly rmdir: string; readonly expect?: string }
  /** Until the program, or each of its copies, has touched all its memory, has done its work, or has ended by exit or by a kill. */
  | { readonly wait: string; readonly until: 'touched' | 'done' | 'ended' }
  /** Until so many pages of swap are in use in total, or (at-most) no more than that. Default rule at-least. */
  | { readonly wait_used: number; readonly rule?: 'at-least' | 'at-most' }
  | { readonly kill: string; readonly expect?: string }
  /** Seconds of simulated time. */
  | { readonly sleep: number }
  | { readonly swapon: string; readonly priority?: number; readonly expect?: string }
  | { readonly swapoff: string; readonly expect?: string }
  /** madvise(MADV_PAGEOUT) over the program's memory from its start until `pages` swap slots are in use in total. */
  | { readonly pageout: string; readonly pages: number };

/**
 * fork(2): a child with the memory of a program that has no copies. Pages are shared until one of the two writes to them, swap slots gain a
 * user. The child goes once through its memory, reading or writing, if asked; then it holds it and ends.
 */
export interface ForkStep {
  readonly fork: string;
  /** Name of the child. */
  readonly as: string;
  readonly touch?: 'read' | 'write';
  readonly cpu?: number;
  /** Default DEFAULT_HOLD_S. */
  readonly hold_s?: number;
  readonly expect?: string;
}

/** One step of the script. Steps run one after the other; programs go on in the background. */
export type Step =
  | RepeatedStep
  | { readonly start: ProgramSpec }
  | ForkStep
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
  /**
   * Operations between two walks of the invariant checker; absent: none. The first finding stops the run, which fails, unless the
   * kernel has a known defect switched on.
   */
  readonly check_every?: number;
}

export interface ClaimSpec {
  readonly id: string;
  readonly source: string;
  readonly what: string;
  readonly published?: number | string;
  /** One of the two. */
  readonly metric?: string;
  readonly expression?: string;
  /** At most one of the two; with neither the value is reported beside the published one, and nothing is judged. */
  readonly band?: readonly [number, number];
  readonly equals?: number | string;
}

export interface ExperimentSpec {
  readonly format: 'swaplab/experiment';
  readonly version: 1;
  readonly title: string;
  readonly notes: string;
  /** Every size of machine and workload is divided by this (scale.ts). Default 1. */
  readonly scale?: number;
  readonly machine: MachineSpec;
  readonly kernel: KernelSpec;
  readonly workload: WorkloadSpec;
  readonly arms: readonly ArmSpec[];
  readonly measure: MeasureSpec;
  readonly seeds: readonly number[];
  readonly claims: readonly ClaimSpec[];
}
