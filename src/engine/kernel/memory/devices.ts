/**
 * What stands behind a swap type: zram (synchronous, compressed, in RAM), a disk partition or a swap file (asynchronous), or
 * nothing (xswap). Requests are counted as /sys/block/<name>/stat does; their time comes from the table of costs.
 */
import type { SwapDeviceSpec } from '../../experiment/spec';
import { compressedBytes, type Content } from './compression';
import type { Mm } from './mm';
import { lengthOf, SLOT, type SlotTable } from './slots';
import type { BlockView, ZramView } from './types';
import { ZS_HUGE_SIZE, ZsPool } from './zsmalloc';

const SECTORS = 8;
/** Pages that are joined into one request before it is sent (SWAP_CLUSTER_MAX). */
const JOIN_MAX = 32;

export class BlockCounters implements BlockView {
  readonly name: string;
  readIos = 0;
  readMerges = 0;
  readSectors = 0;
  writeIos = 0;
  writeMerges = 0;
  writeSectors = 0;
  discardIos = 0;
  discardSectors = 0;
  constructor(name: string) {
    this.name = name;
  }
}

export interface BackingDevice {
  readonly spec: SwapDeviceSpec;
  /** SWP_SYNCHRONOUS_IO. */
  readonly synchronous: boolean;
  /** False: nothing can be written (xswap). */
  readonly writable: boolean;
  readonly counters: BlockCounters | undefined;
  /**
   * Writes one page. Synchronous devices are done when it returns; false: no room. Adds to mm.spent. `begins`: the page begins a
   * request of the caller's, as every one does but the later ones of a folio.
   */
  writePage(mm: Mm, table: SlotTable, offset: number, content: Content, begins: boolean): boolean;
  /** Simulated time at which all that was written so far is on the device. */
  readonly busyUntil: number;
  /** The end of a pass: what comes later joins no request of it (blk_finish_plug). */
  flush(): void;
  readPage(mm: Mm, table: SlotTable, offset: number, begins: boolean): void;
  /** The slot is free: a zram page goes with it. */
  discardSlot(mm: Mm, table: SlotTable, offset: number, info: number): void;
}

export class Zram implements BackingDevice, ZramView {
  readonly synchronous = true;
  readonly writable = true;
  readonly busyUntil = 0;
  readonly name: string;
  readonly index: number;
  disksizeBytes = 0;
  compressor: string;
  origPages = 0;
  comprDataBytes = 0;
  readonly memLimitBytes = 0;
  readonly samePages = 0;
  readonly pagesCompacted = 0;
  hugePages = 0;
  hugePagesSince = 0;
  numReads = 0;
  numWrites = 0;
  readonly failedReads = 0;
  failedWrites = 0;
  readonly invalidIo = 0;
  notifyFree = 0;
  claimed = false;
  readonly counters: BlockCounters;
  pool = new ZsPool();
  spec: SwapDeviceSpec;

  constructor(index: number, spec: SwapDeviceSpec | undefined) {
    this.index = index;
    this.name = `zram${index}`;
    this.counters = new BlockCounters(this.name);
    this.spec = spec ?? { kind: 'zram', name: `/dev/zram${index}` };
    this.compressor = spec?.compressor ?? 'lzo-rle';
    if (spec?.size_pages !== undefined) this.disksizeBytes = spec.size_pages * 4096;
  }

  get origDataBytes(): number {
    return this.origPages * 4096;
  }

  get memUsedTotalBytes(): number {
    return this.pool.pages * 4096;
  }

  get memUsedMaxBytes(): number {
    return this.pool.maxPages * 4096;
  }

  writePage(mm: Mm, table: SlotTable, offset: number, content: Content, begins: boolean): boolean {
    const compressed = compressedBytes(this.compressor, content);
    const length = compressed >= ZS_HUGE_SIZE ? 4096 : compressed;
    mm.spent += mm.costs.compress(this.compressor, length < 4096);
    const needed = this.pool.pagesNeeded(length);
    this.numWrites++;
    if (needed > 0 && !mm.takePages(needed)) {
      this.failedWrites++;
      return false;
    }
    if (begins) this.counters.writeIos++;
    this.counters.writeSectors += SECTORS;
    this.origPages++;
    this.comprDataBytes += length;
    if (length === 4096) {
      this.hugePages++;
      this.hugePagesSince++;
    }
    table.store(offset, SLOT.device, length, this.pool.alloc(length));
    return true;
  }

