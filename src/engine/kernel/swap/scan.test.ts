import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Clusters } from './clusters';
import { findFreeRun } from './scan';

/** Slot by slot, as the kernel does it. */
function slowly(used: readonly boolean[], from: number, last: number, order: number): number {
  for (let offset = from; offset <= last; offset += 1 << order) {
    if (!used.slice(offset, offset + (1 << order)).includes(true)) return offset;
  }
  return 0;
}

it('finds the same run as a search slot by slot', () => {
  const runs = fc.array(fc.tuple(fc.integer({ min: 0, max: 511 }), fc.integer({ min: 1, max: 512 })), { maxLength: 30 });
  fc.assert(
    fc.property(runs, fc.integer({ min: 0, max: 9 }), fc.nat({ max: 511 }), fc.nat({ max: 511 }), (marked, order, start, end) => {
      const store = new Clusters(2);
      const used = new Array<boolean>(1024).fill(false);
      for (const [first, length] of marked) {
        const slots = Math.min(length, 512 - first);
        store.setRange(512 + first, slots);
        used.fill(true, 512 + first, 512 + first + slots);
      }
      const from = 512 + start - (start % (1 << order));
      const last = 512 + Math.min(end, 512 - (1 << order));
      expect(findFreeRun(store.map, from, last, order)).toBe(slowly(used, from, last, order));
    }),
    { numRuns: 3000, seed: 1 },
  );
});

it('sets and clears exactly the slots of a range', () => {
  fc.assert(
    fc.property(fc.nat({ max: 511 }), fc.integer({ min: 1, max: 512 }), fc.boolean(), (first, length, clear) => {
      const slots = Math.min(length, 512 - first);
      const store = new Clusters(3);
      if (clear) store.map.fill(-1);
      if (clear) store.clearRange(512 + first, slots);
      else store.setRange(512 + first, slots);
      let wrong = 0;
      for (let slot = 0; slot < 1536; slot++) {
        const inside = slot >= 512 + first && slot < 512 + first + slots;
        if (store.isUsed(slot) === (inside === clear)) wrong++;
      }
      expect(wrong).toBe(0);
    }),
    { numRuns: 500, seed: 1 },
  );
});
