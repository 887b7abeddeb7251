/** Brings the described machine into the state in which its workload finds it: knobs set, cgroups made, devices on. */
import { ERRNO, KernelError } from '../errno';
import type { MachineSpec } from '../experiment/spec';
import type { FileTree } from '../kernel/fs/tree';
import type { MemorySystem } from '../kernel/memory/types';

/** The machine cannot be built; the message names the place in the experiment. */
export class MachineBuildError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MachineBuildError';
  }
}

const at = (place: string, run: () => void): void => {
  try {
    run();
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    throw new MachineBuildError(`${place}: ${ERRNO[error.code][1]} (${error.code})${error.why ? `: ${error.why}` : ''}`);
  }
};

const ZSWAP = '/sys/module/zswap/parameters';
const THP = '/sys/kernel/mm/transparent_hugepage';

export const prepareMachine = (machine: MachineSpec, memory: MemorySystem, tree: FileTree): void => {
  const write = (place: string, path: string, value: string | number): void => at(place, () => tree.write(path, `${value}\n`));
  if (machine.swappiness !== undefined) write('machine.swappiness', '/proc/sys/vm/swappiness', machine.swappiness);
  if (machine.page_cluster !== undefined) write('machine.page_cluster', '/proc/sys/vm/page-cluster', machine.page_cluster);
  for (const [size, mode] of Object.entries(machine.thp ?? {})) write(`machine.thp.${size}`, `${THP}/hugepages-${size}/enabled`, mode);
  const { zswap } = machine;
  if (zswap) {
    if (zswap.compressor !== undefined) write('machine.zswap.compressor', `${ZSWAP}/compressor`, zswap.compressor);
    if (zswap.max_pool_percent !== undefined) write('machine.zswap.max_pool_percent', `${ZSWAP}/max_pool_percent`, zswap.max_pool_percent);
    if (zswap.accept_threshold_percent !== undefined) {
      write('machine.zswap.accept_threshold_percent', `${ZSWAP}/accept_threshold_percent`, zswap.accept_threshold_percent);
    }
    if (zswap.shrinker_enabled !== undefined) write('machine.zswap.shrinker_enabled', `${ZSWAP}/shrinker_enabled`, zswap.shrinker_enabled ? 'Y' : 'N');
    write('machine.zswap.enabled', `${ZSWAP}/enabled`, zswap.enabled ? 'Y' : 'N');
  }
  machine.cgroups?.forEach((group, i) => {
    at(`machine.cgroups[${i}].path`, () => {
      let made = '/sys/fs/cgroup';
      for (const name of group.path.split('/').slice(1)) {
        made += `/${name}`;
        if (!tree.exists(made)) tree.mkdir(made);
      }
    });
    for (const [file, text] of Object.entries(group.set ?? {})) write(`machine.cgroups[${i}].set.${file}`, `/sys/fs/cgroup${group.path}/${file}`, text);
  });
  machine.swap.forEach((device, i) => {
    if (device.on === false) return;
    const place = `machine.swap[${i}]`;
    if (device.kind === 'xswap') {
      write(place, '/sys/kernel/mm/xswap/create', device.priority ?? '');
      const last = memory.swap.devices().map((each) => each.name);
      if (!last.includes(device.name)) throw new MachineBuildError(`${place}.name: the kernel calls this device "${last.at(-1) ?? ''}"`);
    } else at(place, () => void memory.swapon(device.name, device.priority));
  });
};
