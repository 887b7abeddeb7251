/**
 * Kernel ids and the swap policies behind them. A kernel is a composition of small named policies; each policy has one
 * implementation a name, in a file of its own. To add a kernel: add a row to KERNELS; to add a policy value: describe it in
 * policy-catalogue.ts, and add its implementation to the map below.
 */
import type { KernelSpec } from '../../experiment/spec';
import { BatchedAllocator } from './allocator-batched';
import { DeviceClusterAllocator } from './allocator-device-cluster';
import { PercpuClusterAllocator, type AllocatorContext, type SlotAllocator } from './allocator-percpu-cluster';
import { columnOrder, naturalOrder, type ClusterOrder } from './cluster-order';
import { DEFECTS, type Defect } from './defects';
import type { DeviceLayout } from './device';
import { NodeLists, OneList, type DeviceSelection } from './device-list';
import { POLICY_CHOICES, type PolicyChoices } from './policy-catalogue';
import { DescendingPriorities, EqualPriorities, type DefaultPriorities } from './priorities';
import { PriorityQueues } from './priority-queues';
import { SlotCache, type SlotCacheHost } from './slot-cache';
import { ClusterListSlots } from './slots-cluster-lists';
import { ScanSlots } from './slots-scan';

/** One value a policy. What each means stands in policy-catalogue.ts. */
export interface SwapPolicies extends PolicyChoices {
  readonly id: string;
  /** Where the policies come from. */
  readonly source: string;
  /** Slots after which a reader of a queue goes on to the next device. */
  readonly queueQuota: number;
  /** A ring of one device is served without a reader. */
  readonly queueFastPath: boolean;
  /** Rings know how many of their devices can serve. */
  readonly queueAvailability: boolean;
  /** mTHP series, patch 2. */
  readonly nonfullLists: boolean;
  /** mTHP series, patch 7. */
  readonly fragLists: boolean;
  /** mTHP series, patch 8. */
  readonly scanReclaim: boolean;
  /** mTHP series, patch 9. */
  readonly fullClusterReclaim: boolean;
  /** Known defects that are switched on. */
  readonly defects: readonly Defect[];
  /** Is there /sys/kernel/mm/xswap? */
  readonly xswap: boolean;
  /** Most swap types at a time (MAX_SWAPFILES). */
  readonly maxSwapfiles: number;
}

type MakeAllocator = (context: AllocatorContext, cpus: number, policies: SwapPolicies) => SlotAllocator;

const ALLOCATORS: Record<PolicyChoices['allocator'], MakeAllocator> = {
  'percpu-cluster': (context, cpus, policies) => new PercpuClusterAllocator(context, cpus, policies.largeRetry),
  'device-percpu-cluster': (context, cpus, policies) => new DeviceClusterAllocator(context, cpus, policies.largeRetry),
  'cluster-lists': (context, cpus, policies) =>
    new BatchedAllocator(context, new ClusterListSlots(context, cpus, new ScanSlots(context, cpus, policies), policies), policies.largeRetry),
  'free-cluster-scan': (context, cpus, policies) => new BatchedAllocator(context, new ScanSlots(context, cpus, policies), policies.largeRetry),
};

const SELECTIONS: Record<PolicyChoices['selection'], (cpus: number, nodes: number, policies: SwapPolicies) => DeviceSelection> = {
  'node-lists': (cpus, nodes) => new NodeLists(cpus, nodes),
  'one-list': () => new OneList(),
  'priority-queues': (cpus, _nodes, policies) => new PriorityQueues(cpus, {
    quota: policies.queueQuota,
    fastPathOfOne: policies.queueFastPath,
    availabilityState: policies.queueAvailability,
  }),
};

const DEFAULT_PRIORITIES: Record<PolicyChoices['defaultPriority'], () => DefaultPriorities> = {
  'one-by-one': () => new DescendingPriorities(0),
  descending: () => new DescendingPriorities(-1),
  equal: () => new EqualPriorities(),
};

const CLUSTER_ORDERS: Record<PolicyChoices['clusterOrder'], ClusterOrder> = { natural: naturalOrder, 'columns-32': columnOrder };

