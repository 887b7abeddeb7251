import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelError } from '../../errno';
import { realKernel } from './testing/real-kernel';
import type { RealKernel } from './testing/real-kernel';

function machine(): RealKernel {
  const kernel = realKernel('xswap', {
    ram_pages: 4096,
    swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 1024, priority: 100 }, { kind: 'partition', name: '/dev/vdc', size_pages: 2048 }],
  });
  const { tree, memory } = kernel;
  memory.swapon('/dev/zram0', 100);
  memory.swapon('/dev/vdc');
  tree.write('/sys/module/zswap/parameters/enabled', '1\n');
  tree.write('/sys/kernel/mm/xswap/create', '\n');
  tree.mkdir('/sys/fs/cgroup/app');
  tree.write('/sys/fs/cgroup/app/memory.max', '2M\n');
  const hog = memory.spawn({ name: 'hog', sizePages: 1024, fill: 'hog-pattern', memcg: memory.memcg('/app'), cpu: 0 });
  for (let page = 0; page < 1024; page++) memory.touch(hog, page, true);
  return kernel;
}

const PATHS = [
  '/sys/kernel/mm/xswap/create', '/sys/kernel/mm/xswap/destroy', '/sys/kernel/mm/xswap/type2/limit', '/sys/kernel/mm/xswap/type3/limit',
  '/sys/module/zswap/parameters/enabled', '/sys/module/zswap/parameters/compressor', '/sys/module/zswap/parameters/max_pool_percent',
  '/sys/module/zswap/parameters/accept_threshold_percent', '/sys/module/zswap/parameters/shrinker_enabled', '/sys/block/zram0/disksize',
  '/sys/block/zram0/reset', '/sys/block/zram0/comp_algorithm', '/sys/class/zram-control/hot_remove', '/proc/sys/vm/swappiness',
  '/proc/sys/vm/page-cluster', '/sys/kernel/mm/transparent_hugepage/enabled',
  '/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled', '/proc/meminfo', '/nowhere',
  ...['memory.max', 'memory.high', 'memory.low', 'memory.swap.max', 'memory.zswap.max', 'memory.oom.group', 'memory.reclaim', 'cgroup.procs',
    'memory.zswap.writeback', 'cgroup.subtree_control', 'memory.peak'].map((name) => `/sys/fs/cgroup/app/${name}`),
];

const text = fc.oneof(
  fc.constantFrom(
    '', '\n', '0\n', '1\n', '2\n', '-1\n', '-2\n', '3\n', 'max\n', 'Y\n', 'N\n', 'lzo\n', 'lz4\n', 'zstd\n', 'always\n', 'never\n',
    'inherit\n', '1M\n',
    '512\n', '4095\n', '100000\n', '4294967295\n', '9223372036854775808\n', '18446744073709551615\n', '18446744073709551616\n', '16E\n', '0x200\n',
    '+memory\n', ' 1 \n', '1\0', `${'9'.repeat(5000)}\n`, '__proto__\n',
  ),
  fc.nat({ max: 9000 }).map((value) => `${value}\n`),
  fc.string({ maxLength: 12 }),
);

describe('whatever is written', () => {
  it('is taken or refused by the kernel, and leaves every sum sound', () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom(...PATHS), text), { minLength: 1, maxLength: 8 }), (writes) => {
      const kernel = machine();
      const { tree, memory, swap } = kernel;
      for (const [path, written] of writes) {
        try {
          tree.write(path, written);
        } catch (error) {
          if (!(error instanceof KernelError)) throw error;
          expect(error.why).not.toBe('');
        }
        expect([...swap.checkInvariants(), ...memory.checkInvariants()]).toEqual([]);
      }
      for (const path of ['/proc/meminfo', '/proc/swaps', '/proc/vmstat', '/sys/fs/cgroup/app/memory.stat']) {
        expect(tree.read(path)).not.toMatch(/NaN|undefined|Infinity|[eE]\+|\.\d/);
      }
    }), { numRuns: 400 });
  }, 60_000);
});
