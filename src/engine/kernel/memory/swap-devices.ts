/** swapon, swapoff, xswap and zram as system calls and files use them. Source: mm/swapfile.c, drivers/block/zram. */
import { KernelError } from '../../errno';
import type { SwapDeviceSpec } from '../../experiment/spec';
import { COMPRESSORS } from './compression';
import { Disk, NoBacking, Zram, type BackingDevice } from './devices';
import type { Mm } from './mm';
import { SlotTable } from './slots';
import { swapoffType } from './swapoff';

/** The block devices and swap files of the machine, on or off. */
export class SwapDevices {
  private readonly mm: Mm;
  readonly disks: Disk[] = [];

  constructor(mm: Mm) {
    this.mm = mm;
    for (const spec of mm.config.machine.swap) {
      if (spec.kind === 'zram') this.addZram(zramIndex(spec.name), spec);
      else if (spec.kind !== 'xswap') this.disks.push(new Disk(spec));
    }
    mm.zrams.sort((a, b) => a.index - b.index);
  }

  private addZram(index: number, spec: SwapDeviceSpec | undefined): Zram {
    const zram = new Zram(index, spec);
    this.mm.zrams.push(zram);
    return zram;
  }

  private find(name: string): Zram | Disk | undefined {
    return this.mm.zrams.find((zram) => `/dev/${zram.name}` === name) ?? this.disks.find((disk) => disk.spec.name === name);
  }

  /** Type of a device that is on; undefined: it is not. */
  private typeOf(name: string): number | undefined {
    return this.mm.swap.devices().find((device) => device.name === name)?.type;
  }

  swapon(name: string, priority: number | undefined): number {
    const { mm } = this;
    const device = this.find(name);
    if (device === undefined) throw new KernelError('ENOENT', `the machine has no swap device ${name}`);
    if (this.typeOf(name) !== undefined) throw new KernelError('EBUSY', `${name} is in use as swap`);
    const { spec } = device;
    const slots = device instanceof Zram ? device.disksizeBytes / 4096 : (spec.size_pages ?? 0);
    if (slots < 2) throw new KernelError('EINVAL', `${name} is too small to hold a swap header and a page`);
    const rotational = spec.rotational === true;
    const discard = spec.discard ?? 'none';
    const type = mm.swap.swapon({
      kind: spec.kind, name, slots, rotational, pageDiscard: discard === 'pages', node: spec.node ?? -1,
      ...(priority === undefined ? {} : { priority }),
    });
    this.enable(type, device);
    if (device instanceof Zram) device.claimed = true;
    const view = mm.swap.view(type);
    const flags = `${rotational ? '' : 'SS'}${discard === 'none' ? '' : 'D'}${discard === 'once' ? 's' : ''}${discard === 'pages' ? 'c' : ''}`;
    mm.printk(`Adding ${view.pages * 4}k swap on ${name}.  Priority:${view.priority} extents:1 across:${view.pages * 4}k ${flags}`);
    return type;
  }

  private enable(type: number, device: BackingDevice): void {
    this.mm.slots[type] = new SlotTable();
    this.mm.backing[type] = device;
    this.mm.listener.onSwapChange?.();
  }

  swapoff(name: string): void {
    const type = this.typeOf(name);
    if (type === undefined) throw new KernelError('EINVAL', `${name} is not in use as swap`);
    this.off(type);
  }

  private off(type: number): void {
    const device = this.mm.backing[type];
    swapoffType(this.mm, type);
    if (device instanceof Zram) device.claimed = false;
  }

  createXswap(priority: number | undefined): number {
    const { mm } = this;
    if (!mm.zswap.enabled) throw new KernelError('EOPNOTSUPP', 'an xswap device keeps its pages in zswap, and zswap is off');
    const type = mm.swap.createXswap(priority === undefined ? {} : { priority }, mm.totalPages);
    this.enable(type, new NoBacking(mm.swap.view(type).name));
    return type;
  }

  destroyXswap(type: number): void {
    const device = this.mm.swap.devices().find((candidate) => candidate.type === type);
    if (device === undefined || device.kind !== 'xswap') throw new KernelError('EINVAL', `type ${type} is no xswap device`);
    this.off(type);
  }

  // ---- zram ----------------------------------------------------------------------------------------------------

  setDisksize(zram: Zram, bytes: number): void {
    if (!(bytes > 0)) throw new KernelError('EINVAL', 'disksize must be more than 0');
    if (zram.disksizeBytes > 0) {
      this.mm.printk('zram: Cannot change disksize for initialized device');
      throw new KernelError('EBUSY', `${zram.name} is set up already: reset it first`);
    }
    zram.disksizeBytes = Math.ceil(bytes / 4096) * 4096;
    this.mm.printk(`${zram.name}: detected capacity change from 0 to ${zram.disksizeBytes / 512}`);
  }

  reset(zram: Zram): void {
    if (zram.claimed) throw new KernelError('EBUSY', `${zram.name} is in use as swap`);
    const sectors = zram.disksizeBytes / 512;
    zram.clear(this.mm);
    if (sectors > 0) this.mm.printk(`${zram.name}: detected capacity change from ${sectors} to 0`);
  }

  setCompressor(zram: Zram, name: string): void {
    if (!COMPRESSORS.includes(name)) throw new KernelError('EINVAL', `no compressor ${name}: there are ${COMPRESSORS.join(', ')}`);
    if (zram.disksizeBytes > 0) throw new KernelError('EBUSY', `${zram.name} is set up already: reset it first`);
    zram.compressor = name;
  }

  hotAdd(): number {
    let index = 0;
    while (this.mm.zrams.some((zram) => zram.index === index)) index++;
    this.addZram(index, undefined);
    this.mm.zrams.sort((a, b) => a.index - b.index);
    this.mm.printk(`zram: Added device: zram${index}`);
    return index;
  }

  hotRemove(index: number): void {
    const at = this.mm.zrams.findIndex((zram) => zram.index === index);
    if (at < 0) throw new KernelError('ENODEV', `there is no zram${index}`);
    const zram = this.mm.zrams[at];
    if (zram.claimed) throw new KernelError('EBUSY', `${zram.name} is in use as swap`);
    zram.clear(this.mm);
    this.mm.zrams.splice(at, 1);
    this.mm.printk(`zram: Removed device: zram${index}`);
  }
}

function zramIndex(name: string): number {
  const match = /^\/dev\/zram(\d+)$/.exec(name);
  if (match === null) throw new KernelError('EINVAL', `a zram device is named /dev/zram0 and so on, not ${name}`);
  return Number(match[1]);
}
