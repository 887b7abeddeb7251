/**
 * Kernel ids and the swap policies behind them. A kernel is a composition of small named policies; each policy has one
 * implementation a name, in a file of its own. To add a kernel: add a row to KERNELS; to add a policy value: add its name
 * to the type and its implementation to the map below.
 */
import type { KernelSpec } from '../../experiment/spec';
import { BatchedAllocator } from './allocator-batched';
import { PercpuClusterAllocator, type AllocatorContext, type SlotAllocator } from './allocator-percpu-cluster';
import { columnOrder, naturalOrder } from './cluster-order';
import type { DeviceLayout } from './device';
import { NodeLists, OneList, type DeviceSelection } from './device-list';
import { DescendingPriorities, EqualPriorities, type DefaultPriorities } from './priorities';
import { SlotCache, type SlotCacheHost } from './slot-cache';
import { ClusterListSlots } from './slots-cluster-lists';
import { ScanSlots } from './slots-scan';

/** One value a policy. */
export interface SwapPolicies {
  readonly id: string;
  /** Where the policies come from. */
  readonly source: string;
  /** Slot allocator: order of attempts and what CPUs remember. */
  readonly allocator: keyof typeof ALLOCATORS;
  /** Clusters on the free list at swapon. */
  readonly clusterOrder: keyof typeof CLUSTER_ORDERS;
  /** Order-0 slots are taken and given back in batches through a cache a CPU. */
  readonly slotCache: (typeof SLOT_CACHES)[number];
  /** What freed slots pass. */
  readonly freeing: (typeof FREEINGS)[number];
  /** Rotational devices: the same clusters as others, or next fit without clusters. */
  readonly rotational: (typeof ROTATIONALS)[number];
  /** How a request finds its device. */
  readonly selection: keyof typeof SELECTIONS;
  /** Priority of a device for which none was asked. */
  readonly defaultPriority: keyof typeof DEFAULT_PRIORITIES;
  /** Is there /sys/kernel/mm/xswap? */
  readonly xswap: boolean;
  /** Most swap types at a time (MAX_SWAPFILES). */
  readonly maxSwapfiles: number;
}

const ALLOCATORS = {
  'percpu-cluster': (context: AllocatorContext, cpus: number): SlotAllocator => new PercpuClusterAllocator(context, cpus),
  'cluster-lists': (context: AllocatorContext, cpus: number): SlotAllocator =>
    new BatchedAllocator(context, new ClusterListSlots(context, cpus, new ScanSlots(context, cpus, 'pmd'))),
  'free-cluster-scan': (context: AllocatorContext, cpus: number): SlotAllocator =>
    new BatchedAllocator(context, new ScanSlots(context, cpus, 'all')),
  'free-cluster-scan-pmd': (context: AllocatorContext, cpus: number): SlotAllocator =>
    new BatchedAllocator(context, new ScanSlots(context, cpus, 'pmd')),
} as const;

const SELECTIONS = {
  'node-lists': (cpus: number, nodes: number): DeviceSelection => new NodeLists(cpus, nodes),
  'one-list': (): DeviceSelection => new OneList(),
} as const;

const DEFAULT_PRIORITIES = {
  descending: (): DefaultPriorities => new DescendingPriorities(),
  equal: (): DefaultPriorities => new EqualPriorities(),
} as const;

const CLUSTER_ORDERS = { natural: naturalOrder, 'columns-32': columnOrder } as const;
const SLOT_CACHES = ['none', 'per-cpu-64', 'per-cpu-64-double-pop'] as const;
const FREEINGS = ['direct', 'runs-direct', 'singles'] as const;
const ROTATIONALS = ['clusters', 'next-fit'] as const;

/**
 * 32 types less those that mark device-private pages (3), migration (3), hardware poison (1) and pte markers (1), as the
 * kernels of distributions are configured.
 */
const MAX_SWAPFILES = 24;

const LINUX_6_18: SwapPolicies = {
  id: 'linux-6.18',
  source: 'Linux 6.18.15 and 6.18.44, kernel traces',
  allocator: 'percpu-cluster',
  clusterOrder: 'natural',
  slotCache: 'none',
  freeing: 'direct',
  rotational: 'clusters',
  selection: 'node-lists',
  defaultPriority: 'descending',
  xswap: false,
  maxSwapfiles: MAX_SWAPFILES,
};

const LINUX_6_12: SwapPolicies = {
  ...LINUX_6_18,
  id: 'linux-6.12',
  source: 'Linux 6.12.117, kernel traces',
  allocator: 'cluster-lists',
  clusterOrder: 'columns-32',
  slotCache: 'per-cpu-64-double-pop',
  freeing: 'runs-direct',
  rotational: 'next-fit',
};

