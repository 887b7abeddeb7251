/**
 * The wizard's state: every field as the text that was typed, so that a step can be left and come back to without loss,
 * right or wrong. An empty field leaves the kernel's default in place.
 * draft-from-spec.ts fills it, draft-to-spec.ts turns it into an experiment, checks/ judges it.
 */
import type { ArmSpec, ClaimSpec, MeasureSpec, SwapDeviceKind, SwapDeviceSpec, WorkloadEvent } from '../../engine/experiment/spec';
import type { ThpMode } from './choices';
import type { StepDraft } from './script/step-kinds';

export const STEPS = ['machine', 'kernel', 'swap', 'memory', 'cgroup', 'workload', 'review'] as const;
export type StepId = (typeof STEPS)[number];
export const STEP_TITLES: Record<StepId, string> = {
  machine: 'Machine',
  kernel: 'Kernel',
  swap: 'Swap devices',
  memory: 'zswap and folios',
  cgroup: 'Cgroups',
  workload: 'Workload',
  review: 'Review',
};
export const STEP_ABOUT: Record<StepId, string> = {
  machine: 'What the kernel has to work with.',
  kernel: 'Which rules the kernel follows when it hands out swap slots.',
  swap: 'Where pages can go. The preview on the right says which device fills first, and why.',
  memory: 'What stands before the swap devices, and in which sizes memory is swapped.',
  cgroup: 'Limits that make programs swap long before the machine’s RAM is full.',
  workload: 'What happens on the machine, step by step.',
  review: 'The whole experiment once more, before it is saved or opened.',
};

/** Every row of a list has a key of its own, so that moving rows keeps focus and messages with them. */
export type RowKey = string;

export interface MachineDraft {
  ram: string;
  cpus: string;
  nodes: string;
  swappiness: string;
  pageCluster: string;
}

export interface DeviceDraft {
  readonly key: RowKey;
  kind: SwapDeviceKind;
  name: string;
  size: string;
  /** Empty: the kernel's default. */
  priority: string;
  /** Of the file, kept as it is: the wizard has no field for it. */
  node?: number;
  rotational: boolean;
  discard: NonNullable<SwapDeviceSpec['discard']>;
  compressor: string;
  on: boolean;
}

export interface ZswapDraft {
  enabled: boolean;
  compressor: string;
  maxPoolPercent: string;
  acceptThresholdPercent: string;
  shrinker: boolean;
}

export interface CgroupDraft {
  readonly key: RowKey;
  path: string;
  /** A size, `max`, or empty: not written. */
  memoryMax: string;
  swapMax: string;
  /** Files of the cgroup that the wizard has no field for, written after the two. */
  other: Record<string, string>;
}

/** What the wizard does not edit and carries over from the experiment that is copied. */
export interface CarriedDraft {
  kernelSet: Readonly<Record<string, string | number | boolean>>;
  arms: readonly ArmSpec[];
  measure: MeasureSpec;
  claims: readonly ClaimSpec[];
  scale?: number;
  events: readonly WorkloadEvent[];
}

export interface Draft {
  title: string;
  notes: string;
  /** Whole numbers, separated by commas or spaces. */
  seeds: string;
  machine: MachineDraft;
  kernel: string;
  devices: DeviceDraft[];
  zswap: ZswapDraft;
  thp: Record<string, ThpMode>;
  cgroups: CgroupDraft[];
  script: StepDraft[];
  carried: CarriedDraft;
  /** Title of the experiment that this is a changed copy of. */
  copyOf: string | null;
  /** The next row key. */
  nextKey: number;
}

export function takeKey(draft: Draft): RowKey {
  draft.nextKey += 1;
  return `row${draft.nextKey}`;
}

/** A new experiment to start from: a 2 GiB machine with one zram device, small enough to run in a moment. */
export function emptyDraft(): Draft {
  return {
    title: '',
    notes: '',
    seeds: '1',
    machine: { ram: '2 GiB', cpus: '2', nodes: '1', swappiness: '', pageCluster: '' },
    kernel: 'linux-6.18',
    devices: [],
    zswap: { enabled: false, compressor: '', maxPoolPercent: '', acceptThresholdPercent: '', shrinker: false },
    thp: {},
    cgroups: [],
    script: [],
    carried: { kernelSet: {}, arms: [], measure: {}, claims: [], events: [] },
    copyOf: null,
    nextKey: 0,
  };
}

/** The first name of the kind that no device has. */
export function freeDeviceName(kind: SwapDeviceKind, taken: readonly string[]): string {
  if (kind === 'xswap') return '';
  for (let index = 0; ; index++) {
    const name =
      kind === 'zram' ? `/dev/zram${index}` : kind === 'file' ? `/swapfile${index === 0 ? '' : index}` : `/dev/vd${String.fromCharCode(98 + index)}`;
    if (!taken.includes(name)) return name;
  }
}

const NEW_DEVICE_SIZE: Record<SwapDeviceKind, string> = { zram: '512 MiB', partition: '1 GiB', file: '1 GiB', xswap: '' };

export function addDevice(draft: Draft, kind: SwapDeviceKind): DeviceDraft {
  const device: DeviceDraft = {
    key: takeKey(draft),
    kind,
    name: freeDeviceName(kind, draft.devices.map((other) => other.name)),
    size: NEW_DEVICE_SIZE[kind],
    priority: '',
    rotational: false,
    discard: 'none',
    compressor: '',
    on: true,
  };
  draft.devices.push(device);
  return device;
}

/** Moves a row by `by` places; stays within the list. */
export function moveRow<T>(rows: T[], from: number, by: number): number {
  const to = Math.max(0, Math.min(rows.length - 1, from + by));
  if (to === from) return from;
  const [row] = rows.splice(from, 1);
  if (row !== undefined) rows.splice(to, 0, row);
  return to;
}

export function addCgroup(draft: Draft): CgroupDraft {
  const taken = new Set(draft.cgroups.map((group) => group.path));
  let path = '/app';
  for (let index = 2; taken.has(path); index++) path = `/app${index}`;
  const group: CgroupDraft = { key: takeKey(draft), path, memoryMax: '', swapMax: '', other: {} };
  draft.cgroups.push(group);
  return group;
}