  flush(): void {
    // Done already.
  }

  readPage(mm: Mm, table: SlotTable, offset: number, begins: boolean): void {
    this.numReads++;
    if (begins) this.counters.readIos++;
    this.counters.readSectors += SECTORS;
    mm.spent += mm.costs.decompress(this.compressor, lengthOf(table.info(offset)) < 4096);
  }

  discardSlot(mm: Mm, table: SlotTable, offset: number, info: number): void {
    const length = lengthOf(info);
    this.notifyFree++;
    this.origPages--;
    this.comprDataBytes -= length;
    if (length === 4096) this.hugePages--;
    mm.givePages(this.pool.free(table.object(offset)));
  }

  /** reset: back to an unused device. */
  clear(mm: Mm): void {
    mm.givePages(this.pool.pages);
    this.pool = new ZsPool();
    this.disksizeBytes = 0;
    this.origPages = 0;
    this.comprDataBytes = 0;
    this.hugePages = 0;
    this.hugePagesSince = 0;
    this.numReads = 0;
    this.numWrites = 0;
    this.failedWrites = 0;
    this.notifyFree = 0;
  }
}

/** A partition or a swap file on a disk. Requests are carried out one after the other. */
export class Disk implements BackingDevice {
  readonly synchronous = false;
  readonly writable = true;
  readonly spec: SwapDeviceSpec;
  readonly counters: BlockCounters;
  /** Simulated ns until which the device is taken by the requests sent. */
  private takenUntil = 0;
  busyUntil = 0;
  /** The request being put together: next offset (-1: none), and its pages. */
  private joinNext = -1;
  private joinPages = 0;
  /** Behind the last page read or written: where a rotational disk's head is. */
  private head = -1;

  constructor(spec: SwapDeviceSpec) {
    this.spec = spec;
    this.counters = new BlockCounters(spec.name.replace(/^\/(dev\/)?/, ''));
  }

  writePage(mm: Mm, table: SlotTable, offset: number): boolean {
    const joins = offset === this.joinNext && this.joinPages < JOIN_MAX;
    if (joins) {
      this.joinPages++;
      if (!mm.config.policies.batchedPageout) this.counters.writeMerges++;
    } else {
      this.joinPages = 1;
      this.counters.writeIos++;
    }
    this.counters.writeSectors += SECTORS;
    const start = Math.max(this.takenUntil, mm.timeline.now + mm.spent);
    const rotational = this.spec.rotational === true;
    this.takenUntil = start + mm.costs.deviceWrite(rotational, rotational ? offset === this.head : joins);
    this.busyUntil = this.takenUntil + mm.costs.deviceWriteLatency(rotational);
    this.joinNext = offset + 1;
    this.head = offset + 1;
    table.store(offset, SLOT.device, 0, 0);
    return true;
  }

  flush(): void {
    this.joinNext = -1;
  }

  readPage(mm: Mm, _table: SlotTable, offset: number): void {
    this.counters.readIos++;
    this.counters.readSectors += SECTORS;
    const start = Math.max(this.takenUntil, mm.timeline.now + mm.spent);
    const rotational = this.spec.rotational === true;
    this.takenUntil = start + mm.costs.deviceRead(rotational, offset === this.head);
    this.head = offset + 1;
    mm.spent = this.takenUntil + mm.costs.deviceReadLatency(rotational) - mm.timeline.now;
  }

  discardSlot(): void {
    // A disk keeps what was written; the slot alone is free.
  }
}

/** xswap: no backing store at all. */
export class NoBacking implements BackingDevice {
  readonly synchronous = true;
  readonly writable = false;
  readonly busyUntil = 0;
  readonly counters = undefined;
  readonly spec: SwapDeviceSpec;
  constructor(name: string) {
    this.spec = { kind: 'xswap', name };
  }
  writePage(): boolean {
    return false;
  }
  flush(): void {
    // Done already.
  }
  readPage(): void {
    throw new Error('a page of an xswap device is neither in zswap nor zero-filled');
  }
  discardSlot(): void {
    // Nothing is kept.
  }
}
