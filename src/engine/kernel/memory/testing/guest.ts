/** The guest of the captures: 2 CPUs, MemTotal 2014732 kB, a 256 MiB disk and two zram devices of 64 MiB, huge pages always. */
import { policiesOf } from '../../swap/registry';
import { SwapSystem } from '../../swap/swap-system';
import { Scheduler } from '../../../simulation/scheduler';
import type { MachineSpec } from '../../../experiment/spec';
import { Memory } from '../memory';
import type { MemoryPolicies, ProcessView, SpawnArgs } from '../types';

export const POLICIES_7_3: MemoryPolicies = {
  exclusiveWriteFreesSlot: true, batchedPageout: true, zswapStoresIncompressible: true, zswapTakesLargeFolios: true, zswapLoad: 'exclusive',
  largeSwapin: 'whole', swapinThroughCache: true,
};
export const POLICIES_6_18: MemoryPolicies = { ...POLICIES_7_3, batchedPageout: false, swapinThroughCache: false };

export const GUEST: MachineSpec = {
  ram_pages: 2014732 / 4,
  cpus: 2,
  nodes: 1,
  swap: [
    { kind: 'partition', name: '/dev/vdc', size_pages: 65536 },
    { kind: 'zram', name: '/dev/zram0', size_pages: 16384 },
    { kind: 'zram', name: '/dev/zram1', size_pages: 16384 },
  ],
};

export function machineOf(machine: MachineSpec, policies = POLICIES_7_3, kernel = 'xswap', release = '7.3.4'): Memory {
  const scheduler = new Scheduler();
  return new Memory(
    { machine, policies, release },
    (host) => new SwapSystem(policiesOf(kernel), machine.cpus, machine.nodes, host),
    scheduler,
  );
}

/** Touches pages from … to-1; false: the process was killed. Runs the workers in between. */
export function touchAll(memory: Memory, process: ProcessView, from = 0, to = process.sizePages, write = true): boolean {
  const scheduler = memory.timeline as Scheduler;
  for (let page = from; page < to; page++) {
    memory.spent = 0;
    if (!memory.touch(process, page, write)) return false;
    scheduler.begin(scheduler.now + Math.ceil(memory.spent));
    memory.spent = 0;
    while (scheduler.nextTime() <= scheduler.now) scheduler.run(scheduler.now + 1, 1);
  }
  return true;
}

/** Lets simulated time pass with nobody but the workers. */
export function idle(memory: Memory, ns: number): void {
  const scheduler = memory.timeline as Scheduler;
  const until = scheduler.now + ns;
  while (scheduler.nextTime() < until) scheduler.run(until, 1000);
  scheduler.begin(until);
}

export function hog(memory: Memory, mib: number, fill: SpawnArgs['fill'], cgroup = '/app'): ProcessView {
  return memory.spawn({ name: 'hog', sizePages: mib * 256, fill, program: 'hog', memcg: memory.memcg(cgroup), cpu: 0 });
}
