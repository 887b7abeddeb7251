import { policiesOf } from '../src/engine/kernel/swap/registry';
import { SwapSystem } from '../src/engine/kernel/swap/swap-system';
import { CLUSTER_SLOTS } from '../src/engine/kernel/swap/types';
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
    const swap = createDevice(SLOTS);
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

/** What native-twin.c keeps: a byte a slot, and a record of 24 bytes a cluster on 64-bit machines. */
const TWIN_BYTES_PER_SLOT = 1 + 24 / CLUSTER_SLOTS;

/** Memory of a slot and of a cluster on devices of three sizes, against the native twin's. */
export function slotSize(): Row[] {
  return ([['64Ki', 1 << 16], ['1Mi', 1 << 20], ['64Mi', SLOTS]] as const).map(([name, slots]) => {
    const { bytes } = createDevice(slots);
    const ours = bytes / slots;
    return {
      id: `slot-bytes-${name}`, ours, theirs: TWIN_BYTES_PER_SLOT, unit: 'bytes/slot', ratio: ours / TWIN_BYTES_PER_SLOT,
      what: `memory of ${slots} slots, ${(ours * CLUSTER_SLOTS).toFixed(1)} bytes a cluster, against native-twin.c`,
    };
  });
}

function createDevice(slots: number): SwapSystem {
  const swap = new SwapSystem(policiesOf('linux-6.18'), 1, 1, { isCacheOnly: () => false, reclaimCacheOnly: () => false });
  swap.swapon({ kind: 'partition', name: '/dev/bench', slots, rotational: false, pageDiscard: false, node: -1 });
  return swap;
}
