/** Files that can be written, with what they take: for completion, forms and the documentation. */

export interface WritableFile {
  /** Path; `<N>`, `<disk>`, `<size>` and `<cgroup>` stand for a number or name. */
  readonly path: string;
  /** What can be written, in one line. */
  readonly syntax: string;
  /** An example of the text. */
  readonly example: string;
  /** The file answers a read (the others are write-only). */
  readonly readable: boolean;
}

const CGROUP = '/sys/fs/cgroup/<cgroup>';
const BYTES = 'bytes, with K, M, G, T, P or E behind the digits if need be, or max';

export const WRITABLE_FILES: readonly WritableFile[] = [
  { path: '/sys/kernel/mm/xswap/create', syntax: 'nothing, or a priority 0 … 32767', example: '100', readable: false },
  { path: '/sys/kernel/mm/xswap/destroy', syntax: 'a swap type: the number of the device', example: '0', readable: false },
  { path: '/sys/kernel/mm/xswap/type<N>/limit', syntax: 'pages of 4 KiB, a decimal number', example: '3052543', readable: true },
  { path: '/sys/module/zswap/parameters/enabled', syntax: 'Y or N (also 1, 0, on, off, true, false)', example: 'Y', readable: true },
  { path: '/sys/module/zswap/parameters/compressor', syntax: 'the name of a compressor', example: 'lz4', readable: true },
  { path: '/sys/module/zswap/parameters/max_pool_percent', syntax: 'percent of RAM, a number 0 … 2^32-1', example: '20', readable: true },
  { path: '/sys/module/zswap/parameters/accept_threshold_percent', syntax: 'percent of the largest pool', example: '90', readable: true },
  { path: '/sys/module/zswap/parameters/shrinker_enabled', syntax: 'Y or N', example: 'N', readable: true },
  { path: '/sys/block/zram<N>/disksize', syntax: 'bytes, with K, M, G, T, P or E behind the digits if need be', example: '512M', readable: true },
  { path: '/sys/block/zram<N>/comp_algorithm', syntax: 'the name of a compressor, before disksize is set', example: 'lz4', readable: true },
  { path: '/sys/block/zram<N>/reset', syntax: 'any number but 0', example: '1', readable: false },
  { path: '/sys/class/zram-control/hot_remove', syntax: 'the number of a zram device', example: '1', readable: false },
  { path: '/sys/kernel/mm/transparent_hugepage/enabled', syntax: 'always, madvise or never', example: 'madvise', readable: true },
  {
    path: '/sys/kernel/mm/transparent_hugepage/hugepages-<size>/enabled',
    syntax: 'always, inherit, madvise or never', example: 'always', readable: true,
  },
  { path: '/proc/sys/vm/swappiness', syntax: 'a number 0 … 200', example: '60', readable: true },
  { path: '/proc/sys/vm/page-cluster', syntax: 'a number 0 … 31: reads ahead 2 to this power', example: '3', readable: true },
  { path: `${CGROUP}/memory.max`, syntax: BYTES, example: '2G', readable: true },
  { path: `${CGROUP}/memory.high`, syntax: BYTES, example: '1G', readable: true },
  { path: `${CGROUP}/memory.low`, syntax: BYTES, example: '256M', readable: true },
  { path: `${CGROUP}/memory.min`, syntax: BYTES, example: '64M', readable: true },
  { path: `${CGROUP}/memory.swap.max`, syntax: BYTES, example: 'max', readable: true },
  { path: `${CGROUP}/memory.swap.high`, syntax: BYTES, example: 'max', readable: true },
  { path: `${CGROUP}/memory.zswap.max`, syntax: BYTES, example: 'max', readable: true },
  { path: `${CGROUP}/memory.zswap.writeback`, syntax: '0 or 1', example: '1', readable: true },
  { path: `${CGROUP}/memory.oom.group`, syntax: '0 or 1', example: '0', readable: true },
  { path: `${CGROUP}/memory.reclaim`, syntax: 'bytes to reclaim now', example: '64M', readable: false },
  { path: `${CGROUP}/cgroup.procs`, syntax: 'the id of a process to move here', example: '1201', readable: true },
];

/** One name of a path in place of each `<…>`; `<cgroup>` may be several, or none: the root. */
function matches(pattern: string, path: string): boolean {
  const regex = pattern
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace('<N>', '\\d+')
    .replace('<size>', '\\d+kB')
    .replace('/<cgroup>', '(/.+)?');
  return new RegExp(`^${regex}$`).test(path);
}

/** What a path takes, or undefined when nothing can be written there. */
export function syntaxOf(path: string): WritableFile | undefined {
  return WRITABLE_FILES.find((file) => matches(file.path, path));
}
