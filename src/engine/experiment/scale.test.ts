import { describe, expect, it } from 'vitest';
import { applyArm } from './arms';
import { scaled } from './scale';
import type { ExperimentSpec, Step } from './spec';

const spec = (scale: number | undefined, steps: readonly Step[]): ExperimentSpec => ({
  format: 'swaplab/experiment', version: 1, title: 't', notes: '', ...(scale === undefined ? {} : { scale }),
  machine: {
    ram_pages: 65536, cpus: 2, nodes: 1,
    swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 6400, priority: 7 }, { kind: 'xswap', name: 'xswap1' }],
    cgroups: [{ path: '/a', set: { 'memory.max': '4G', 'memory.swap.max': 'max', 'memory.oom.group': '1' } }],
  },
  kernel: 'linux-6.18', workload: { steps, events: [{ at: 64, step: { swapoff: '/dev/zram0' } }] },
  arms: [], measure: {}, seeds: [1], claims: [],
});
const start = (more: object): Step => ({
  start: { name: 'p', program: 'usemem', size_pages: 6400, fill: 'pattern', hold_s: 64, copies: 64, ...more },
});

describe('an experiment at 1/64', () => {
  const { machine, workload, ...rest } = scaled(spec(64, [
    start({}),
    start({ program: 'random_access', access: { count: 640, write_percent: 64, law: 'zipf' } }),
    { wait_used: 640 }, { pageout: 'p', pages: 1280 }, { sleep: 64 },
    { write: '/sys/fs/cgroup/a/memory.high', text: '67108864\n' }, { write: '/proc/sys/vm/swappiness', text: '64\n' },
    { write: '/sys/kernel/mm/xswap/type1/limit', text: '6400\n' },
    { write: '/sys/fs/cgroup/a/memory.max', text: '64m' }, { write: '/sys/fs/cgroup/a/memory.low', text: ' 0x4000000\n' },
    { wait_used: 0, rule: 'at-most' },
    { repeat: 64, steps: [{ wait_used: 128, rule: 'at-most' }] },
  ]));

  it('has every size divided, and nothing else', () => {
    expect(rest).not.toHaveProperty('scale');
    expect(machine).toEqual({
      ram_pages: 1024, cpus: 2, nodes: 1,
      swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 100, priority: 7 }, { kind: 'xswap', name: 'xswap1' }],
      cgroups: [{ path: '/a', set: { 'memory.max': '67108864', 'memory.swap.max': 'max', 'memory.oom.group': '1' } }],
    });
    expect(workload.steps).toEqual([
      start({ size_pages: 100 }),
      start({ size_pages: 100, program: 'random_access', access: { count: 10, write_percent: 64, law: 'zipf' } }),
      { wait_used: 10 }, { pageout: 'p', pages: 20 }, { sleep: 64 },
      { write: '/sys/fs/cgroup/a/memory.high', text: '1048576\n' }, { write: '/proc/sys/vm/swappiness', text: '64\n' },
      { write: '/sys/kernel/mm/xswap/type1/limit', text: '100\n' },
      { write: '/sys/fs/cgroup/a/memory.max', text: '1048576' }, { write: '/sys/fs/cgroup/a/memory.low', text: '1048576\n' },
      { wait_used: 0, rule: 'at-most' },
      { repeat: 64, steps: [{ wait_used: 2, rule: 'at-most' }] },
    ]);
    expect(workload.events).toEqual([{ at: 64, step: { swapoff: '/dev/zram0' } }]);
  });

  it('is itself without a scale, and is scaled once where an arm is applied', () => {
    const plain = spec(undefined, []);
    expect(scaled(plain)).toBe(plain);
    const armed = applyArm({ ...spec(2, []), arms: [{ name: 'a', set: { scale: 4, 'machine.ram_pages': 4096 } }] }, 'a');
    expect(armed.ok && armed.spec.machine.ram_pages).toBe(1024);
    expect(armed.ok && scaled(armed.spec).machine.ram_pages).toBe(1024);
  });
});
