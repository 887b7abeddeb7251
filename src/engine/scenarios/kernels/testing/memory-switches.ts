/** A switch a policy of the memory layer, each with a run that shows it and one that it cannot touch. */
import { expect } from 'vitest';
import type { Memory } from '../../../kernel/memory/memory';
import { pageOut, partingOf, touches, type MemoryMachine, type Step } from './memory-lockstep';
import type { PolicySwitch, Sides } from './policy-switch';

const WRITTEN = [...touches(true), pageOut];
/** The number of the first step behind WRITTEN. */
const NEXT = WRITTEN.length;

function same(sides: Sides, of: MemoryMachine, steps: readonly Step[], read?: (memory: Memory) => number): void {
  const { pair, moments } = partingOf(sides.a, sides.b, of, steps, read);
  expect(pair).toBeUndefined();
  expect(moments).toBeGreaterThanOrEqual(16);
}

export const MEMORY_SWITCHES: readonly PolicySwitch[] = [
  {
    policy: 'writeFault', kernel: 'linux-7.3', to: 'retained',
    first: 'a write to a page that was read back frees its slot, or leaves it with the page',
    shows: ({ a, b }) => {
      const steps = [...WRITTEN, ...touches(false), ...touches(true)];
      const { pair } = partingOf(a, b, { device: 'partition' }, steps);
      expect(pair).toMatchObject({ step: NEXT + 256, at: 0, a: { kind: 'free', slots: 1, cpu: 0 }, b: undefined });
    },
    spares: (sides) => {
      // Read from a synchronous device a page keeps no slot that a write could free.
      same(sides, { device: 'zram' }, [...WRITTEN, ...touches(false), ...touches(true), pageOut]);
      // A page that is written to as it comes back frees its slot at once.
      same(sides, { device: 'partition' }, [...WRITTEN, ...touches(false), pageOut]);
    },
  },
  {
    policy: 'largeSwapin', kernel: 'linux-6.18', to: 'page-by-page',
    first: 'a fault brings back a folio of 16 pages and frees its 16 slots, or one',
    shows: ({ a, b }) => {
      const { pair } = partingOf(a, b, { device: 'zram', orders: [4] }, [...WRITTEN, ...touches(false)]);
      expect(pair).toMatchObject({ step: NEXT, at: 0, a: { kind: 'free', slots: 16 }, b: { kind: 'free', slots: 1 } });
      expect(pair?.a?.offset).toBe(pair?.b?.offset);
    },
    spares: (sides) => {
      // No large size is enabled; a disk is not synchronous.
      same(sides, { device: 'zram' }, [...WRITTEN, ...touches(false), pageOut]);
      same(sides, { device: 'partition', orders: [4] }, [...WRITTEN, ...touches(false), pageOut]);
    },
  },
  {
    policy: 'zswapLoad', kernel: 'linux-6.1', to: 'exclusive',
    first: 'a page that is read back leaves its entry in zswap, or takes it along',
    shows: ({ a, b }) => {
      const { pair } = partingOf(a, b, { device: 'partition', zswap: true }, [...WRITTEN, ...touches(false)], storedPages);
      expect(pair).toMatchObject({ step: NEXT, at: -1, readA: 256, readB: 255 });
    },
    spares: (sides) => {
      // Nothing is in zswap; a page that is written to as it comes back leaves no entry either way.
      same(sides, { device: 'partition' }, [...WRITTEN, ...touches(false), ...touches(true), pageOut], storedPages);
      same(sides, { device: 'partition', zswap: true }, [...WRITTEN, ...touches(true), pageOut], storedPages);
    },
  },
];

const storedPages = (memory: Memory): number => memory.zswap.storedPages;