const FREE_FIRST: Record<PolicyChoices['clusterPreference'], DeviceLayout['freeFirst']> = {
  'nonfull-first': 'discard', 'free-first-nonsync': 'nonsync', 'free-first': 'all',
};

/**
 * 32 types less those that mark device-private pages (3), migration (3), hardware poison (1) and pte markers (1), as the
 * kernels of distributions are configured.
 */
const MAX_SWAPFILES = 24;

const LINUX_6_18: SwapPolicies = {
  id: 'linux-6.18',
  source: 'Linux 6.18.15 and 6.18.44, kernel traces',
  allocator: 'percpu-cluster',
  clusterPreference: 'nonfull-first',
  clusterOrder: 'natural',
  largeFolios: 'all',
  largeRetry: 'first-device',
  slotCache: 'none',
  freeOrder: 'heap-sort-double-pop',
  freeing: 'direct',
  rotational: 'clusters',
  allocationDiscard: 'all',
  selection: 'node-lists',
  queueQuota: 512,
  queueFastPath: false,
  queueAvailability: false,
  nonfullLists: true,
  fragLists: true,
  scanReclaim: true,
  fullClusterReclaim: true,
  defects: [],
  defaultPriority: 'descending',
  writeFault: 'freed',
  largeSwapin: 'whole',
  zswapLoad: 'exclusive',
  xswap: false,
  maxSwapfiles: MAX_SWAPFILES,
};

const LINUX_6_12: SwapPolicies = {
  ...LINUX_6_18,
  id: 'linux-6.12',
  source: 'Linux 6.12.117, kernel traces',
  allocator: 'cluster-lists',
  clusterPreference: 'free-first',
  clusterOrder: 'columns-32',
  slotCache: 'per-cpu-64',
  freeing: 'runs-direct',
  rotational: 'next-fit',
};

/**
 * Before the mTHP series. Its patches as switches: nonfullLists (2), allocator cluster-lists (3), freeing folios-direct (5),
 * fragLists (7), scanReclaim (8), fullClusterReclaim (9).
 */
const LINUX_6_10: SwapPolicies = {
  ...LINUX_6_12,
  id: 'linux-6.10',
  source: 'base of "mTHP swap allocator base on swap cluster order" v5, Chris Li',
  allocator: 'free-cluster-scan',
  freeing: 'singles',
  nonfullLists: false,
  fragLists: false,
  scanReclaim: false,
  fullClusterReclaim: false,
  largeSwapin: 'page-by-page',
};

const LINUX_6_1: SwapPolicies = {
  ...LINUX_6_10,
  id: 'linux-6.1',
  source: 'Linux 6.1.176, kernel traces',
  largeFolios: 'pmd',
  freeOrder: 'heap-sort',
  zswapLoad: 'kept',
};

const LINUX_7_2: SwapPolicies = {
  ...LINUX_6_18,
  id: 'linux-7.2',
  source: 'Linux 7.2.12, kernel traces; "select swap device with default priority round robin" v5, Baoquan He',
  selection: 'one-list',
  defaultPriority: 'equal',
  writeFault: 'retained',
};

const LINUX_7_3: SwapPolicies = { ...LINUX_7_2, id: 'linux-7.3', source: 'Linux 7.3.4, kernel traces', writeFault: 'freed' };

const PRIORITY_QUEUES_B: SwapPolicies = {
  ...LINUX_7_3,
  id: 'priority-queues-b',
  source: 'patches 1 to 8 of "per-priority allocation queues" RFC v2: clusters a device again, and the list',
  allocator: 'device-percpu-cluster',
};

