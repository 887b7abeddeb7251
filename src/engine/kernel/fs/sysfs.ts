/** /sys: kernel/mm, module/zswap, block, class/zram-control, fs/cgroup, and debugfs below kernel/debug. */
import { blockDir, zramControlDir } from './block-files';
import { cgroupRoot } from './cgroup-files';
import type { FsKernel } from './kernel';
import { dir } from './node';
import type { DirNode, Node } from './node';
import { thpDir } from './thp-files';
import { xswapDir } from './xswap-files';
import { zswapDebugDir, zswapParametersDir } from './zswap-files';

export function sysDir(kernel: FsKernel): DirNode {
  const mm: Record<string, Node> = { transparent_hugepage: thpDir(kernel) };
  if (kernel.swap.policies.xswap) mm['xswap'] = xswapDir(kernel);
  return dir('sysfs', {
    block: blockDir(kernel),
    class: dir('sysfs', { 'zram-control': zramControlDir(kernel) }),
    fs: dir('sysfs', { cgroup: cgroupRoot(kernel) }),
    kernel: dir('sysfs', { debug: zswapDebugDir(kernel), mm: dir('sysfs', mm) }),
    module: dir('sysfs', { zswap: dir('sysfs', { parameters: zswapParametersDir(kernel) }) }),
  });
}
