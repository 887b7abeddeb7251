/**
 * Slot allocator with one cluster a device, CPU and order, after "mm/swap: change back to use each swap device's percpu cluster"
 * (patch 8 of the per-priority queues): every request first selects a device, then follows that device's pointer. With the
 * list of devices every allocation therefore rotates; with queues a reader stays on a device for its quota.
 *
 * | array    | index                            | meaning                                          |
 * |----------|----------------------------------|--------------------------------------------------|
 * | pointers | (type × CPUs + CPU) × 10 + order | entry from which this CPU scans on; 0: nothing   |
 */
import { PercpuClusterAllocator, type AllocatorContext, type LargeRetry } from './allocator-percpu-cluster';
import { recordOfSlot } from './clusters';
import type { SwapDevice } from './device';
import { PriorityQueues } from './priority-queues';
import { isUsable } from './scan-reclaim';
import { NO_ENTRY, OFFSET_MASK, ORDERS, entryOf, type Entry } from './types';

export class DeviceClusterAllocator extends PercpuClusterAllocator {
  private readonly cpus: number;

  constructor(context: AllocatorContext, cpus: number, largeRetry: LargeRetry) {
    super(context, cpus, largeRetry);
    this.cpus = cpus;
  }

  override alloc(cpu: number, order: number): Entry {
    const { selection } = this.context;
    if (!(selection instanceof PriorityQueues)) {
      const entry = this.allocSlow(cpu, order, cpu * ORDERS + order);
      return entry !== NO_ENTRY ? entry : this.afterDiscard(cpu, order);
    }
    const large = order > 0;
    const walk = selection.begin(cpu);
    for (let device = selection.next(walk, cpu, large); device !== undefined; device = selection.next(walk, cpu, large)) {
      const found = this.allocFrom(device, order, cpu * ORDERS + order);
      if (found !== 0) {
        selection.served(walk, cpu, 1 << order, large);
        return entryOf(device.type, found);
      }
      if (large && this.largeRetry === 'first-device') break;
    }
    return this.afterDiscard(cpu, order);
  }

  reset(device: SwapDevice): void {
    const end = (device.type + 1) * this.cpus * ORDERS;
    if (this.pointers.length >= end) return;
    const wider = new Uint32Array(end);
    wider.set(this.pointers);
    this.pointers = wider;
  }

  protected override allocFrom(device: SwapDevice, order: number, slot: number): number {
    const own = this.pointerOf(device, slot);
    const offset = this.pointers[own] & OFFSET_MASK;
    if (offset !== 0 && (order === 0 || device.takesLargeFolios)) {
      const record = recordOfSlot(offset);
      if (isUsable(device.store, record, order)) {
        const found = this.scanCluster(device, record, offset, order, own);
        if (found !== 0) return found;
      }
    }
    return super.allocFrom(device, order, own);
  }

  /** Index of a device's pointer for `slot`, CPU × 10 + order. */
  protected pointerOf(device: SwapDevice, slot: number): number {
    return device.type * this.cpus * ORDERS + slot;
  }
}
