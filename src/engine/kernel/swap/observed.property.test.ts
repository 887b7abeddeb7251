import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SwapDevice } from './device';
import { ObservedSwapSystem, type SwapWatcher } from './observed-swap-system';
import { kernelIds } from './registry';
import type { SwapSystem } from './swap-system';
import { RandomMachine, anyMachine, machineOf, operation, type MachineChoice, type Operation } from './testing/random-machine';

/** Everything that a swap layer decides from: clusters and slots, what CPUs remember, devices, queues, slot caches. */
function stateOf(swap: SwapSystem): unknown {
  const cached: number[] = [];
  swap.slotCache?.forEach((entry) => cached.push(entry));
  return {
    devices: swap.table.map((device) => device && [
      device.inUse, device.priority, device.pages, device.ceiling, device.offList, device.lowestSlot, device.highestSlot, device.clusters,
      [...device.globalNext], [...device.store.records], [...device.store.map],
    ]),
    pointers: [...swap.allocator.pointers],
    order: swap.availableOrder(0),
    selection: JSON.stringify(swap.selection, (key, value: unknown) =>
      (key === 'trace' ? undefined : value instanceof SwapDevice ? value.type : value)),
    cached, total: swap.total, free: swap.nrFree, pending: swap.pendingWork(),
  };
}

class Counting implements SwapWatcher {
  told = 0;
  silent = 0;
  /** Every other moment is left out: it must make no difference either. */
  wants(): boolean {
    return (this.told + this.silent) % 2 === 0 || ++this.silent < 0;
  }

  now(): number {
    return 0;
  }

  tell(moment: { readonly decisions: readonly string[] }): void {
    this.told++;
    if (moment.decisions.length === 0) throw new Error('a moment without a decision');
  }
}

function sameWatched(choice: MachineChoice, operations: readonly Operation[], watcher: Counting): void {
  const plain = new RandomMachine(choice);
  let observed: ObservedSwapSystem | undefined;
  const watched = new RandomMachine(choice, (...args) => (observed = new ObservedSwapSystem(...args)));
  for (const [at, next] of operations.entries()) {
    // Somebody comes and goes between the operations.
    observed?.watch(at % 3 === 2 ? undefined : watcher);
    expect(watched.carryOut(next)).toEqual(plain.carryOut(next));
  }
  expect(stateOf(watched.swap)).toEqual(stateOf(plain.swap));
  observed?.watch(undefined);
  expect(stateOf(watched.swap)).toEqual(stateOf(plain.swap));
}

describe('looking on changes no slot', () => {
  const sequence = fc.array(operation, { minLength: 1, maxLength: 30, size: 'max' });
  const kernels: readonly (readonly [name: string, machines: fc.Arbitrary<MachineChoice>])[] = [
    ...kernelIds().map((kernel) => [kernel, machineOf(kernel)] as const), ['any composition of policies', anyMachine()],
  ];

  it.each(kernels)('%s', { timeout: 120_000 }, (_, machines) => {
    const watcher = new Counting();
    fc.assert(
      fc.property(machines, sequence, (choice, operations) => {
        sameWatched(choice, operations, watcher);
      }),
      { seed: 3, numRuns: 150 },
    );
    expect(watcher.told).toBeGreaterThan(1500);
  });
});
