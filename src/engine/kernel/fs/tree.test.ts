import { describe, expect, it } from 'vitest';
import { KernelError } from '../../errno';
import type { FileTree } from './tree';
import { goldenRows } from './testing/golden';
import { realKernel } from './testing/real-kernel';

function answer(call: () => unknown): string {
  try {
    call();
    return 'ok';
  } catch (error) {
    if (error instanceof KernelError) return error.code;
    throw error;
  }
}

const CALLS: Readonly<Record<string, (tree: FileTree, path: string) => unknown>> = {
  read: (tree, path) => tree.read(path),
  create: (tree, path) => tree.write(path, '\u00ff\n'),
  list: (tree, path) => tree.list(path),
  mkdir: (tree, path) => tree.mkdir(path),
  rmdir: (tree, path) => tree.rmdir(path),
};

describe('calls that fail, as a running 6.18.44 answers root', () => {
  const { tree } = realKernel('linux-6.18');
  if (!tree.exists('/sys/block/zram0')) tree.read('/sys/class/zram-control/hot_add');
  const rows = goldenRows('paths-6.18.txt');

  it('has all rows', () => expect(rows.length).toBe(94));

  it.each(rows)('%s %s', (call, path, expected) => {
    const full = path.replace('{cgroup}', '/sys/fs/cgroup').replaceAll('\\n', '\n');
    expect(answer(() => CALLS[call](tree, full))).toBe(expected);
  });
});

describe('cgroups', () => {
  it('come and go with their files, parents first', () => {
    const { tree } = realKernel('xswap');
    tree.mkdir('/sys/fs/cgroup/a');
    tree.mkdir('/sys/fs/cgroup/a/b');
    expect(tree.list('/sys/fs/cgroup/a')).toContain('b');
    expect(tree.list('/sys/fs/cgroup')).not.toContain('memory.max');
    tree.write('/sys/fs/cgroup/a/b/memory.max', '48M\n');
    expect(tree.read('/sys/fs/cgroup/a/b/memory.max')).toBe('50331648\n');
    expect(answer(() => tree.rmdir('/sys/fs/cgroup/a'))).toBe('EBUSY');
    tree.rmdir('/sys/fs/cgroup/a/b');
    tree.rmdir('/sys/fs/cgroup/a');
    expect(answer(() => tree.read('/sys/fs/cgroup/a/memory.max'))).toBe('ENOENT');
  });

  it('take processes by id, with blanks around it, and are busy while one is in them', () => {
    const { tree, memory } = realKernel('xswap');
    tree.mkdir('/sys/fs/cgroup/a');
    const { pid } = memory.spawn({ name: 'hog', sizePages: 16, fill: 'pattern', memcg: memory.root, cpu: 0 });
    const procs = '/sys/fs/cgroup/a/cgroup.procs';
    for (const [text, expected] of [['abc\n', 'EINVAL'], ['-1\n', 'EINVAL'], ['999999999\n', 'ESRCH'], ['\n', 'EINVAL'], [` ${pid} \n`, 'ok']] as const) {
      expect([text, answer(() => tree.write(procs, text))]).toEqual([text, expected]);
    }
    expect(tree.read(procs)).toBe(`${pid}\n`);
    expect(tree.read(`/proc/${pid}/cgroup`)).toBe('0::/a\n');
    expect(tree.read('/sys/fs/cgroup/a/cgroup.events')).toBe('populated 1\nfrozen 0\n');
    expect(answer(() => tree.rmdir('/sys/fs/cgroup/a'))).toBe('EBUSY');
    memory.exit(pid, true);
    memory.forget(pid);
    tree.rmdir('/sys/fs/cgroup/a');
  });

  it('know the memory controller alone', () => {
    const { tree } = realKernel('xswap');
    const control = '/sys/fs/cgroup/cgroup.subtree_control';
    const answers = [
      ['+memory\n', 'ok'], ['\n', 'ok'], ['+io\n', 'ENOENT'], ['+foo\n', 'EINVAL'], ['memory\n', 'EINVAL'], ['+ memory\n', 'EINVAL'],
    ] as const;
    for (const [text, expected] of answers) {
      expect([text, answer(() => tree.write(control, text))]).toEqual([text, expected]);
    }
  });
});
