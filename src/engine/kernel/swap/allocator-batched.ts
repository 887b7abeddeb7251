/**
 * Allocation as kernels up to 6.13 do it: a request turns the first device that is not full behind its equals and asks it for a
 * batch of slots; a batch of order 0 fills the CPU's slot cache. Every request rotates, a batch of 64 as well as one large folio.
 * Order 0 goes on to the next device when the first has nothing; a larger order stops.
 * Source: get_swap_pages in mm/swapfile.c, folio_alloc_swap in mm/swap_slots.c of Linux 6.1 and 6.12.
 */
import type { AllocatorContext, LargeRetry, SlotAllocator } from './allocator-percpu-cluster';
import type { SwapDevice } from './device';
import type { DeviceSlots } from './slots-of-device';
import { NO_ENTRY, OFFSET_BITS, type Entry } from './types';

/** Most slots a request (SWAP_BATCH). */
const BATCH = 64;

export class BatchedAllocator implements SlotAllocator {
  private readonly context: AllocatorContext;
  readonly slots: DeviceSlots;
  private readonly largeRetry: LargeRetry;
  private readonly one = new Uint32Array(1);

  constructor(context: AllocatorContext, slots: DeviceSlots, largeRetry: LargeRetry) {
    this.context = context;
    this.largeRetry = largeRetry;
    this.slots = slots;
  }

  get pointers(): Uint32Array {
    return this.slots.pointers;
  }

  alloc(cpu: number, order: number): Entry {
    return this.takeSlots(cpu, 1, order, this.one, 0) === 0 ? NO_ENTRY : this.one[0];
  }

  reset(device: SwapDevice): void {
    this.slots.reset(device);
  }

  flush(type: number): void {
    this.slots.forget(type);
  }

  takeSlots(cpu: number, wanted: number, order: number, out: Uint32Array, at: number): number {
    const left = Math.floor(this.context.freeSlots() / (1 << order));
    if (left <= 0) return 0;
    const goal = Math.min(wanted, BATCH, left);
    let next: SwapDevice | undefined = this.context.availableFor(cpu)[0];
    const priority = next?.priority;
    for (let tries = this.context.availableFor(cpu).length; tries > 0 && next !== undefined; tries--) {
      const list: SwapDevice[] = this.context.availableFor(cpu);
      const index = list.indexOf(next);
      if (index < 0) {
        next = list[0];
        continue;
      }
      const device = list[index];
      if (order > 0 && device.priority !== priority) return 0;
      next = list[index + 1];
      this.context.requeue(cpu, index);
      const got = this.slots.take(device, cpu, goal, order, out, at);
      for (let i = at; i < at + got; i++) out[i] = ((device.type << OFFSET_BITS) | out[i]) >>> 0;
      if (got > 0 || (order > 0 && this.largeRetry === 'first-device')) return got;
    }
    return 0;
  }
}
