import { policiesOf } from '../src/engine/kernel/swap/registry';
import { SwapSystem } from '../src/engine/kernel/swap/swap-system';
import type { Row } from './row';

/** 256 GiB in pages of 4 KiB. */
const SLOTS = 64 * 1024 * 1024;
const ROUNDS = 5;

/** Memory and creation time of a 256 GiB device: against a byte a slot, and against Buffer.alloc of the same size. */
export function deviceSize(): Row[] {
  let bytes = Infinity;
  let create = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.memoryUsage().arrayBuffers;
    const start = process.hrtime.bigint();
    const swap = createDevice();
    create = Math.min(create, Number(process.hrtime.bigint() - start));
    bytes = Math.min(bytes, Math.max(process.memoryUsage().arrayBuffers - before, swap.bytes));
  }
  let buffer = Infinity;
  let bufferBytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint();
    bufferBytes = Buffer.alloc(bytes).byteLength;
    buffer = Math.min(buffer, Number(process.hrtime.bigint() - start));
  }
  const usage = Buffer.alloc(SLOTS).byteLength;
  return [
    {
      id: 'device-256GiB-bytes', ours: bytes, theirs: usage, unit: 'bytes', ratio: bytes / usage,
      what: `memory of a 256 GiB device (${SLOTS} slots) against one byte a slot; created in ${(create / 1e6).toFixed(1)} ms`,
    },
    {
      id: 'device-256GiB-create', ours: create / 1e6, theirs: buffer / 1e6, unit: 'ms', ratio: create / buffer,
      what: `swapon of a 256 GiB device against Buffer.alloc(${bufferBytes})`,
    },
  ];
}

function createDevice(): SwapSystem {
  const swap = new SwapSystem(policiesOf('linux-6.18'), 1, 1, { isCacheOnly: () => false, reclaimCacheOnly: () => false });
  swap.swapon({ kind: 'partition', name: '/dev/bench', slots: SLOTS, rotational: false, pageDiscard: false, node: -1 });
  return swap;
}
