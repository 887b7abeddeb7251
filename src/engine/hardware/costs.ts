/**
 * The one table of costs: simulated nanoseconds of each operation. No experiment has costs of its own. The time model proper
 * replaces `CostModel` by one that knows CPUs, locks and queues; everything asks through this interface.
 *
 * | entry | ns | from |
 * |-------|----|------|
 * | compress lzo, lzo-rle, lz4 | 1900, 1900, 1800 | measured: CPU time a page of O_DIRECT writes of 8000 hog pages to zram |
 * | compress, incompressible | 1.5 × | measured the same way with random pages (2600 to 3200) |
 * | decompress lzo, lzo-rle, lz4 | 1100 | measured: the same pages read back |
 * | decompress, stored as it is | 1000 | measured: random pages read back |
 * | hugeFault, zeroPage | 2000, 260 | measured: 136 µs a huge fault, nearly all of it zeroing 512 pages |
 * | systemCall | 1100 | measured: getppid |
 * | freePage | 700 | measured: munmap of touched memory, a page |
 * | fork, copyEntry | 98,000, 100 | measured: fork of 16 MiB in huge pages, and of 128 MiB in small ones, a page |
 * | copyPage | 300 | assumed: as zeroing a page, and reading one |
 * | minorFault | 600 | assumed, bare metal: the 17 µs measured there are those of nested page tables |
 * | swapFault, scanFolio, unmapPage, splitPage, zeroFilled, touch | below | assumed, of the order of their code paths |
 * | deviceRead, deviceWrite | below | assumed: NVMe, 500,000 reads and 200,000 writes of 4 KiB a second, 3 GB/s joined; |
 * |                         |       | disk 8 ms, 40 µs in sequence |
 * | deviceReadLatency, deviceWriteLatency | below | assumed: NVMe 80 µs and 20 µs on top, which requests under way share |
 * | workDelay | 1 ms | assumed: a work item on an idle CPU |
 *
 * Measured: on a Linux 6.18.44 virtual machine with two vCPUs, best of three; the block layer's share is in them.
 */
export interface CostModel {
  /** First touch of a page: fault, zeroing, charge. */
  readonly minorFault: number;
  /** A fault on a huge page, without the zeroing. */
  readonly hugeFault: number;
  /** Zeroing one page of a large folio. */
  readonly zeroPage: number;
  /** A store to a page that is mapped already. */
  readonly touch: number;
  /** Swap fault: exception, lookup, charge, mapping; the read comes on top. */
  readonly swapFault: number;
  /** Looking at one folio on an LRU list. */
  readonly scanFolio: number;
  /** Slot, unmapping and release of one page, without the write. */
  readonly unmapPage: number;
  /** Splitting a large folio, a page. */
  readonly splitPage: number;
  /** Copying a page for a store to a shared one, on top of the fault. */
  readonly copyPage: number;
  /** fork(2) without its page tables. */
  readonly fork: number;
  /** One entry of a page table in it, resident or swapped. */
  readonly copyEntry: number;
  /** Marking a page as zero-filled. */
  readonly zeroFilled: number;
  /** Compressing one page, by compressor and whether it compresses. */
  compress(compressor: string, compressible: boolean): number;
  decompress(compressor: string, compressible: boolean): number;
  /** One page in or out of a device: the time that the device is taken by it. */
  deviceRead(rotational: boolean, sequential: boolean): number;
  deviceWrite(rotational: boolean, sequential: boolean): number;
  /** On top until the request is done; others are worked on meanwhile. */
  deviceReadLatency(rotational: boolean): number;
  deviceWriteLatency(rotational: boolean): number;
  /** Giving a page back at exit. */
  readonly freePage: number;
  /** A system call, a write to a file of /proc or /sys. */
  readonly systemCall: number;
  /** Delay of work that the kernel puts off to a worker. */
  readonly workDelay: number;
}

export const COSTS: CostModel = {
  minorFault: 600,
  hugeFault: 2000,
  zeroPage: 260,
  touch: 2,
  swapFault: 900,
  scanFolio: 60,
  unmapPage: 400,
  splitPage: 60,
  copyPage: 300,
  fork: 98_000,
  copyEntry: 100,
  zeroFilled: 150,
  compress: (compressor, compressible) => (compressor === 'lz4' ? 1800 : 1900) * (compressible ? 1 : 1.5),
  decompress: (_compressor, compressible) => (compressible ? 1100 : 1000),
  deviceRead: (rotational, sequential) => (rotational ? (sequential ? 40_000 : 8_000_000) : 2_000),
  deviceWrite: (rotational, sequential) => (rotational ? (sequential ? 40_000 : 8_000_000) : sequential ? 1_300 : 5_000),
  deviceReadLatency: (rotational) => (rotational ? 0 : 80_000),
  deviceWriteLatency: (rotational) => (rotational ? 0 : 20_000),
  freePage: 700,
  systemCall: 1100,
  workDelay: 1_000_000,
};
