/**
 * /sys/kernel/mm/xswap. Source: cover letter of xswap v3. Where it is silent, the rules of the neighbouring attributes of
 * /sys/kernel/mm hold: numbers by kstrto…() in base 10, nothing around them but one newline.
 */
import { KernelError } from '../../errno';
import type { FsKernel } from './kernel';
import { file, liveDir, dir } from './node';
import type { DirNode } from './node';
import { cString, kstrtoint, kstrtoull, quoted, strip } from './parse';

/** SWAP_FLAG_PRIO_MASK: the highest priority that swapon takes. */
const PRIORITY_MOST = 32767;
/** DEF_SWAP_PRIO: what a device gets when none is asked for. */
const PRIORITY_DEFAULT = -1;

/** @returns undefined: the default. @throws KernelError EINVAL, ERANGE */
export function parsePriority(text: string): number | undefined {
  if (strip(cString(text)) === '') return undefined;
  const priority = kstrtoint(text, 10);
  if (priority === PRIORITY_DEFAULT) return undefined;
  if (priority < 0 || priority > PRIORITY_MOST) {
    throw new KernelError('EINVAL', `a priority lies between 0 and ${PRIORITY_MOST}, as with swapon -p; -1 or nothing asks for the default`);
  }
  return priority;
}

function create(kernel: FsKernel, text: string): void {
  if (!kernel.memory.zswap.enabled) {
    throw new KernelError(
      'EOPNOTSUPP',
      'an xswap device has no storage of its own, so zswap must be on: write 1 to /sys/module/zswap/parameters/enabled',
    );
  }
  kernel.memory.createXswap(parsePriority(text));
}

/** Types of the xswap devices that are on. */
function types(kernel: FsKernel): number[] {
  return kernel.swap.devices().filter((device) => device.kind === 'xswap').map((device) => device.type).sort((a, b) => a - b);
}

function destroy(kernel: FsKernel, text: string): void {
  const type = kstrtoint(text, 10);
  const device = kernel.swap.devices().find((each) => each.type === type);
  if (device === undefined) throw new KernelError('EINVAL', `no swap device has type ${quoted(text.trim())}`);
  if (device.kind !== 'xswap') throw new KernelError('EINVAL', `swap type ${type} is ${device.name}, which is no xswap device: use swapoff`);
  kernel.memory.destroyXswap(type);
}

/** More pages than any device has; keeps the number exact. */
const PAGES_MOST = BigInt(Number.MAX_SAFE_INTEGER);

function setLimit(kernel: FsKernel, type: number, text: string): void {
  const pages = kstrtoull(text, 10);
  kernel.swap.setXswapLimit(type, Number(pages > PAGES_MOST ? PAGES_MOST : pages));
  kernel.memory.listener.onSwapChange?.();
}

export function xswapDir(kernel: FsKernel): DirNode {
  return liveDir(
    'sysfs',
    {
      create: file('sysfs', undefined, (text) => create(kernel, text)),
      destroy: file('sysfs', undefined, (text) => destroy(kernel, text)),
    },
    () => types(kernel).map((type) => `type${type}`),
    (name) => {
      const type = types(kernel).find((each) => name === `type${each}`);
      if (type === undefined) return undefined;
      return dir('sysfs', {
        limit: file('sysfs', () => `${kernel.swap.xswapLimit(type)}\n`, (text) => setLimit(kernel, type, text)),
      });
    },
  );
}
