import { describe, expect, it } from 'vitest';
import { ERRNO, KernelError } from '../../errno';
import type { FileTree } from './tree';
import { golden, goldenRows } from './testing/golden';
import { realKernel } from './testing/real-kernel';

/** `ok` or the errno of a call. */
function answer(call: () => void): string {
  try {
    call();
    return 'ok';
  } catch (error) {
    if (error instanceof KernelError) return error.code;
    throw error;
  }
}

function readsBack(tree: FileTree, path: string): string {
  try {
    return tree.read(path);
  } catch (error) {
    if (error instanceof KernelError) return error.code;
    throw error;
  }
}

interface Row {
  readonly echo: string;
  readonly path: string;
  readonly message: string;
  readonly exit: string;
  readonly reads: string;
}

/** Rows of an errors.txt: `# echo '…' > path`, an error line or none, `exit N; reads: …`. */
function errorRows(folder: string): Row[] {
  const rows: Row[] = [];
  const pattern = /^# echo '(.*)' > (\S+)\n(?:sh: (.*)\n)?exit (\d+); reads: (.*)$/gm;
  for (const [, echo = '', path = '', message = '', exit = '', reads = ''] of golden(`${folder}/errors.txt`).matchAll(pattern)) {
    rows.push({ echo, path, message, exit, reads });
  }
  return rows;
}

/** What busybox prints for an errno that a write or an open answered. */
function asShell(code: string): string {
  if (code === 'ok') return '';
  return `write error: ${ERRNO[code as keyof typeof ERRNO][1]}`;
}

describe.each([['guest-7.3', 'xswap'], ['guest-6.18', 'linux-6.18']] as const)('odd writes as %s answered them', (folder, id) => {
  const { tree } = realKernel(id, { zswap: { enabled: false, compressor: 'lzo' } });
  tree.mkdir('/sys/fs/cgroup/app');
  if (!tree.exists('/sys/block/zram0')) tree.read('/sys/class/zram-control/hot_add');
  if (id === 'xswap') tree.write('/sys/module/zswap/parameters/compressor', 'lzo\n');
  // The 6.18 guest was built without zswap; the simulated 6.18 has it.
  const rows = errorRows(folder).filter(({ message }) => !message.includes('nonexistent directory'));

  it('has all rows', () => expect(rows.length).toBe(folder === 'guest-7.3' ? 34 : 23));

  it.each(rows)("echo '$echo' > $path", ({ echo, path, message, exit, reads }) => {
    const code = answer(() => tree.write(path, `${echo}\n`));
    expect([asShell(code), code === 'ok' ? '0' : '1']).toEqual([message, exit]);
    const back = readsBack(tree, path);
    expect(back === 'EACCES' ? `cat: can't open '${path}': Permission denied` : back).toBe(reads.startsWith('cat:') ? reads : `${reads}\n`);
  });
});

describe('writes as a running 6.18.44 answered them', () => {
  const { tree } = realKernel('linux-6.18', { zswap: { enabled: false, compressor: 'lzo' } });
  if (!tree.exists('/sys/block/zram0')) tree.read('/sys/class/zram-control/hot_add');
  tree.write('/sys/module/zswap/parameters/compressor', 'lzo\n');
  // The cgroup v1 file is compared in parse.test.ts. A doubled newline behind a compressor's name is taken by zram, which then
  // marks no compressor at all, in two rows: not modelled (docs/fidelity.md).
  const rows = goldenRows('writes-6.18.txt').filter(([path, , , reads]) => !path.includes('/memory/') && reads !== '"lzo-rle lzo lz4 \\n"');

  it('has all rows', () => expect(rows.length).toBe(217));

  it.each(rows)('%s %s', (path, text, expected, reads) => {
    expect(answer(() => tree.write(path, JSON.parse(text) as string))).toBe(expected);
    const back = readsBack(tree, path);
    expect(/^E[A-Z]+$/.test(back) ? back : JSON.stringify(back)).toBe(reads);
  });
});
