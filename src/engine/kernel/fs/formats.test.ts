import { describe, expect, it } from 'vitest';
import { blockStat, ioStat, mmStat } from './block-files';
import { eraOf } from './era';
import { formatMeminfo } from './meminfo';
import { formatProcSwaps, parseProcSwaps } from './proc-swaps';
import { procSwaps } from './proc';
import { createFileTree } from './tree';
import { formatVmstat } from './vmstat';
import { capturedKernel, capturedSwap, capturedZram, keyed } from './testing/captured-kernel';
import { golden, goldenSections } from './testing/golden';

const STATES = [
  '0-no-swap', '1-swap-on', '2-memcg-48M-hog-96M-no-zswap', '3-after-exit', '4-zswap-pattern', '5-zswap-zero', '7-memcg-oom',
].map((state) => [`guest-7.3/${state}`, '7.3.4'] as const);
const OLD_STATES = ['0-no-swap', '1-swap-on', '2-memcg-48M-hog-96M-no-zswap', '3-after-exit', '7-memcg-oom']
  .map((state) => [`guest-6.18/${state}`, '6.18.15'] as const);

/** Lines that exist only in a kernel with zswap; the 6.18 guest was built without. */
const withoutZswap = (text: string): string => text.replace(/^(zswap|zswapped|zswpin|zswpout|zswpwb) .*\n/gm, '');

describe.each([...STATES, ...OLD_STATES])('%s, byte by byte', (folder, release) => {
  const tree = createFileTree(capturedKernel(folder, release));

  it('/proc/swaps', () => {
    expect(tree.read('/proc/swaps')).toBe(golden(`${folder}/proc-swaps.txt`));
    expect(formatProcSwaps(parseProcSwaps(golden(`${folder}/proc-swaps.txt`)).map((row) => ({
      ...row, sizeKB: Number(row.sizeKB), usedKB: Number(row.usedKB),
    })))).toBe(golden(`${folder}/proc-swaps.txt`));
  });

  it('memory.* of a cgroup', () => {
    const sections = goldenSections(`${folder}/cgroup-memory.txt`);
    expect(sections.size).toBeGreaterThan(15);
    for (const [name, text] of sections) {
      const shown = tree.read(`/sys/fs/cgroup/app/${name}`);
      expect(`${name}\n${release.startsWith('6') ? withoutZswap(shown) : shown}`).toBe(`${name}\n${text}`);
    }
  });

  it('THP counters', () => {
    const lines: string[] = [];
    for (const size of tree.list('/sys/kernel/mm/transparent_hugepage').filter((name) => name.startsWith('hugepages-'))) {
      for (const name of tree.list(`/sys/kernel/mm/transparent_hugepage/${size}/stats`)) {
        lines.push(`${size}/stats/${name}: ${tree.read(`/sys/kernel/mm/transparent_hugepage/${size}/stats/${name}`)}`);
      }
    }
    expect(lines.join('')).toBe(golden(`${folder}/thp-stats.txt`));
  });
});

describe.each(STATES)('%s, byte by byte: what 6.18 without zswap lacks', (folder, release) => {
  const tree = createFileTree(capturedKernel(folder, release));
  const era = eraOf(release);

  it('/proc/meminfo and /proc/vmstat', () => {
    const meminfo = golden(`${folder}/proc-meminfo.txt`);
    expect(formatMeminfo(era.meminfo, keyed(meminfo.replaceAll(' kB', '')))).toBe(meminfo);
    expect(tree.read('/proc/vmstat')).toBe(golden(`${folder}/proc-vmstat.txt`));
    // What this machine does not have reads 0; every modelled line is the capture's own.
    const shown = tree.read('/proc/meminfo').split('\n');
    for (const [index, line] of meminfo.split('\n').entries()) {
      if (/^(Mem|SwapC|SwapT|SwapF|Active\(a|Inactive\(a|Zsw|AnonP|AnonH|PageT|Commit|HugeP|Hugep)/.test(line)) expect(shown[index]).toBe(line);
      expect(shown[index].split(':')[0]).toBe(line.split(':')[0]);
    }
  });

  it('zswap parameters and counters', () => {
    const parameters = tree.list('/sys/module/zswap/parameters')
      .map((name) => `/sys/module/zswap/parameters/${name}: ${tree.read(`/sys/module/zswap/parameters/${name}`)}`);
    expect(parameters.join('')).toBe(golden(`${folder}/zswap-parameters.txt`));
    const debug = golden(`${folder}/zswap-debugfs.txt`);
    if (debug.includes("can't open")) {
      expect(tree.exists('/sys/kernel/debug/zswap')).toBe(false);
    } else {
      expect(tree.list('/sys/kernel/debug/zswap').map((name) => `${name}: ${tree.read(`/sys/kernel/debug/zswap/${name}`)}`).join('')).toBe(debug);
    }
  });
});

describe('a real 6.18 with three zram devices in use, byte by byte', () => {
  it('/proc/meminfo and /proc/vmstat', () => {
    const era = eraOf('6.18.44');
    const meminfo = golden('host-6.18/proc-meminfo.txt');
    expect(formatMeminfo(era.meminfo, keyed(meminfo.replaceAll(' kB', '')))).toBe(meminfo);
    const vmstat = golden('host-6.18/proc-vmstat.txt');
    const values = keyed(vmstat);
    expect(formatVmstat(era.vmstat, (key) => values.get(key) ?? 0)).toBe(vmstat);
  });

  it('/proc/swaps, mm_stat, io_stat', () => {
    const swaps = golden('host-6.18/proc-swaps.txt');
    const kernel = { ...capturedKernel('guest-7.3/0-no-swap', '6.18.44'), swap: capturedSwap(swaps) };
    expect(procSwaps(kernel)).toBe(swaps);
    for (const index of [0, 1, 2]) {
      const mm = golden(`host-6.18/zram${index}-mm_stat.txt`);
      const io = golden(`host-6.18/zram${index}-io_stat.txt`);
      expect(mmStat(capturedZram(`zram${index}`, mm, io))).toBe(mm);
      expect(ioStat(capturedZram(`zram${index}`, mm, io))).toBe(io);
    }
  });

  it('/sys/block/<disk>/stat, but for the times, which are not modelled', () => {
    const stat = golden('guest-7.3/4-zswap-pattern/vdc-stat.txt');
    const n = stat.trim().split(/\s+/).map(Number);
    const shown = blockStat({
      name: 'vdc', readIos: n[0], readMerges: n[1], readSectors: n[2], writeIos: n[4], writeMerges: n[5], writeSectors: n[6],
      discardIos: n[11], discardSectors: n[13],
    });
    const masked = [3, 7, 9, 10, 15, 16];
    let column = -1;
    const expected = stat.replace(/ *\d+/g, (field) => { column++; return masked.includes(column) ? (column === 0 ? '0' : ' ') + '0'.padStart(8) : field; });
    expect(shown).toBe(expected);
  });
});
