import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelError } from '../errno';
import { policiesOf } from '../kernel/swap/registry';
import { SwapSystem } from '../kernel/swap/swap-system';
import { NO_ENTRY, typeOf } from '../kernel/swap/types';
import type { FillInput, FillOrder } from './fill-order';
import { fillOrder } from './fill-order';
import type { SwapDeviceSpec } from './spec';

/** What the real allocator does when one CPU swaps out small pages until nothing is left. */
interface Observed {
  readonly priorities: Record<string, number>;
  readonly firstUse: string[];
  readonly full: string[];
  readonly pages: number;
  /** Pages of each device in use whenever a device has just become full. */
  readonly usedAtFull: Record<string, number>[];
}

function observe(kernel: string, devices: readonly SwapDeviceSpec[], ramPages: number): Observed {
  const swap = new SwapSystem(policiesOf(kernel), 1, 1, { isCacheOnly: () => false, reclaimCacheOnly: () => false });
  for (const device of devices) {
    if (device.on === false) continue;
    if (device.kind === 'xswap') swap.createXswap({ priority: device.priority }, ramPages);
    else {
      swap.swapon({
        kind: device.kind, name: device.name, slots: device.size_pages ?? 0, priority: device.priority,
        rotational: device.rotational ?? false, pageDiscard: device.discard === 'pages', node: -1,
      });
    }
  }
  const views = swap.devices();
  const seen = views.map(() => false);
  const firstUse: string[] = [];
  const full: string[] = [];
  const usedAtFull: Record<string, number>[] = [];
  let pages = 0;
  for (let entry = swap.alloc(0, 0); entry !== NO_ENTRY; entry = swap.alloc(0, 0)) {
    const type = typeOf(entry);
    pages++;
    if (!seen[type]) firstUse.push(views[type].name);
    seen[type] = true;
    if (views[type].inUse === views[type].pages) {
      full.push(views[type].name);
      usedAtFull.push(Object.fromEntries(views.map((view) => [view.name, view.inUse])));
    }
  }
  return { priorities: Object.fromEntries(views.map((view) => [view.name, view.priority])), firstUse, full, pages, usedAtFull };
}

/** The same figures from the plan. */
function planned(order: FillOrder): Observed {
  const devices = order.groups.flatMap((group) => group.devices);
  const used: Record<string, number> = Object.fromEntries(devices.map((device) => [device.name, 0]));
  const usedAtFull: Record<string, number>[] = [];
  for (const phase of order.groups.flatMap((group) => group.phases)) {
    for (const share of phase.shares) used[share.name] += share.pages;
    usedAtFull.push({ ...used });
  }
  return {
    priorities: Object.fromEntries(devices.map((device) => [device.name, device.priority])),
    firstUse: [...order.firstUse], full: [...order.full], pages: order.pages, usedAtFull,
  };
}

const size = fc.oneof(
  fc.integer({ min: 2, max: 512 }),
  fc.integer({ min: 2, max: 8 }).map((clusters) => clusters * 512),
  fc.integer({ min: 513, max: 5000 }),
);
const priority = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const device = fc.record({
  kind: fc.constantFrom('zram' as const, 'partition' as const, 'file' as const),
  size_pages: size,
  priority,
  rotational: fc.boolean(),
  discard: fc.constantFrom('none' as const, 'once' as const, 'pages' as const),
  on: fc.constantFrom(true, true, true, false),
});
const xswap = fc.record({ kind: fc.constant('xswap' as const), priority });

/** Names and the fields that a kind has, as the gate lets them through. */
function named(list: readonly (Partial<SwapDeviceSpec> & { kind: SwapDeviceSpec['kind'] })[]): SwapDeviceSpec[] {
  return list.map((raw, index) => {
    const onDisk = raw.kind === 'partition' || raw.kind === 'file';
    return { ...raw, name: `${raw.kind}-${index}`, rotational: onDisk ? raw.rotational : undefined, discard: onDisk ? raw.discard : undefined };
  });
}

describe('fill order', () => {
  it('is what the allocator of 6.18 does on random machines', () => {
    fc.assert(
      fc.property(fc.array(device, { minLength: 1, maxLength: 6 }), (raw) => {
        const devices = named(raw);
        const input: FillInput = { devices, defaults: policiesOf('linux-6.18').defaultPriority, ramPages: 4096 };
        expect(planned(fillOrder(input))).toEqual(observe('linux-6.18', devices, 4096));
      }),
      { numRuns: 400 },
    );
  }, 60_000);

  it('is what the xswap kernel does on random machines', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(device, xswap), { minLength: 1, maxLength: 5 }), fc.integer({ min: 512, max: 6000 }), (raw, ramPages) => {
        const devices = named(raw);
        const input: FillInput = { devices, defaults: policiesOf('xswap').defaultPriority, ramPages, zswap: true };
        expect(planned(fillOrder(input))).toEqual(observe('xswap', devices, ramPages));
      }),
      { numRuns: 400 },
    );
  }, 60_000);

  it('a plan that were wrong would be noticed: the allocator differs when two priorities are swapped', () => {
    const devices: SwapDeviceSpec[] = [
      { kind: 'zram', name: '/dev/zram0', size_pages: 1024, priority: 5 },
      { kind: 'partition', name: '/dev/vdb', size_pages: 1024, priority: 10 },
    ];
    const swapped = devices.map((d, i) => ({ ...d, priority: devices[1 - i].priority }));
    const plan = planned(fillOrder({ devices, defaults: 'descending', ramPages: 4096 }));
    expect(plan).toEqual(observe('linux-6.18', devices, 4096));
    expect(plan).not.toEqual(observe('linux-6.18', swapped, 4096));
  });

  it('gives the default priorities of the kernel and says so', () => {
    const devices: SwapDeviceSpec[] = [0, 1, 2].map((i) => ({ kind: 'zram', name: `/dev/zram${i}`, size_pages: 8192 }));
    const one = fillOrder({ devices, defaults: 'descending', ramPages: 65536 });
    expect(one.groups.map((group) => group.priority)).toEqual([-2, -3, -4]);
    expect(one.groups[0].why).toContain('fills first');
    expect(one.groups[0].why).toContain('counts down from -2');
    const equal = fillOrder({ devices, defaults: 'equal', ramPages: 65536 });
    expect(equal.groups.map((group) => group.priority)).toEqual([-1]);
    expect(equal.groups[0].why).toContain('take turns, one cluster of 512 pages');
  });

  it('names what is special: a swap file under large folios, a rotational peer, devices left off', () => {
    const devices: SwapDeviceSpec[] = [
      { kind: 'file', name: '/swapfile', size_pages: 4096, priority: 10 },
      { kind: 'partition', name: '/dev/vdb', size_pages: 4096, priority: 10, rotational: true },
      { kind: 'zram', name: '/dev/zram0', size_pages: 4096, on: false },
    ];
    const order = fillOrder({ devices, defaults: 'descending', ramPages: 65536, thp: { '64kB': 'always' } });
    expect(order.off).toEqual(['/dev/zram0']);
    expect(order.groups[0].why).toContain('/dev/vdb is rotational and gets one page a turn');
    expect(order.groups[0].notes.join(' ')).toContain('takes no large folio');
  });

  it('without a device it says what that means', () => {
    const order = fillOrder({ devices: [], defaults: 'equal', ramPages: 4096 });
    expect(order.groups).toEqual([]);
    expect(order.notes[0]).toContain('OOM');
  });

  it('the machine of the test refuses what the plan does not cover', () => {
    expect(() => observe('linux-6.18', [{ kind: 'xswap', name: 'xswap0' }], 4096)).toThrow(KernelError);
  });
});
