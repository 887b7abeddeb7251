/** How the allocators that ask one device at a time for several slots (get_swap_pages, up to 6.13) see a device's slots. */
import type { SwapDevice } from './device';

export interface DeviceSlots {
  /**
   * Takes up to `goal` folios of 2^order slots on a device and writes their first offsets to `out` from `at` on, without the
   * type. Returns how many. `goal` is above 1 for order 0 alone.
   */
  take(device: SwapDevice, cpu: number, goal: number, order: number, out: Uint32Array, at: number): number;
  /** A device comes on: its records and pointers begin anew. */
  reset(device: SwapDevice): void;
  /** A device goes. */
  forget(type: number): void;
  /** Entries that CPUs remember, type × CPUs × 10 + CPU × 10 + order; offset 0: none. For the invariant checker. */
  readonly pointers: Uint32Array;
}
