/** A checker that cannot find a planted fault finds no other: one test a kind of fault. */
import { describe, expect, it } from 'vitest';
import { COUNT, recordOf } from './clusters';
import { PriorityQueues } from './priority-queues';
import type { SwapSystem } from './swap-system';
import { device, swapSystem } from './testing/swap-fixtures';

/** A field that only its owner writes. */
const inside = <T>(owner: object, field: string): T => Reflect.get(owner, field) as T;

function broken(kernel: string, plant: (swap: SwapSystem) => void, more: Parameters<typeof device>[1] = {}): string[] {
  const { swap } = swapSystem(kernel, 2);
  swap.swapon(device(4096, { priority: 5, ...more }));
  swap.swapon(device(4096, { priority: 5, ...more, name: '/dev/zram1' }));
  for (let i = 0; i < 700; i++) swap.alloc(i % 2, 0);
  expect(swap.checkInvariants()).toEqual([]);
  plant(swap);
  return swap.checkInvariants();
}

const deviceOf = (swap: SwapSystem): NonNullable<SwapSystem['table'][number]> => swap.table[0] as NonNullable<SwapSystem['table'][number]>;

interface Ring {
  priority: number;
  available: number;
  entries: { masked: boolean }[];
  readonly at: Uint32Array;
  readonly left: Int32Array;
}
const ringOf = (swap: SwapSystem): Ring => {
  if (!(swap.selection instanceof PriorityQueues)) throw new Error('no queues');
  return inside<Ring[]>(swap.selection, 'rings')[0];
};

describe('queues', () => {
  it.each<[string, (ring: Ring) => void, string]>([
    ['a reader past the end', (ring) => ring.at.fill(2, 1), 'the reader of CPU 1 in the queue of priority 5 stands at entry 2 of 2'],
    ['a quota used up', (ring) => ring.left.fill(0, 0, 1), 'the reader of CPU 0 in the queue of priority 5 has 0 slots left of 512'],
    ['a wrong count', (ring) => { ring.available = 1; }, 'the queue of priority 5 counts 1 devices that can serve, it has 2'],
    ['a mask that is not due', (ring) => { (ring.entries[0]).masked = true; }, '/dev/zram0 is masked in the queue of priority 5'],
    ['an entry lost', (ring) => { ring.entries.pop(); }, 'the queue of priority 5 counts 2 devices that can serve, it has 1'],
    ['a wrong priority', (ring) => { ring.priority = 4; }, '/dev/zram0 has priority 5 and stands in the queue of priority 4'],
  ])('%s', (_, plant, sentence) => {
    expect(broken('priority-queues', (swap) => {
      plant(ringOf(swap));
    })).toContain(sentence);
  });
});

describe('slot caches', () => {
  it('off, and not empty', () => {
    expect(broken('linux-6.12', (swap) => Reflect.set(swap.slotCache ?? {}, 'active', false))).toContainEqual(
      expect.stringMatching(/^the slot cache of CPU 0 is off and has \d+ slots$/),
    );
  });

  it('a place past the end', () => {
    expect(broken('linux-6.12', (swap) => inside<Uint32Array>(swap.slotCache ?? {}, 'cur').fill(63, 0, 1))).toContainEqual(
      expect.stringMatching(/^the slot cache of CPU 0 has \d+ slots from place 63 on$/),
    );
  });

  it('a slot twice', () => {
    expect(broken('linux-6.12', (swap) => {
      const slots = inside<Uint32Array>(swap.slotCache ?? {}, 'slots');
      slots.copyWithin(63, 62, 63);
    })).toContainEqual(expect.stringMatching(/in a slot cache lies there twice$/));
  });
});

describe('devices', () => {
  it('a list out of order', () => {
    expect(broken('linux-7.3', (swap) => {
      deviceOf(swap).priority = 3;
      swap.active.reverse();
      const list = swap.selection.listFor(0);
      list.sort((a, b) => a.type - b.type);
    })).toEqual(['/dev/zram1 stands behind /dev/zram0 on the list, and ranks above it']);
  });

  it('the lowest and the highest slot that may be free', () => {
    expect(broken('linux-6.1', (swap) => { deviceOf(swap).lowestSlot = 4000; })).toEqual([
      expect.stringMatching(/^\/dev\/zram0: slot \d+ is free, and 4000 is said to be the lowest that may be$/),
    ]);
    expect(broken('linux-6.1', (swap) => { deviceOf(swap).highestSlot = 3000; })).toEqual([
      '/dev/zram0: slot 3001 is free, and 3000 is said to be the highest that may be',
    ]);
  });

  it('discards that nobody will carry out', () => {
    expect(broken('linux-6.18', (swap) => {
      const folio = swap.alloc(0, 9);
      swap.free(folio, 512);
      for (const one of swap.table) if (one !== undefined) one.discardPending = false;
    }, { kind: 'partition', pageDiscard: true })).toEqual([
      expect.stringMatching(/^\/dev\/zram\d: clusters are not said to wait for discard, and some do$/),
    ]);
  });

  it('a pointer that all CPUs share, on a device that is not rotational', () => {
    expect(broken('linux-6.18', (swap) => deviceOf(swap).globalNext.fill(7, 0, 1))).toEqual([
      '/dev/zram0: the pointer for order 0 that all CPUs share is at slot 7',
    ]);
  });

  it('two pointers to one rotational device', () => {
    expect(broken('linux-6.18', (swap) => swap.allocator.pointers.fill(3, 0, 1), { kind: 'partition', rotational: true })).toEqual([
      'pointer 0 for order 0 leads to the rotational device /dev/zram0, on which all CPUs share one',
    ]);
  });

  it('a full cluster on nonfull', () => {
    expect(broken('linux-6.18', (swap) => {
      swap.free(swap.alloc(0, 0), 1);
      const { store } = deviceOf(swap);
      const [full] = swap.clusters(0, 0, 8).filter((cluster) => cluster.list === 2);
      store.records[recordOf(full?.index ?? 0) + COUNT] = 512;
    }).join('\n')).toContain('is full and on a nonfull list');
  });
});
