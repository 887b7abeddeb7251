import { describe, expect, it } from 'vitest';
import { explain, EXPLANATIONS } from './explain';
import { syntaxOf, WRITABLE_FILES } from './help';
import { countersOf, Metrics, metricsOf } from './metrics';
import { realKernel } from './testing/real-kernel';
import type { RealKernel } from './testing/real-kernel';

function machine(): RealKernel {
  const kernel = realKernel('xswap', {
    ram_pages: 8192,
    swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 1024, priority: 100 }, { kind: 'partition', name: '/dev/vdc', size_pages: 2048 }],
  });
  const { tree, memory } = kernel;
  tree.write('/sys/module/zswap/parameters/enabled', '1\n');
  memory.swapon('/dev/zram0', 100);
  memory.swapon('/dev/vdc');
  tree.write('/sys/kernel/mm/xswap/create', '\n');
  tree.mkdir('/sys/fs/cgroup/app');
  tree.mkdir('/sys/fs/cgroup/app/worker');
  return kernel;
}

/** Every file below a directory. */
function walk(kernel: RealKernel, path: string): string[] {
  return kernel.tree.list(path).flatMap((name) => {
    const full = `${path === '/' ? '' : path}/${name}`;
    const { readable, writable } = kernel.tree.access(full);
    return readable || writable ? [full] : walk(kernel, full);
  });
}

describe('catalogues', () => {
  const kernel = machine();
  const files = walk(kernel, '/');

  it('tells what every writable file takes, and nothing about others', () => {
    // Not acted on, or without effect on what is read back.
    const silent = /overcommit|cgroup\.subtree_control$|memory\.(swap\.)?peak$/;
    const writable = files.filter((path) => kernel.tree.access(path).writable && !silent.test(path));
    expect(writable.length).toBeGreaterThan(40);
    for (const path of writable) expect([path, syntaxOf(path)?.readable]).toEqual([path, kernel.tree.access(path).readable]);
    for (const path of files.filter((each) => !kernel.tree.access(each).writable)) expect([path, syntaxOf(path)]).toEqual([path, undefined]);
  });

  it('gives examples that the kernel takes', () => {
    for (const { path, example } of WRITABLE_FILES) {
      if (/procs|reclaim|destroy|hot_remove|reset|disksize|comp_algorithm/.test(path)) continue;
      const full = path.replace('<N>', '2').replace('<size>', '64kB').replace('<cgroup>', 'app');
      expect(() => kernel.tree.write(full, `${example}\n`)).not.toThrow();
    }
  });

  it('explains every metric, and every explanation is of use', () => {
    const used = new Set<string>();
    const names = [...Object.keys(countersOf(kernel)), ...files];
    for (const name of names) {
      const found = explain(name);
      if (name.includes('/sys/') || name.startsWith('/proc')) {
        if (found !== undefined) used.add(found.key);
        continue;
      }
      expect([name, found === undefined]).toEqual([name, false]);
      used.add(found!.key);
    }
    expect(EXPLANATIONS.filter(({ key }) => !used.has(key)).map(({ key }) => key)).toEqual([]);
    expect(explain('always.min.meminfo.SwapFree_kB')?.key).toBe('meminfo.SwapFree_kB');
  });
});

describe('metrics', () => {
  it('agree with the files', () => {
    const kernel = machine();
    const { tree, memory } = kernel;
    tree.write('/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled', 'always\n');
    tree.write('/sys/fs/cgroup/app/memory.max', '4M\n');
    const process = memory.spawn({ name: 'hog', sizePages: 2048, fill: 'hog-pattern', memcg: memory.memcg('/app'), cpu: 0 });
    for (let page = 0; page < 2048; page++) memory.touch(process, page, true);
    const values = metricsOf(kernel);
    for (const line of tree.read('/proc/meminfo').trimEnd().split('\n')) {
      const [, key, number] = /^([^:]+): +(\d+)/.exec(line)!;
      const unit = key.startsWith('HugePages_') ? '' : '_kB';
      expect([key, values[`meminfo.${key.replace('(', '_').replace(')', '')}${unit}`]]).toEqual([key, Number(number)]);
    }
    for (const line of tree.read('/proc/vmstat').trimEnd().split('\n')) {
      const [key, number] = line.split(' ');
      expect([key, values[`vmstat.${key}`]]).toEqual([key, Number(number)]);
    }
    expect(values['swaps.zram0.used_kB']).toBeGreaterThan(0);
    expect(values['memcg.app.current']).toBe(Number(tree.read('/sys/fs/cgroup/app/memory.current')));
    expect(values['memcg.app.swap.current']).toBe(Number(tree.read('/sys/fs/cgroup/app/memory.swap.current')));
    expect(values['memcg.app.events.max']).toBeGreaterThan(0);
    expect(values['thp.64kB.swpout']).toBe(Number(tree.read('/sys/kernel/mm/transparent_hugepage/hugepages-64kB/stats/swpout')));
    expect(values['swapon.show']).toContain(String(values['swapon.xswap2']));
    const metrics = new Metrics(kernel);
    for (const { name, read } of metrics.list()) expect([name, read()]).toEqual([name, values[name]]);
  });

  it('keep one list until a device or a cgroup comes or goes', () => {
    const kernel = machine();
    const metrics = new Metrics(kernel);
    const first = metrics.list();
    expect(metrics.list()).toBe(first);
    expect(new Set(first.map(({ name }) => name)).size).toBe(first.length);
    kernel.tree.write('/sys/kernel/mm/xswap/destroy', '2\n');
    const second = metrics.list();
    expect(second).not.toBe(first);
    expect(second.some(({ name }) => name.startsWith('xswap.'))).toBe(false);
    kernel.tree.mkdir('/sys/fs/cgroup/other');
    expect(metrics.list().some(({ name }) => name === 'memcg.other.oom_kill')).toBe(true);
  });
});

describe('/proc/meminfo', () => {
  it('adds up to all of RAM, with zram and zswap in use', () => {
    const kernel = machine();
    const { tree, memory } = kernel;
    tree.write('/sys/fs/cgroup/app/memory.max', '4M\n');
    const process = memory.spawn({ name: 'hog', sizePages: 2048, fill: 'hog-pattern', memcg: memory.memcg('/app'), cpu: 0 });
    for (let page = 0; page < 2048; page++) memory.touch(process, page, true);
    const kB = (key: string): number => Number(new RegExp(`^${key}: +(\\d+)`, 'm').exec(tree.read('/proc/meminfo').replace(/[()]/g, '_'))![1]);
    const zspages = Number(/^nr_zspages (\d+)$/m.exec(tree.read('/proc/vmstat'))![1]);
    expect(zspages).toBeGreaterThan(0);
    expect(kB('Active') + kB('Inactive')).toBe(kB('AnonPages') + kB('SwapCached'));
    expect(kB('MemFree') + kB('Active') + kB('Inactive') + kB('Slab') + kB('PageTables') + zspages * 4).toBe(kB('MemTotal'));
  });
});
