/** The fill-order preview of a draft, also while some of its fields cannot be read yet. */
import type { DefaultPriorityRule, FillOrder } from '../../engine/experiment/fill-order';
import { fillOrder } from '../../engine/experiment/fill-order';
import { xswapSize } from '../../engine/kernel/swap/xswap';
import type { SwapDeviceSpec } from '../../engine/experiment/spec';
import type { Draft } from './draft';
import { deviceSpec, xswapNumbers } from './draft-to-spec';
import type { StepDraft } from './script/step-kinds';
import { parseSize } from './units';

export interface Preview {
  readonly order: FillOrder;
  /** Names of devices left out because their size or priority cannot be read yet. */
  readonly unread: readonly string[];
  /** Numbers of the script's steps that switch a device on, or make one: 1 is the first. */
  readonly later: readonly number[];
}

const bringsDevice = (step: StepDraft): boolean => (
  step.kind === 'swapon' || (step.kind === 'write' && (step.fields.path ?? '').trim() === '/sys/kernel/mm/xswap/create')
);

/** RAM while its field cannot be read: only the size of an xswap device hangs on it. */
const FALLBACK_RAM_PAGES = 2 ** 19;

export function fillPreview(draft: Draft, defaults: DefaultPriorityRule): Preview {
  const devices: SwapDeviceSpec[] = [];
  const unread: string[] = [];
  const types = xswapNumbers(draft.devices);
  const ram = parseSize(draft.machine.ram);
  const ramPages = ram.ok ? ram.pages : FALLBACK_RAM_PAGES;
  draft.devices.forEach((device, index) => {
    try {
      // Throws where the kernel could not make the device: RAM is too large for it.
      if (device.kind === 'xswap') xswapSize(ramPages);
      devices.push(deviceSpec(device, types[index] ?? index));
    } catch {
      unread.push(device.name.trim() || device.kind);
    }
  });
  const cpus = Number(draft.machine.cpus);
  const order = fillOrder({
    devices,
    defaults,
    ramPages,
    cpus: Number.isInteger(cpus) && cpus > 0 ? cpus : 1,
    zswap: draft.zswap.enabled,
    thp: draft.thp,
  });
  const later = draft.script.flatMap((step, index) => (bringsDevice(step) ? [index + 1] : []));
  return { order, unread, later };
}

/** Devices take the eight colours in the order of swapon, as on the run screen. 1 … 8. */
export const deviceColour = (index: number): number => (index % 8) + 1;
