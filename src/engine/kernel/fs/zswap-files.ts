/** /sys/module/zswap/parameters and /sys/kernel/debug/zswap. Source: mm/zswap.c of 6.18 and 7.3, kernel/params.c. */
import type { ZswapView } from '../memory/types';
import type { FsKernel } from './kernel';
import { PAGE_BYTES } from './kernel';
import { dir, file, liveDir } from './node';
import type { DirNode, FileNode, Node } from './node';
import { cString, kstrtobool, kstrtouint, strip } from './parse';

const yesNo = (value: boolean): string => (value ? 'Y\n' : 'N\n');

export function zswapParametersDir(kernel: FsKernel): DirNode {
  const { memory } = kernel;
  const { zswap } = memory;
  return dir('sysfs', {
    accept_threshold_percent: file('sysfs', () => `${zswap.acceptThresholdPercent}\n`, (text) => memory.setZswapAcceptThreshold(kstrtouint(text))),
    compressor: file('sysfs', () => `${zswap.compressor}\n`, (text) => {
      const name = strip(cString(text));
      if (name !== zswap.compressor) memory.setZswapCompressor(name);
    }),
    enabled: file('sysfs', () => yesNo(zswap.enabled), (text) => memory.setZswapEnabled(kstrtobool(text))),
    max_pool_percent: file('sysfs', () => `${zswap.maxPoolPercent}\n`, (text) => memory.setZswapMaxPoolPercent(kstrtouint(text))),
    shrinker_enabled: file('sysfs', () => yesNo(zswap.shrinkerEnabled), (text) => { zswap.shrinkerEnabled = kstrtobool(text); }),
  });
}

/** Counters of debugfs by name, in the order a listing has. */
export const ZSWAP_DEBUG: Readonly<Record<string, (zswap: ZswapView) => number>> = {
  decompress_fail: (zswap) => zswap.decompressFail,
  pool_limit_hit: (zswap) => zswap.poolLimitHit,
  pool_total_size: (zswap) => zswap.poolPages * PAGE_BYTES,
  reject_alloc_fail: (zswap) => zswap.rejectAllocFail,
  reject_compress_fail: (zswap) => zswap.rejectCompressFail,
  reject_compress_poor: (zswap) => zswap.rejectCompressPoor,
  reject_kmemcache_fail: (zswap) => zswap.rejectKmemcacheFail,
  reject_reclaim_fail: (zswap) => zswap.rejectReclaimFail,
  stored_incompressible_pages: (zswap) => zswap.storedIncompressiblePages,
  stored_pages: (zswap) => zswap.storedPages,
  written_back_pages: (zswap) => zswap.writtenBackPages,
};

/** /sys/kernel/debug: zswap's directory is there from the moment zswap was switched on for the first time. */
export function zswapDebugDir(kernel: FsKernel): DirNode {
  const { zswap } = kernel.memory;
  const files: Record<string, FileNode> = {};
  for (const [name, read] of Object.entries(ZSWAP_DEBUG)) files[name] = file('debugfs', () => `${read(zswap)}\n`);
  const inside: Node = dir('debugfs', files);
  // Whatever was stored or refused shows that zswap was on once, even if it is off now.
  const setUp = (): boolean => zswap.enabled || Object.values(ZSWAP_DEBUG).some((read) => read(zswap) > 0);
  return liveDir('debugfs', {}, () => (setUp() ? ['zswap'] : []), (name) => (name === 'zswap' && setUp() ? inside : undefined));
}
