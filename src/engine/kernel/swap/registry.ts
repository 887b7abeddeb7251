/**
 * Kernel ids and the swap policies behind them. A kernel is a composition of small named policies; each policy has one
 * implementation a name, in a file of its own. To add a kernel: add a row to KERNELS; to add a policy value: add its name
 * to the type and its implementation to the map below.
 */
import type { KernelSpec } from '../../experiment/spec';
import { PercpuClusterAllocator, type AllocatorContext, type SlotAllocator } from './allocator-percpu-cluster';
import { NodeLists, OneList, type DeviceSelection } from './device-list';
import { DescendingPriorities, EqualPriorities, type DefaultPriorities } from './priorities';

/** One value a policy. */
export interface SwapPolicies {
  readonly id: string;
  /** Where the policies come from. */
  readonly source: string;
  /** Slot allocator: order of attempts and what CPUs remember. */
  readonly allocator: keyof typeof ALLOCATORS;
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
} as const;

const SELECTIONS = {
  'node-lists': (cpus: number, nodes: number): DeviceSelection => new NodeLists(cpus, nodes),
  'one-list': (): DeviceSelection => new OneList(),
} as const;

const DEFAULT_PRIORITIES = {
  descending: (): DefaultPriorities => new DescendingPriorities(),
  equal: (): DefaultPriorities => new EqualPriorities(),
} as const;

/**
 * 32 types less those that mark device-private pages (3), migration (3), hardware poison (1) and pte markers (1), as the
 * kernels of distributions are configured.
 */
const MAX_SWAPFILES = 24;

const KERNELS: readonly SwapPolicies[] = [
  {
    id: 'linux-6.18',
    source: 'Linux 6.18.15 and 6.18.44, kernel traces',
    allocator: 'percpu-cluster',
    selection: 'node-lists',
    defaultPriority: 'descending',
    xswap: false,
    maxSwapfiles: MAX_SWAPFILES,
  },
  {
    id: 'xswap',
    source: 'xswap v3 (Baoquan He) on the slot rules of 6.18, default priority -1',
    allocator: 'percpu-cluster',
    selection: 'one-list',
    defaultPriority: 'equal',
    xswap: true,
    maxSwapfiles: MAX_SWAPFILES,
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

function withPolicy(policies: SwapPolicies, name: string, value: string | number | boolean): SwapPolicies {
  switch (name) {
    case 'allocator':
      if (isKey(ALLOCATORS, value)) return { ...policies, allocator: value };
      throw badValue(name, value, Object.keys(ALLOCATORS));
    case 'selection':
      if (isKey(SELECTIONS, value)) return { ...policies, selection: value };
      throw badValue(name, value, Object.keys(SELECTIONS));
    case 'defaultPriority':
      if (isKey(DEFAULT_PRIORITIES, value)) return { ...policies, defaultPriority: value };
      throw badValue(name, value, Object.keys(DEFAULT_PRIORITIES));
    case 'xswap':
      if (typeof value === 'boolean') return { ...policies, xswap: value };
      throw badValue(name, value, ['true', 'false']);
    case 'maxSwapfiles':
      if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SWAPFILES) {
        return { ...policies, maxSwapfiles: value };
      }
      throw badValue(name, value, [`1 to ${MAX_SWAPFILES}`]);
    default:
      throw new UnknownPolicyError(
        `unknown policy '${name}': expected one of allocator, selection, defaultPriority, xswap, maxSwapfiles`,
      );
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