const LINUX_6_1: SwapPolicies = {
  ...LINUX_6_12,
  id: 'linux-6.1',
  source: 'Linux 6.1.176, kernel traces',
  allocator: 'free-cluster-scan-pmd',
  slotCache: 'per-cpu-64',
  freeing: 'singles',
};

const LINUX_7_2: SwapPolicies = {
  ...LINUX_6_18,
  id: 'linux-7.2',
  source: 'Linux 7.2.12, kernel traces',
  selection: 'one-list',
  defaultPriority: 'equal',
};

const KERNELS: readonly SwapPolicies[] = [
  LINUX_6_1,
  LINUX_6_12,
  LINUX_6_18,
  LINUX_7_2,
  { ...LINUX_7_2, id: 'linux-7.3', source: 'Linux 7.3.4, kernel traces' },
  {
    ...LINUX_7_2,
    id: 'xswap',
    source: 'xswap v3 (Baoquan He) on the slot rules of 6.18, default priority -1',
    xswap: true,
  },
];

export const kernelIds = (): readonly string[] => KERNELS.map((kernel) => kernel.id);

/** Thrown for a kernel id or policy that does not exist; the message names what was expected. */
export class UnknownPolicyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnknownPolicyError';
  }
}

/** The policies of a kernel id, or of one with single policies replaced. @throws UnknownPolicyError */
export function policiesOf(kernel: KernelSpec): SwapPolicies {
  const id = typeof kernel === 'string' ? kernel : kernel.base;
  const base = KERNELS.find((candidate) => candidate.id === id);
  if (base === undefined) throw new UnknownPolicyError(`unknown kernel '${id}': expected one of ${kernelIds().join(', ')}`);
  if (typeof kernel === 'string' || kernel.set === undefined) return base;
  let policies = base;
  for (const [name, value] of Object.entries(kernel.set)) policies = withPolicy(policies, name, value);
  return policies;
}

/** Names that can be set, with their values; functions check numbers. */
const CHOICES = {
  allocator: Object.keys(ALLOCATORS),
  clusterOrder: Object.keys(CLUSTER_ORDERS),
  slotCache: SLOT_CACHES,
  freeing: FREEINGS,
  rotational: ROTATIONALS,
  selection: Object.keys(SELECTIONS),
  defaultPriority: Object.keys(DEFAULT_PRIORITIES),
} as const;

function withPolicy(policies: SwapPolicies, name: string, value: string | number | boolean): SwapPolicies {
  if (isKey(CHOICES, name)) {
    const choices: readonly string[] = CHOICES[name];
    if (typeof value === 'string' && choices.includes(value)) return { ...policies, [name]: value };
    throw badValue(name, value, choices);
  }
  switch (name) {
    case 'xswap':
      if (typeof value === 'boolean') return { ...policies, xswap: value };
      throw badValue(name, value, ['true', 'false']);
    case 'maxSwapfiles':
      if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SWAPFILES) {
        return { ...policies, maxSwapfiles: value };
      }
      throw badValue(name, value, [`1 to ${MAX_SWAPFILES}`]);
    default:
      throw new UnknownPolicyError(`unknown policy '${name}': expected one of ${[...Object.keys(CHOICES), 'xswap', 'maxSwapfiles'].join(', ')}`);
  }
}

function isKey<T extends object>(map: T, key: unknown): key is keyof T {
  return typeof key === 'string' && Object.hasOwn(map, key);
}

const badValue = (name: string, value: unknown, expected: readonly string[]): UnknownPolicyError =>
  new UnknownPolicyError(`policy '${name}' cannot be '${String(value)}': expected ${expected.join(' or ')}`);

export const createAllocator = (policies: SwapPolicies, context: AllocatorContext, cpus: number): SlotAllocator =>
  ALLOCATORS[policies.allocator](context, cpus);
export const createSelection = (policies: SwapPolicies, cpus: number, nodes: number): DeviceSelection =>
  SELECTIONS[policies.selection](cpus, nodes);
export const createDefaultPriorities = (policies: SwapPolicies): DefaultPriorities =>
  DEFAULT_PRIORITIES[policies.defaultPriority]();
export const createSlotCache = (policies: SwapPolicies, host: SlotCacheHost, cpus: number): SlotCache | undefined =>
  policies.slotCache === 'none' ? undefined : new SlotCache(host, cpus, policies.slotCache === 'per-cpu-64-double-pop');
export const layoutOf = (policies: SwapPolicies): DeviceLayout => ({
  lists: policies.allocator === 'free-cluster-scan' || policies.allocator === 'free-cluster-scan-pmd' ? 'free' : 'all',
  rotationalWithoutClusters: policies.rotational === 'next-fit',
  order: CLUSTER_ORDERS[policies.clusterOrder],
});