const KERNELS: readonly SwapPolicies[] = [
  LINUX_6_1,
  LINUX_6_10,
  LINUX_6_12,
  LINUX_6_18,
  LINUX_7_2,
  LINUX_7_3,
  {
    ...LINUX_7_3,
    id: 'linux-7.3-free-first',
    source: '"mm, swap: only prefer nonfull clusters on synchronous devices", Alexandre Ghiti',
    clusterPreference: 'free-first-nonsync',
  },
  PRIORITY_QUEUES_B,
  {
    ...PRIORITY_QUEUES_B,
    id: 'priority-queues',
    source: 'all 13 patches of "mm/swap: introduce per-priority allocation queues" RFC v2, Lian Wang',
    selection: 'priority-queues',
    largeRetry: 'all-peers',
    allocationDiscard: 'one',
  },
  {
    ...LINUX_7_3,
    id: 'xswap',
    source: 'xswap v3 (Baoquan He) on the slot rules of 7.3',
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
  if (policies.xswap && !LATER_ALLOCATORS.includes(policies.allocator)) {
    throw new UnknownPolicyError(`policy 'xswap' needs allocator ${LATER_ALLOCATORS.join(' or ')}: '${policies.allocator}' cannot map more clusters`);
  }
  return policies;
}

/** From 6.18 on: clusters for every kind of device. */
const LATER_ALLOCATORS: readonly PolicyChoices['allocator'][] = ['percpu-cluster', 'device-percpu-cluster'];

const SWITCHES = ['queueFastPath', 'queueAvailability', 'nonfullLists', 'fragLists', 'scanReclaim', 'fullClusterReclaim', 'xswap'] as const;
const NUMBERS = { queueQuota: 65536, maxSwapfiles: MAX_SWAPFILES } as const;

function withPolicy(policies: SwapPolicies, name: string, value: string | number | boolean): SwapPolicies {
  if (isKey(POLICY_CHOICES, name)) {
    const { values } = POLICY_CHOICES[name];
    if (isKey(values, value)) return { ...policies, [name]: value };
    throw badValue(name, value, Object.keys(values));
  }
  if (SWITCHES.some((known) => known === name)) {
    if (typeof value === 'boolean') return { ...policies, [name]: value };
    throw badValue(name, value, ['true', 'false']);
  }
  if (isKey(NUMBERS, name)) {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= NUMBERS[name]) return { ...policies, [name]: value };
    throw badValue(name, value, [`1 to ${NUMBERS[name]}`]);
  }
  if (name === 'defects') return { ...policies, defects: defectsOf(value) };
  const known = [...Object.keys(POLICY_CHOICES), ...SWITCHES, ...Object.keys(NUMBERS), 'defects'];
  throw new UnknownPolicyError(`unknown policy '${name}': expected one of ${known.join(', ')}`);
}

/** Names of defects, with commas between them; 'none': none. */
function defectsOf(value: unknown): readonly Defect[] {
  if (value === 'none') return [];
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [];
  const defects = DEFECTS.filter((defect) => names.includes(defect));
  if (names.length === 0 || defects.length !== names.length) throw badValue('defects', value, ['none', ...DEFECTS]);
  return defects;
}

function isKey<T extends object>(map: T, key: unknown): key is keyof T {
  return typeof key === 'string' && Object.hasOwn(map, key);
}

const badValue = (name: string, value: unknown, expected: readonly string[]): UnknownPolicyError =>
  new UnknownPolicyError(`policy '${name}' cannot be '${String(value)}': expected ${expected.join(' or ')}`);

export const createAllocator = (policies: SwapPolicies, context: AllocatorContext, cpus: number): SlotAllocator =>
  ALLOCATORS[policies.allocator](context, cpus, policies);
export const createSelection = (policies: SwapPolicies, cpus: number, nodes: number): DeviceSelection =>
  SELECTIONS[policies.selection](cpus, nodes, policies);
export const createDefaultPriorities = (policies: SwapPolicies): DefaultPriorities => DEFAULT_PRIORITIES[policies.defaultPriority]();
export const createSlotCache = (policies: SwapPolicies, host: SlotCacheHost, cpus: number): SlotCache | undefined =>
  policies.slotCache === 'none' ? undefined : new SlotCache(host, cpus, policies.freeOrder === 'heap-sort-double-pop');
export const layoutOf = (policies: SwapPolicies): DeviceLayout => ({
  lists: policies.allocator === 'free-cluster-scan' ? (policies.nonfullLists ? 'nonfull' : 'free') : 'all',
  rotationalWithoutClusters: policies.rotational === 'next-fit' && !LATER_ALLOCATORS.includes(policies.allocator),
  order: CLUSTER_ORDERS[policies.clusterOrder],
  freeFirst: FREE_FIRST[policies.clusterPreference],
});
