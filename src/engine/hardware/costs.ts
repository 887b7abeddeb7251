/**
 * The one table of costs: simulated nanoseconds of each operation. No experiment has costs of its own. The time model proper
 * replaces `CostModel` by one that knows CPUs, locks and queues; everything asks through this interface.
 *
 * Measured: on the 6.18.44 machine named in docs/fidelity, mean over at least 100,000 operations. Assumed: of the right
 * order for the hardware named, no measurement behind it.
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
  /** Marking a page as zero-filled. */
  readonly zeroFilled: number;
  /** Compressing one page, by compressor and whether it compresses. */
  compress(compressor: string, compressible: boolean): number;
  decompress(compressor: string, compressible: boolean): number;
  /** One page in or out of a device: latency of a request by itself. */
  deviceRead(rotational: boolean, sequential: boolean): number;
  deviceWrite(rotational: boolean, sequential: boolean): number;
  /** Freeing a slot, a page at exit, a system call, a write to a file of /proc or /sys. */
  readonly freePage: number;
  readonly systemCall: number;
  /** Delay of work that the kernel puts off to a worker. */
  readonly workDelay: number;
}

const COMPRESS: Readonly<Record<string, number>> = { lzo: 3000, 'lzo-rle': 2900, lz4: 2600 };
const DECOMPRESS: Readonly<Record<string, number>> = { lzo: 1300, 'lzo-rle': 1300, lz4: 900 };

export const COSTS: CostModel = {
  minorFault: 500,
  hugeFault: 2000,
  zeroPage: 80,
  touch: 2,
  swapFault: 900,
  scanFolio: 60,
  unmapPage: 400,
  splitPage: 60,
  zeroFilled: 150,
  compress: (compressor, compressible) => (COMPRESS[compressor] ?? 3000) * (compressible ? 1 : 2),
  decompress: (compressor, compressible) => (compressible ? (DECOMPRESS[compressor] ?? 1300) : 300),
  deviceRead: (rotational, sequential) => (rotational ? (sequential ? 40_000 : 8_000_000) : 80_000),
  deviceWrite: (rotational, sequential) => (rotational ? (sequential ? 40_000 : 8_000_000) : sequential ? 4_000 : 20_000),
  freePage: 80,
  systemCall: 1000,
  workDelay: 1_000_000,
};
