/** The allocators of 6.18 and later with a trace of what they try; see traced-parts.ts. */
import { DeviceClusterAllocator } from './allocator-device-cluster';
import { PercpuClusterAllocator } from './allocator-percpu-cluster';
import { FROM, type DecisionTrace } from './decisions';
import type { SwapDevice } from './device';
import { notePointer, noteDevice, resultOf, scanOf } from './traced-scans';
import { OFFSET_BITS, OFFSET_MASK, ORDERS, type Entry } from './types';

/** Devices on which all CPUs share a pointer an order. */
function sharedPointer(trace: DecisionTrace, device: SwapDevice, order: number, alloc: () => number): number {
  notePointer(trace, device.globalNext[order], order, -1, device, device.type);
  trace.from = FROM.shared;
  const found = alloc();
  trace.from = FROM.own;
  return found;
}

function searchOthers(trace: DecisionTrace, device: SwapDevice, steal: () => number): number {
  trace.note({ did: 'steal', type: device.type });
  trace.quiet = true;
  const found = steal();
  trace.quiet = false;
  return found;
}

export class TracedPercpuClusters extends PercpuClusterAllocator {
  declare trace: DecisionTrace;

  override alloc(cpu: number, order: number): Entry {
    const pointer = this.pointers[cpu * ORDERS + order];
    notePointer(this.trace, pointer & OFFSET_MASK, order, cpu, this.context.table[pointer >>> OFFSET_BITS], -1);
    return super.alloc(cpu, order);
  }

  protected override allocFrom(device: SwapDevice, order: number, slot: number): number {
    noteDevice(this.trace, device, order);
    if (!device.rotational || (order > 0 && !device.takesLargeFolios)) return super.allocFrom(device, order, slot);
    return sharedPointer(this.trace, device, order, () => super.allocFrom(device, order, slot));
  }

  protected override steal(device: SwapDevice, slot: number): number {
    return searchOthers(this.trace, device, () => super.steal(device, slot));
  }

  protected override scanList(device: SwapDevice, head: number, order: number, slot: number, all: boolean): number {
    return scanOf(this.trace, device, head, () => super.scanList(device, head, order, slot, all));
  }

  protected override scanCluster(device: SwapDevice, record: number, offset: number, order: number, slot: number): number {
    return resultOf(this.trace, device, record, offset, order, () => super.scanCluster(device, record, offset, order, slot));
  }
}

export class TracedDeviceClusters extends DeviceClusterAllocator {
  declare trace: DecisionTrace;

  protected override allocFrom(device: SwapDevice, order: number, slot: number): number {
    noteDevice(this.trace, device, order);
    if (order > 0 && !device.takesLargeFolios) return super.allocFrom(device, order, slot);
    if (device.rotational) return sharedPointer(this.trace, device, order, () => super.allocFrom(device, order, slot));
    const offset = this.pointers[this.pointerOf(device, slot)] & OFFSET_MASK;
    notePointer(this.trace, offset, order, Math.floor(slot / ORDERS), device, device.type);
    return super.allocFrom(device, order, slot);
  }

  protected override steal(device: SwapDevice, slot: number): number {
    return searchOthers(this.trace, device, () => super.steal(device, slot));
  }

  protected override scanList(device: SwapDevice, head: number, order: number, slot: number, all: boolean): number {
    return scanOf(this.trace, device, head, () => super.scanList(device, head, order, slot, all));
  }

  protected override scanCluster(device: SwapDevice, record: number, offset: number, order: number, slot: number): number {
    return resultOf(this.trace, device, record, offset, order, () => super.scanCluster(device, record, offset, order, slot));
  }
}
