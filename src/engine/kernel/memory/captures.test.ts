/**
 * The states 2, 4, 5 and 7 of the 7.3 guest, by the same steps in the same order, and state 2 of the 6.18 guest. Golden:
 * test-data/captures/guest-7.3 and guest-6.18 (real 7.3.4 and 6.18.15 with 2 CPUs and 2 GiB). Every number below is read from
 * those files.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Memory } from './memory';
import { GUEST, hog, idle, machineOf, POLICIES_6_18, touchAll } from './testing/guest';

const root = fileURLToPath(new URL('../../../../test-data/captures/guest-7.3/', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');

function cgroupFile(state: string, name: string): string {
  const text = read(`${state}/cgroup-memory.txt`);
  const start = text.indexOf(`== ${name}\n`);
  const end = text.indexOf('\n== ', start + 1);
  return text.slice(start + name.length + 4, end < 0 ? undefined : end).trim();
}

function meminfo(state: string, key: string): number {
  return Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(read(`${state}/proc-meminfo.txt`))?.[1]);
}

interface Snapshot {
  swapUsed_kB: number;
  zswap_kB: number;
  zswapped_kB: number;
  current: number;
  swapCurrent: number;
  zswapCurrent: number;
}

function captured(state: string): Snapshot {
  return {
    swapUsed_kB: meminfo(state, 'SwapTotal') - meminfo(state, 'SwapFree'),
    zswap_kB: meminfo(state, 'Zswap'),
    zswapped_kB: meminfo(state, 'Zswapped'),
    current: Number(cgroupFile(state, 'memory.current')),
    swapCurrent: Number(cgroupFile(state, 'memory.swap.current')),
    zswapCurrent: Number(cgroupFile(state, 'memory.zswap.current')),
  };
}

function modelled(memory: Memory): Snapshot {
  const info = memory.meminfo();
  const app = memory.memcg('/app');
  return {
    swapUsed_kB: info.SwapTotal - info.SwapFree,
    zswap_kB: info.Zswap,
    zswapped_kB: info.Zswapped,
    current: app.currentPages * 4096,
    swapCurrent: app.swapCurrentPages * 4096,
    zswapCurrent: app.zswapCurrentBytes,
  };
}

function expectClose(memory: Memory, state: string): void {
  expect(memory.checkInvariants()).toEqual([]);
  const real = captured(state);
  const ours = modelled(memory);
  for (const key of Object.keys(real) as (keyof Snapshot)[]) {
    const low = real[key] * 0.9;
    const high = real[key] * 1.1;
    expect(ours[key], `${state}: ${key}, really ${real[key]}`).toBeGreaterThanOrEqual(low);
    expect(ours[key], `${state}: ${key}, really ${real[key]}`).toBeLessThanOrEqual(high);
  }
  expectSums(memory);
}

function expectSums(memory: Memory): void {
  const app = memory.memcg('/app');
  const stat = (name: Parameters<Memory['memcgStat']>[1]): number => memory.memcgStat(app, name);
  const stock = app.stock.reduce((sum, pages) => sum + pages, 0);
  const unmapped = stat('inactive_anon') + stat('active_anon') - stat('anon');
  expect(app.currentPages * 4096).toBe(stat('anon') + unmapped + stat('kernel') + stock * 4096);
  const info = memory.meminfo();
  expect(info.SwapFree).toBe(info.SwapTotal - memory.swap.devices().reduce((sum, device) => sum + device.inUse * 4, 0));
  expect(info.Zswapped).toBe(memory.zswap.storedPages * 4);
  expect(app.zswapCurrentBytes).toBe(memory.zswap.storedBytes);
}

describe('the 7.3 guest', () => {
  const memory = machineOf(GUEST);
  memory.setThpMode(9, 'always');
  for (const name of ['/dev/vdc', '/dev/zram0']) memory.swapon(name);
  memory.swapon('/dev/zram1', 100);
  const app = memory.createMemcg('/app');
  memory.setMemoryMax(app, 48 * 256);
  memory.setSwapMax(app, 300 * 256);

  it('shows state 2: no zswap, pattern', () => {
    const process = hog(memory, 96, 'hog-pattern');
    expect(touchAll(memory, process)).toBe(true);
    expectClose(memory, '2-memcg-48M-hog-96M-no-zswap');
    const stats = read('2-memcg-48M-hog-96M-no-zswap/thp-stats.txt');
    for (const name of ['anon_fault_alloc', 'anon_fault_fallback', 'anon_fault_fallback_charge', 'swpout', 'swpout_fallback'] as const) {
      expect(memory.thpStat(9, name)).toBe(Number(new RegExp(`hugepages-2048kB/stats/${name}: (\\d+)`).exec(stats)?.[1]));
    }
    memory.exit(process.pid, false);
    // State 3: what is left of the charge is the stock of the CPU on which the page tables were freed.
    expect(app.currentPages * 4096).toBe(Number(cgroupFile('3-after-exit', 'memory.current')));
  });

  it('shows state 4: zswap, pattern', () => {
    for (const name of ['/dev/zram0', '/dev/zram1', '/dev/vdc']) memory.swapoff(name);
    memory.swapon('/dev/vdc');
    memory.setZswapEnabled(true);
    const process = hog(memory, 96, 'hog-pattern');
    expect(touchAll(memory, process)).toBe(true);
    expectClose(memory, '4-zswap-pattern');
    // 573 bytes a page, as there.
    expect(memory.zswap.storedBytes / memory.zswap.storedPages).toBe(573);
    memory.exit(process.pid, false);
  });

  it('shows state 5: zswap, zero', () => {
    const process = hog(memory, 96, 'zero');
    expect(touchAll(memory, process)).toBe(true);
    expectClose(memory, '5-zswap-zero');
    memory.exit(process.pid, false);
  });

  it('kills the hog of random pages, as the guest did before state 7', () => {
    const process = hog(memory, 96, 'random');
    expect(touchAll(memory, process)).toBe(false);
    expect(process.state).toBe('killed');
    idle(memory, 1e9);
    expect(app.events.oom_kill).toBe(1);
  });

  it('shows state 7: the OOM killer ends the hog', () => {
    memory.setMemoryMax(app, 32 * 256);
    memory.setSwapMax(app, 16 * 256);
    const from = memory.log.length;
    expect(touchAll(memory, hog(memory, 96, 'hog-pattern'))).toBe(false);
    expectClose(memory, '7-memcg-oom');
    expect(app.events.oom_kill).toBe(Number(/oom_kill (\d+)/.exec(cgroupFile('7-memcg-oom', 'memory.events'))?.[1]));
    const report = memory.log.slice(from).map((line) => line.text);
    expectReport(report);
  });
});

describe('the 6.18 guest', () => {
  it('shows state 2 within 1 %: no zswap, pattern', () => {
    const memory = machineOf(GUEST, POLICIES_6_18, 'linux-6.18', '6.18.15');
    memory.setThpMode(9, 'always');
    for (const name of ['/dev/vdc', '/dev/zram0']) memory.swapon(name);
    memory.swapon('/dev/zram1', 100);
    const app = memory.createMemcg('/app');
    memory.setMemoryMax(app, 48 * 256);
    memory.setSwapMax(app, 300 * 256);
    expect(touchAll(memory, hog(memory, 96, 'hog-pattern'))).toBe(true);
    const state = `${root}../guest-6.18/2-memcg-48M-hog-96M-no-zswap`;
    const number = (file: string, pattern: RegExp): number => Number(pattern.exec(readFileSync(`${state}/${file}`, 'utf8'))?.[1]);
    const close = (ours: number, real: number): void => expect(Math.abs(ours / real - 1), `${ours}, really ${real}`).toBeLessThan(0.01);
    close(app.currentPages * 4096, number('cgroup-memory.txt', /== memory\.current\n(\d+)/));
    close(app.swapCurrentPages * 4096, number('cgroup-memory.txt', /== memory\.swap\.current\n(\d+)/));
    close(memory.vmstat('pswpout') as number, number('proc-vmstat.txt', /^pswpout (\d+)/m));
    const zram1 = memory.swap.devices().find((device) => device.name === '/dev/zram1');
    close((zram1?.inUse ?? 0) * 4, number('proc-swaps.txt', /zram1\s+partition\s+\d+\s+(\d+)/));
    expect(memory.meminfo().SwapCached).toBe(number('proc-meminfo.txt', /^SwapCached:\s+(\d+)/m));
    expect(memory.vmstat('thp_fault_alloc')).toBe(number('proc-vmstat.txt', /^thp_fault_alloc (\d+)/m));
    expect(memory.checkInvariants()).toEqual([]);
  });
});

describe('the report of a 6.18 guest', () => {
  it('has its lines in its order: no protection line, and the zswap lines beside those of the guest, built without', () => {
    const memory = machineOf(GUEST, POLICIES_6_18, 'linux-6.18', '6.18.15');
    memory.swapon('/dev/vdc');
    const app = memory.createMemcg('/app');
    memory.setMemoryMax(app, 32 * 256);
    memory.setSwapMax(app, 16 * 256);
    expect(touchAll(memory, hog(memory, 96, 'hog-pattern'))).toBe(false);
    const names = (lines: readonly string[]): string[] => {
      const from = lines.findIndex((line) => line.startsWith('Memory cgroup stats'));
      const to = lines.findIndex((line) => line.startsWith('oom-kill:'));
      return lines.slice(from, to).map((line) => line.split(' ')[0]);
    };
    const dmesg = readFileSync(`${root}../guest-6.18/dmesg-all.txt`, 'utf8').split('\n').map((line) => line.replace(/^\[ *[0-9.]+\] /, ''));
    const first = dmesg.findIndex((line) => line.startsWith('hog invoked oom-killer'));
    const zswap = new Set(['zswap', 'zswapped', 'zswpin', 'zswpout', 'zswpwb']);
    const ours = names(memory.log.map((line) => line.text));
    expect(ours.filter((name) => !zswap.has(name))).toEqual(names(dmesg.slice(first)));
    expect(ours.filter((name) => zswap.has(name)).length).toBe(5);
  });

  it('names the program that asked, and how', () => {
    const memory = machineOf(GUEST, POLICIES_6_18, 'linux-6.18', '6.18.15');
    memory.swapon('/dev/vdc');
    const app = memory.createMemcg('/app');
    const process = hog(memory, 32, 'hog-pattern');
    touchAll(memory, process);
    memory.setMemoryMax(app, 8 * 256);
    memory.swapoff('/dev/vdc');
    expect(process.state).toBe('killed');
    expect(memory.log.find((line) => line.text.includes('invoked'))?.text)
      .toBe('swapoff invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0');
    expect(memory.checkInvariants()).toEqual([]);
  });
});

/** Every line of the real report has its counterpart, in the same order and form; call trace and registers are not modelled. */
function expectReport(report: readonly string[]): void {
  const form = (line: string): string =>
    line.replace(/^\[ *\d+\.\d+\] /, '').replace(/\d+/g, 'N').replace(/\[ *N\]/, '[N]').replace(/ +/g, ' ').trim();
  const real = read('7-memcg-oom/dmesg-tail.txt').trim().split('\n').map(form);
  const ours = report.map(form);
  const tail = ours.slice(ours.length - real.length);
  expect(tail.map((line) => line.replace('(hog)', '(hog)'))).toEqual(real);
  expect(report[0]).toBe('hog invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0');
  expect(report.find((line) => line.startsWith('memory: usage'))).toMatch(/^memory: usage 32768kB, limit 32768kB, failcnt \d+$/);
  expect(report.find((line) => line.startsWith('swap: usage'))).toMatch(/^swap: usage 16384kB, limit 16384kB, failcnt \d+$/);
  const header = '[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name';
  const row = report[report.indexOf(header) + 1];
  const realRow = read('7-memcg-oom/dmesg-tail.txt').split('\n').find((line) => / hog$/.test(line) && line.includes('4096'));
  expect(row.length).toBe((realRow as string).replace(/^\[ *\d+\.\d+\] /, '').length);
}
