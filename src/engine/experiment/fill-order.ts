/**
 * Which swap device fills first, and why: the plan that the wizard shows before a run.
 *
 * It states in closed form what the slot allocator of Linux 6.18 does when small folios are swapped out one after the
 * other on one CPU and nothing is freed; a test lets the real allocator fill random machines and compares.
 * Source: mm/swapfile.c of 6.18 (folio_alloc_swap, swap_alloc_slow, cluster_alloc_swap_entry), in words in
 * docs/fidelity.md. Pure: no state, no I/O.
 */
import type { ThpSizes } from './fill-sentences';
import { describeGroup, describeMachine } from './fill-sentences';
import type { SwapDeviceKind, SwapDeviceSpec } from './spec';
import type { SwapPolicies } from '../kernel/swap/registry';
import { CLUSTER_SLOTS } from '../kernel/swap/types';
import { xswapSize } from '../kernel/swap/xswap';

/** How a kernel numbers devices that were given no priority: kernel/swap/priorities.ts. */
export type DefaultPriorityRule = SwapPolicies['defaultPriority'];

export interface FillInput {
  /** In order of swapon. */
  readonly devices: readonly SwapDeviceSpec[];
  readonly defaults: DefaultPriorityRule;
  /** Pages of 4 KiB; sizes an xswap device. */
  readonly ramPages: number;
  readonly cpus?: number;
  readonly zswap?: boolean;
  readonly thp?: ThpSizes;
}

export interface FillDevice {
  readonly name: string;
  readonly kind: SwapDeviceKind;
  /** The number that /proc/swaps shows. */
  readonly priority: number;
  readonly given: boolean;
  /** Usable pages of 4 KiB: without the header slot. */
  readonly pages: number;
  /** Pages that it takes each time its turn comes among equals: a cluster of 512, or 1 on a rotational device. */
  readonly turnPages: number;
  readonly rotational: boolean;
  readonly pageDiscard: boolean;
}

/** A stretch of filling in which the same devices take turns; it ends when one of them is full. */
export interface FillPhase {
  /** Pages in use on the whole machine when the phase starts and when it ends. */
  readonly from: number;
  readonly to: number;
  /** In order of their turns, with the pages that each takes in this phase. */
  readonly shares: readonly { readonly name: string; readonly pages: number }[];
  /** The device that becomes full at the end. */
  readonly full: string;
}

/** Devices of one priority. */
export interface FillGroup {
  readonly priority: number;
  /** In order of first use. */
  readonly devices: readonly FillDevice[];
  readonly phases: readonly FillPhase[];
  /** Why this group comes at this place, and how its devices share. */
  readonly why: string;
  /** What is special about single devices of the group. */
  readonly notes: readonly string[];
}

export interface FillOrder {
  readonly groups: readonly FillGroup[];
  /** Names in order of the first slot taken. */
  readonly firstUse: readonly string[];
  /** Names in the order in which they become full. */
  readonly full: readonly string[];
  /** Usable pages of all devices that are on. */
  readonly pages: number;
  /** Described but left off at the start. */
  readonly off: readonly string[];
  /** What holds for the whole machine. */
  readonly notes: readonly string[];
}

/** Devices that are on, with the priority that the kernel gives each. Names of xswap devices are the kernel's own. */
export function resolveDevices(input: FillInput): FillDevice[] {
  let next = input.defaults === 'one-by-one' ? -1 : -2;
  return input.devices
    .filter((device) => device.on !== false)
    .map((device, type) => {
      const slots = device.kind === 'xswap' ? xswapSize(input.ramPages).ceiling * CLUSTER_SLOTS : (device.size_pages ?? 0);
      const given = device.priority !== undefined && device.priority >= 0;
      const rotational = device.rotational === true && (device.kind === 'partition' || device.kind === 'file');
      return {
        name: device.kind === 'xswap' ? `xswap${type}` : device.name,
        kind: device.kind,
        priority: given ? (device.priority ?? 0) : input.defaults === 'equal' ? -1 : next--,
        given,
        pages: Math.max(0, slots - 1),
        turnPages: rotational ? 1 : CLUSTER_SLOTS,
        rotational,
        pageDiscard: device.discard === 'pages' && device.kind !== 'xswap',
      };
    });
}

/** Turns until the device is full: its clusters, or on a rotational device its pages. */
function turnsToFill(device: FillDevice): number {
  return device.rotational ? device.pages : Math.ceil((device.pages + 1) / CLUSTER_SLOTS);
}

/**
 * Pages taken in the first `turns` turns. The cluster of the header (511 usable slots) and a partial last cluster stand on
 * the nonfull list from the start: they go first, except with page discard, where free clusters do.
 */
function pagesAfter(device: FillDevice, turns: number): number {
  if (turns <= 0) return 0;
  if (turns >= turnsToFill(device)) return device.pages;
  if (device.rotational) return turns;
  if (device.pageDiscard) {
    const wholeFree = Math.floor((device.pages + 1) / CLUSTER_SLOTS) - 1;
    if (turns <= wholeFree) return turns * CLUSTER_SLOTS;
    return wholeFree * CLUSTER_SLOTS + (turns - wholeFree) * (CLUSTER_SLOTS - 1);
  }
  const partial = (device.pages + 1) % CLUSTER_SLOTS;
  const first = CLUSTER_SLOTS - 1;
  if (turns === 1) return first;
  return partial === 0 ? first + (turns - 1) * CLUSTER_SLOTS : first + partial + (turns - 2) * CLUSTER_SLOTS;
}

/** The phases of one group: each ends with a device full. Equals that end in the same round end in list order. */
function phasesOf(devices: readonly FillDevice[], start: number): FillPhase[] {
  const ending = devices.map((device, place) => ({ device, place, turns: turnsToFill(device) }));
  ending.sort((a, b) => a.turns - b.turns || a.place - b.place);
  const taken = devices.map(() => 0);
  const phases: FillPhase[] = [];
  let from = start;
  for (const end of ending) {
    const shares: { name: string; pages: number }[] = [];
    let to = from;
    devices.forEach((device, place) => {
      // A device that stands after the one that ends has had one turn less at that moment.
      const total = pagesAfter(device, place <= end.place ? end.turns : end.turns - 1);
      const before = taken[place] ?? 0;
      if (total <= before) return;
      taken[place] = total;
      shares.push({ name: device.name, pages: total - before });
      to += total - before;
    });
    phases.push({ from, to, shares, full: end.device.name });
    from = to;
  }
  return phases;
}

/** The plan for a machine. */
export function fillOrder(input: FillInput): FillOrder {
  const devices = resolveDevices(input);
  const priorities = [...new Set(devices.map((device) => device.priority))].sort((a, b) => b - a);
  const groups: FillGroup[] = [];
  let start = 0;
  priorities.forEach((priority, index) => {
    const members = devices.filter((device) => device.priority === priority);
    const phases = phasesOf(members, start);
    start = phases[phases.length - 1]?.to ?? start;
    groups.push({ priority, devices: members, phases, ...describeGroup(members, index, groups, input) });
  });
  return {
    groups,
    firstUse: groups.flatMap((group) => group.devices.map((device) => device.name)),
    full: groups.flatMap((group) => group.phases.map((phase) => phase.full)),
    pages: start,
    off: input.devices.filter((device) => device.on === false).map((device) => device.name),
    notes: describeMachine(devices, input),
  };
}
