import { expect, it } from 'vitest';
import { offsetOf, typeOf } from '../swap/types';
import { machineOf, POLICIES_6_18, touchAll } from './testing/guest';

it('a device is on the node that the machine says: a program of that node fills it first', () => {
  const memory = machineOf(
    {
      ram_pages: 8192, cpus: 4, nodes: 2,
      swap: [
        { kind: 'partition', name: '/dev/sda', size_pages: 4096, node: 0 },
        { kind: 'partition', name: '/dev/sdb', size_pages: 4096, node: 1 },
        { kind: 'partition', name: '/dev/sdc', size_pages: 4096 },
      ],
    },
    POLICIES_6_18, 'linux-6.18', '6.18.15',
  );
  for (const name of ['/dev/sda', '/dev/sdb', '/dev/sdc']) memory.swapon(name);
  expect(memory.swap.devices().map((device) => device.node)).toEqual([0, 1, -1]);
  const typesOf = (cpu: number): Set<number> => {
    const process = memory.spawn({ name: `on-${cpu}`, sizePages: 64, fill: 'pattern', memcg: memory.root, cpu });
    touchAll(memory, process);
    memory.pageout(process, 0, 64);
    expect(process.swapEntries).toBe(64);
    expect(offsetOf(process.pte[0])).toBeGreaterThan(0);
    return new Set(Array.from(process.pte.subarray(0, 64), typeOf));
  };
  expect(typesOf(0)).toEqual(new Set([0]));
  expect(typesOf(3)).toEqual(new Set([1]));
});
