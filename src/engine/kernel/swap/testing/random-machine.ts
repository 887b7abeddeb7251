/** Random machines and operations for the property tests, and the shadow model that checks what the allocator hands out. */
import fc from 'fast-check';
import { KernelError } from '../../../errno';
import type { KernelSpec } from '../../../experiment/spec';
import { POLICY_CHOICES } from '../policy-catalogue';
import { UnknownPolicyError, kernelIds, policiesOf } from '../registry';
import { SwapSystem } from '../swap-system';
import { offsetOf, typeOf, type Entry, type SwaponArgs } from '../types';

export interface DeviceChoice {
  readonly kind: 'zram' | 'partition' | 'file' | 'xswap';
  /** Slots of a device; RAM pages for xswap. */
  readonly size: number;
  readonly priority: number | undefined;
  readonly rotational: boolean;
  readonly pageDiscard: boolean;
  readonly badSlots: readonly number[];
  readonly node: number;
}

export interface MachineChoice {
  readonly kernel: KernelSpec;
  readonly cpus: number;
  readonly nodes: number;
  readonly devices: readonly DeviceChoice[];
}

/** Numbers are taken modulo what there is, so that every sequence can be carried out and shrunk. */
export type Operation =
  | { readonly do: 'alloc'; readonly cpu: number; readonly order: number; readonly times: number }
  | { readonly do: 'free'; readonly which: number; readonly part: 'all' | 'first half' | 'last slot' }
  | { readonly do: 'free many'; readonly from: number; readonly every: number; readonly times: number }
  | { readonly do: 'cache only'; readonly from: number; readonly times: number }
  | { readonly do: 'swapon'; readonly device: number }
  | { readonly do: 'begin swapoff'; readonly device: number }
  | { readonly do: 'end swapoff'; readonly cancel: boolean }
  | { readonly do: 'limit'; readonly device: number; readonly pages: number }
  | { readonly do: 'work' };

/** At most 16 clusters a device. */
const deviceChoice: fc.Arbitrary<DeviceChoice> = fc.record({
  kind: fc.constantFrom('zram', 'partition', 'file', 'xswap'),
  size: fc.oneof(fc.integer({ min: 512, max: 4096 }), fc.constantFrom(2, 511, 512, 513, 1024, 1025, 8192)),
  priority: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  rotational: fc.boolean(),
  pageDiscard: fc.boolean(),
  badSlots: fc.uniqueArray(fc.integer({ min: 1, max: 600 }), { maxLength: 3 }),
  node: fc.integer({ min: -1, max: 1 }),
});

/** Any composition of policies: a kernel with some of them replaced. */
export const anyKernel: fc.Arbitrary<KernelSpec> = fc.record({
  base: fc.constantFrom(...kernelIds()),
  set: fc.record({
    ...Object.fromEntries(Object.entries(POLICY_CHOICES).map(([policy, { values }]) => [policy, fc.constantFrom(...Object.keys(values))])),
    queueQuota: fc.constantFrom(1, 3, 512),
    ...Object.fromEntries(['queueFastPath', 'queueAvailability', 'nonfullLists', 'fragLists', 'scanReclaim', 'fullClusterReclaim', 'xswap']
      .map((policy) => [policy, fc.boolean()])),
  }, { requiredKeys: [] }),
}).filter(isPossible);

function isPossible(kernel: KernelSpec): boolean {
  try {
    policiesOf(kernel);
    return true;
  } catch (error) {
    if (error instanceof UnknownPolicyError) return false;
    throw error;
  }
}

/** Machines of one of these kernels. */
export const machineOf = (...kernels: readonly string[]): fc.Arbitrary<MachineChoice> => machine(fc.constantFrom(...kernels));

/** Machines of any composition of policies. */
export const anyMachine = (): fc.Arbitrary<MachineChoice> => machine(anyKernel);

const machine = (kernel: fc.Arbitrary<KernelSpec>): fc.Arbitrary<MachineChoice> => fc.record({
  kernel,
  cpus: fc.integer({ min: 1, max: 4 }),
  nodes: fc.integer({ min: 1, max: 2 }),
  devices: fc.array(deviceChoice, { minLength: 1, maxLength: 4 }),
});

