/**
 * /sys/block/<device> and /sys/class/zram-control. Source: drivers/block/zram/zram_drv.c, block/genhd.c (part_stat_show) of 6.18,
 * asked of a running 6.18 as well.
 */
import { KernelError } from '../../errno';
import { COMPRESSORS } from '../memory/compression';
import type { BlockView, MemorySystem, ZramView } from '../memory/types';
import { eraOf } from './era';
import type { FsKernel } from './kernel';
import { PAGE_BYTES, SECTOR_BYTES } from './kernel';
import { dir, file, liveDir } from './node';
import type { DirNode, Node } from './node';
import { cString, kstrtoint, kstrtouint, memparse, quoted } from './parse';

const wide = (value: number): string => String(value).padStart(8);

/** mm_stat: nine numbers, the first eight columns of eight places. */
export function mmStat(zram: ZramView): string {
  return `${[
    zram.origDataBytes, zram.comprDataBytes, zram.memUsedTotalBytes, zram.memLimitBytes, zram.memUsedMaxBytes,
    zram.samePages, zram.pagesCompacted, zram.hugePages, zram.hugePagesSince,
  ].map(wide).join(' ')}\n`;
}

/** io_stat: failed reads and writes, a 0 for what was the count of invalid requests, notify_free. */
export function ioStat(zram: ZramView): string {
  return `${wide(zram.failedReads)} ${wide(zram.failedWrites)} ${zram.invalidIo} ${wide(zram.notifyFree)}\n`;
}

/** /sys/block/<device>/stat: 17 numbers; times and flushes are not modelled. */
export function blockStat(block: BlockView | undefined): string {
  const values = block === undefined ? [] : [
    block.readIos, block.readMerges, block.readSectors, 0, block.writeIos, block.writeMerges, block.writeSectors, 0,
    0, 0, 0, block.discardIos, 0, block.discardSectors,
  ];
  return `${Array.from({ length: 17 }, (_, index) => wide(values[index] ?? 0)).join(' ')}\n`;
}

/** In the order of drivers/block/zram/zcomp.c; those that this machine's kernel has. */
const ALGORITHMS = ['lzo-rle', 'lzo', 'lz4', 'lz4hc', 'zstd', 'deflate', '842'].filter((name) => COMPRESSORS.includes(name));

/** Bytes that zram's table takes a page: it must fit into RAM, or disksize answers ENOMEM. */
const TABLE_ENTRY_BYTES = 16;

function setDisksize(memory: MemorySystem, zram: ZramView, text: string): void {
  const { value } = memparse(text, eraOf(memory.config.release).memparseSaturates);
  if (value === 0n) throw new KernelError('EINVAL', `${quoted(text)} gives a size of 0: write bytes, with K, M, G, T, P or E behind them if need be`);
  if (zram.disksizeBytes > 0) throw new KernelError('EBUSY', `${zram.name} has a size already; write 1 to its reset file first`);
  const pages = (value + BigInt(PAGE_BYTES - 1)) / BigInt(PAGE_BYTES);
  if (pages * BigInt(TABLE_ENTRY_BYTES) > BigInt(memory.config.machine.ram_pages) * BigInt(PAGE_BYTES)) {
    throw new KernelError('ENOMEM', `the table of ${pages} pages alone would not fit into this machine's RAM`);
  }
  memory.setZramDisksize(zram, Number(pages) * PAGE_BYTES);
}

function reset(memory: MemorySystem, zram: ZramView, text: string): void {
  if (kstrtouint(text, 10, 16) === 0) throw new KernelError('EINVAL', 'any number but 0 resets the device');
  memory.resetZram(zram);
}

function setCompressor(memory: MemorySystem, zram: ZramView, text: string): void {
  const word = cString(text);
  memory.setZramCompressor(zram, word.endsWith('\n') ? word.slice(0, -1) : word);
}

function queueDir(rotational: boolean): DirNode {
  return dir('sysfs', { rotational: file('sysfs', () => `${rotational ? 1 : 0}\n`) });
}

function zramDir(memory: MemorySystem, zram: ZramView): DirNode {
  const block = (): BlockView | undefined => memory.blocks.find(({ name }) => name === zram.name);
  return dir('sysfs', {
    comp_algorithm: file(
      'sysfs',
      () => `${ALGORITHMS.map((name) => (name === zram.compressor ? `[${name}]` : name)).join(' ')} \n`,
      (text) => setCompressor(memory, zram, text),
    ),
    disksize: file('sysfs', () => `${zram.disksizeBytes}\n`, (text) => setDisksize(memory, zram, text)),
    initstate: file('sysfs', () => `${zram.disksizeBytes > 0 ? 1 : 0}\n`),
    io_stat: file('sysfs', () => ioStat(zram)),
    mm_stat: file('sysfs', () => mmStat(zram)),
    queue: queueDir(false),
    reset: file('sysfs', undefined, (text) => reset(memory, zram, text)),
    size: file('sysfs', () => `${zram.disksizeBytes / SECTOR_BYTES}\n`),
    stat: file('sysfs', () => blockStat(block())),
  });
}

export function blockDir(kernel: FsKernel): DirNode {
  const { memory } = kernel;
  const disks: Record<string, Node> = {};
  for (const device of memory.config.machine.swap) {
    if (device.kind !== 'partition') continue;
    const name = device.name.replace(/^\/dev\//, '');
    disks[name] = dir('sysfs', {
      queue: queueDir(device.rotational === true),
      size: file('sysfs', () => `${((device.size_pages ?? 0) * PAGE_BYTES) / SECTOR_BYTES}\n`),
      stat: file('sysfs', () => blockStat(memory.blocks.find((block) => block.name === name))),
    });
  }
  return liveDir('sysfs', disks, () => memory.zrams.map(({ name }) => name), (name) => {
    const zram = memory.zrams.find((each) => each.name === name);
    return zram === undefined ? undefined : zramDir(memory, zram);
  });
}

/** hot_add makes a device when it is read, and tells its number. */
export function zramControlDir(kernel: FsKernel): DirNode {
  const { memory } = kernel;
  return dir('sysfs', {
    hot_add: file('sysfs', () => `${memory.hotAddZram()}\n`),
    hot_remove: file('sysfs', undefined, (text) => {
      const index = kstrtoint(text, 10);
      if (index < 0) throw new KernelError('EINVAL', 'the number of a zram device is not negative');
      memory.hotRemoveZram(index);
    }),
  });
}
