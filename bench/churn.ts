import { policiesOf } from '../src/engine/kernel/swap/registry';
import { SwapSystem } from '../src/engine/kernel/swap/swap-system';

/** One case of the slot path: as the native twin takes it. */
export interface ChurnCase {
  readonly slots: number;
  readonly operations: number;
  readonly fillPercent: number;
  readonly orders: readonly number[];
}

/** What a run of the churn came to; ours and the native twin's must agree in all but the time. */
export interface ChurnResult {
  readonly nsPerOperation: number;
  readonly used: number;
  readonly failed: number;
  readonly sum: number;
}

/** Fills a device and then frees and allocates at random around that level, by the same xorshift32 as native-twin.c. */
export function churn(options: ChurnCase): ChurnResult {
  const swap = new SwapSystem(policiesOf('linux-6.18'), 1, 1, {
    isCacheOnly: () => false, reclaimCacheOnly: () => false, cacheOnlySlots: () => 0,
  });
  const slots = options.slots - (options.slots % 512);
  swap.swapon({ kind: 'partition', name: '/dev/bench', slots, rotational: false, pageDiscard: false, node: -1 });
  const orders = Uint8Array.from(options.orders);
  const kinds = orders.length;
  // As an integer of 32 bits: compared as a float in each step it would cost what no allocator has caused.
  const target = Math.floor((slots * options.fillPercent) / 100) | 0;
  const entryAt = new Uint32Array(slots);
  const orderAt = new Uint8Array(slots);
  let live = 0;
  let used = 0;
  let failed = 0;
  let sum = 0;
  // The generator stands in line, as the compiler puts it in the twin: a local number needs no memory.
  let random = 12345;
  while (used < target) {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    const order = orders[((random >>> 0) % (kinds >>> 0)) >>> 0] as number;
    const entry = swap.alloc(0, order);
    if (entry === 0) {
      if (++failed > 1000) break;
      continue;
    }
    entryAt[live] = entry;
    orderAt[live++] = order;
    used += 1 << order;
  }
  failed = 0;
  const { operations } = options;
  const start = process.hrtime.bigint();
  for (let i = 0; i < operations; i++) {
    if (used < target) {
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      const order = orders[((random >>> 0) % (kinds >>> 0)) >>> 0] as number;
      const entry = swap.alloc(0, order);
      if (entry !== 0) {
        entryAt[live] = entry;
        orderAt[live++] = order;
        sum += entry;
        used += 1 << order;
        continue;
      }
      failed++;
    }
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    const at = ((random >>> 0) % (live >>> 0)) >>> 0;
    const count = 1 << (orderAt[at] as number);
    swap.free(entryAt[at] as number, count);
    used -= count;
    live--;
    entryAt[at] = entryAt[live] as number;
    orderAt[at] = orderAt[live] as number;
  }
  const ns = Number(process.hrtime.bigint() - start);
  return { nsPerOperation: ns / operations, used, failed, sum };
}