const order = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 }));
const index = fc.nat({ max: 9999 });

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('alloc'), cpu: index, order, times: fc.integer({ min: 1, max: 100 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('alloc'), cpu: index, order: fc.constantFrom(0, 1), times: fc.constant(700) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('free'), which: index, part: fc.constantFrom('all', 'first half', 'last slot') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('free many'), from: index, every: fc.integer({ min: 1, max: 3 }), times: fc.integer({ min: 1, max: 200 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cache only'), from: index, times: fc.integer({ min: 1, max: 100 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('swapon'), device: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('begin swapoff'), device: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end swapoff'), cancel: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('limit'), device: index, pages: fc.integer({ min: 0, max: 9000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('work') }) },
);

interface Run {
  entry: Entry;
  count: number;
  /** Its place among the live ones. */
  at: number;
  cacheOnly: boolean;
}

const MAX_SLOTS = 8192;

type MakeSwap = (...args: ConstructorParameters<typeof SwapSystem>) => SwapSystem;

/** A swap layer with what was taken from it, and a host whose cache-only slots can be reclaimed. */
export class RandomMachine {
  readonly swap: SwapSystem;
  private readonly choice: MachineChoice;
  private readonly typeOfDevice: number[];
  private readonly going: number[] = [];
  private readonly live: Run[] = [];
  /** By type, then by slot: who holds it. */
  private readonly holders: (Run | undefined)[][] = [];
  private held = 0;
  /** A whole device that lies on another CPU's cache, or an old scan that skips slots, can leave a request without a slot. */
  private readonly mayFail: boolean;
  private cached = 0;

  /** `make`: another kind of swap layer. */
  constructor(choice: MachineChoice, make: MakeSwap = (...args) => new SwapSystem(...args)) {
    this.choice = choice;
    const { slotCache, allocator, rotational } = policiesOf(choice.kernel);
    this.mayFail = slotCache !== 'none' || allocator === 'free-cluster-scan' || (allocator === 'cluster-lists' && rotational === 'next-fit');
    this.swap = make(policiesOf(choice.kernel), choice.cpus, choice.nodes, {
      isCacheOnly: (type, offset) => this.holders[type][offset]?.cacheOnly === true,
      reclaimCacheOnly: (type, offset) => {
        const run = this.holders[type][offset];
        if (run === undefined || !run.cacheOnly) return false;
        this.release(run, run.count, 0, 'reclaim');
        return true;
      },
      cacheOnlySlots: () => this.cached,
    });
    this.typeOfDevice = choice.devices.map(() => -1);
    choice.devices.forEach((_, device) => {
      this.switchOn(device);
    });
  }

  /** Carries out an operation; returns what is wrong, in sentences. */
  carryOut(operation: Operation): string[] {
    const broken: string[] = [];
    switch (operation.do) {
      case 'alloc':
        for (let i = 0; i < operation.times; i++) {
          const before = this.held;
          const wrong = this.alloc(operation.cpu % this.choice.cpus, operation.order);
          if (wrong !== undefined) broken.push(wrong);
          if (this.held === before) break;
        }
        break;
      case 'free':
        this.freePart(operation.which, operation.part);
        break;
      case 'free many':
        for (let i = 0; i < operation.times; i++) this.freePart(operation.from + i * operation.every, 'all');
        break;
      case 'cache only':
        for (let i = 0; i < operation.times && this.live.length > 0; i++) {
          const run = this.live[(operation.from + i) % this.live.length];
          if (!run.cacheOnly) this.cached += run.count;
          run.cacheOnly = true;
        }
        break;
      case 'swapon':
        this.switchOn(operation.device % this.choice.devices.length);
        break;
      case 'begin swapoff': {
        const device = operation.device % this.choice.devices.length;
        if (this.typeOfDevice[device] < 0 || this.going.includes(device)) break;
        this.swap.beginSwapoff(this.typeOfDevice[device]);
        this.going.push(device);
        break;
      }
      case 'end swapoff':
        this.endSwapoff(operation.cancel);
        break;
      case 'limit':
        this.limit(operation.device, operation.pages, broken);
        break;
      default:
        for (const work of this.swap.pendingWork()) this.swap.runWork(work.kind, work.type);
    }
    for (const sentence of this.swap.checkInvariants()) broken.push(sentence);
    let used = 0;
    for (const device of this.swap.devices()) used += device.inUse;
    const { cachedSlots } = this.swap;
    if (used !== this.held + cachedSlots) broken.push(`${used} pages in use, ${this.held} were taken and ${cachedSlots} are cached`);
    return broken;
  }

  private alloc(cpu: number, order: number): string | undefined {
    const before = this.swap.freePages;
    const { cached } = this;
    // Old kernels look at the sum first, from which a swapoff takes a whole device with its used slots.
    const starved = this.swap.allocator.takeSlots !== undefined && this.swap.nrSwapPages === 0;
    const candidates = this.swap.availableOrder(cpu).length;
    const entry = this.swap.alloc(cpu, order);
    if (entry === 0) {
      // A cluster that reclaim has emptied is on the free list by then, and passed over: the next request finds it.
      if (order === 0 && this.cached < cached) return this.alloc(cpu, order);
      // Slots that wait in caches to be given back are free to no one.
      return order === 0 && !this.mayFail && !starved && candidates > 0 ? `no slot of order 0 with ${before} free pages on ${candidates} devices` : undefined;
    }
    const count = 1 << order;
    const device = this.swap.devices().find((candidate) => candidate.type === typeOf(entry));
    if (device === undefined || !device.writable) return `slot ${offsetOf(entry)} on type ${typeOf(entry)}, which is not there`;
    if (offsetOf(entry) % count !== 0) return `slot ${offsetOf(entry)} is not aligned to order ${order}`;
    if (offsetOf(entry) + count > device.ceiling * 512) return `slot ${offsetOf(entry)} lies above the ceiling of ${device.name}`;
    if (order > 0 && device.kind === 'file') return `a folio of order ${order} on the swap file ${device.name}`;
    const run: Run = { entry, count, at: this.live.length, cacheOnly: false };
    const holders = this.holders[device.type];
    for (let offset = offsetOf(entry); offset < offsetOf(entry) + count; offset++) {
      if (holders[offset] !== undefined) return `slot ${offset} of ${device.name} was given out twice`;
      holders[offset] = run;
    }
    this.held += count;
    this.live.push(run);
    return undefined;
  }

  /** Processes drop slots on any CPU; every other whole run is a folio that leaves the swap cache. */
  private freePart(which: number, part: 'all' | 'first half' | 'last slot'): void {
    if (this.live.length === 0) return;
    const run = this.live[which % this.live.length];
    if (part === 'last slot' && run.count > 1) {
      run.count--;
      this.forget(run, run.entry + run.count, 1);
      this.swap.free(run.entry + run.count, 1, which % this.choice.cpus);
    } else if (part === 'first half' && run.count > 1) {
      this.release(run, run.count >> 1, which % this.choice.cpus, 'drop');
    } else {
      this.release(run, run.count, which % this.choice.cpus, which % 2 === 1 ? 'folio' : 'drop');
    }
  }

  /** Frees the first slots of a run. */
  private release(run: Run, count: number, cpu: number, how: 'drop' | 'folio' | 'reclaim'): void {
    this.forget(run, run.entry, count);
    if (how === 'folio') this.swap.freeFolio(run.entry, count, cpu);
    else if (how === 'reclaim') this.swap.freeReclaimed(run.entry, count, cpu);
    else this.swap.free(run.entry, count, cpu);
    run.entry += count;
    run.count -= count;
    if (run.count > 0) return;
    const last = this.live.pop()!;
    if (last !== run) {
      this.live[run.at] = last;
      last.at = run.at;
    }
  }

  private forget(run: Run, entry: Entry, count: number): void {
    this.holders[typeOf(entry)].fill(undefined, offsetOf(entry), offsetOf(entry) + count);
    this.held -= count;
    if (run.cacheOnly) this.cached -= count;
  }

  private endSwapoff(cancel: boolean): void {
    const device = this.going.pop();
    if (device === undefined) return;
    const type = this.typeOfDevice[device];
    if (cancel) {
      this.swap.cancelSwapoff(type);
      return;
    }
    for (const run of this.live.filter((candidate) => typeOf(candidate.entry) === type)) this.release(run, run.count, 0, 'drop');
    this.swap.finishSwapoff(type);
    this.typeOfDevice[device] = -1;
  }

  private limit(which: number, pages: number, broken: string[]): void {
    const devices = this.choice.devices.flatMap((choice, device) =>
      choice.kind === 'xswap' && this.typeOfDevice[device] >= 0 && !this.going.includes(device) ? [device] : []);
    if (devices.length === 0) return;
    const type = this.typeOfDevice[devices[which % devices.length]];
    const limit = this.swap.setXswapLimit(type, pages);
    const device = this.swap.view(type);
    if (limit !== device.pages || (limit + 1) % 512 !== 0) broken.push(`a limit of ${limit} pages`);
    if (limit < device.inUse) broken.push(`limit ${limit} is below the ${device.inUse} pages in use`);
    const most = device.maxSlots - 1;
    if (limit < pages && limit < most) broken.push(`limit ${limit} is below the ${pages} pages asked for`);
  }

  private switchOn(device: number): void {
    if (this.typeOfDevice[device] >= 0) return;
    const choice = this.choice.devices[device];
    try {
      this.typeOfDevice[device] = choice.kind === 'xswap'
        ? this.swap.createXswap({ priority: choice.priority }, Math.min(4096, choice.size))
        : this.swap.swapon(swaponArgs(choice, device));
      this.holders[this.typeOfDevice[device]] = new Array<Run | undefined>(MAX_SLOTS).fill(undefined);
    } catch (error) {
      if (!(error instanceof KernelError)) throw error;
    }
  }
}

function swaponArgs(choice: DeviceChoice, device: number): SwaponArgs {
  return {
    kind: choice.kind,
    name: `/dev/test${device}`,
    slots: choice.size,
    priority: choice.priority,
    rotational: choice.rotational && choice.kind !== 'zram',
    pageDiscard: choice.pageDiscard,
    badSlots: choice.badSlots.filter((slot) => slot < choice.size).sort((a, b) => a - b),
    node: choice.node,
  };
}
