/**
 * Writing pages from the zswap pool to their device: when the pool is full, when memory.zswap.max is reached.
 * Source: shrink_worker, shrink_memcg, zswap_writeback_entry (mm/zswap.c).
 */
import { offsetOf, typeOf, type Entry } from '../swap/types';
import { CONTENTS } from './compression';
import { countDeviceWrite } from './device-counters';
import type { BackingDevice } from './devices';
import { STAT, type Memcg } from './memcg';
import type { Mm } from './mm';
import { contentIndexOf, isCached, kindOf, memcgOf, SLOT, type SlotTable } from './slots';
import { writebackEnabled } from './zswap';

/** Writes one entry back, in a request of its own. False: it could not be. */
function writeBack(mm: Mm, entry: Entry): boolean {
  const type = typeOf(entry);
  const offset = offsetOf(entry);
  const table = mm.slots[type] as SlotTable;
  const device = mm.backing[type] as BackingDevice;
  const info = table.info(offset);
  if (!device.writable) return false;
  const memcg = mm.memcgs[memcgOf(info)] as Memcg;
  const zspage = table.object(offset);
  mm.spent += mm.costs.decompress(mm.zswap.compressor, true);
  // The device's object takes the place of the pool's in the slot, so the pool's is dropped by what was noted before.
  if (!device.writePage(mm, table, offset, CONTENTS[contentIndexOf(info)], true)) return false;
  device.flush();
  mm.dropZswapObject(zspage, info);
  countDeviceWrite(mm, memcg, 0);
  memcg.stat[STAT.zswpwb]++;
  mm.zswap.writtenBackPages++;
  return true;
}

/** The oldest entry that belongs to the cgroup or below and may go to its device; 0: none. */
function oldestOf(mm: Mm, memcg: Memcg): Entry {
  let looks = mm.zswap.oldest.size;
  for (const entry of mm.zswap.oldest) {
    if (looks-- === 0) break;
    const info = (mm.slots[typeOf(entry)])?.info(offsetOf(entry)) ?? 0;
    if (kindOf(info) !== SLOT.zswap) {
      mm.zswap.oldest.delete(entry);
      continue;
    }
    if (isCached(info)) {
      // Its page is in the swap cache (EEXIST): to the young end.
      mm.zswap.oldest.delete(entry);
      mm.zswap.oldest.add(entry);
      continue;
    }
    const owner = mm.memcgs[memcgOf(info)] as Memcg;
    if (owner.isWithin(memcg) && writebackEnabled(owner)) return entry;
  }
  return 0;
}

/** shrink_memcg: one page. */
export function shrinkMemcgZswap(mm: Mm, memcg: Memcg): boolean {
  const entry = oldestOf(mm, memcg);
  if (entry === 0) return false;
  mm.zswap.oldest.delete(entry);
  return writeBack(mm, entry);
}

/** MAX_RECLAIM_RETRIES. */
const RETRIES = 16;

/** Pages of one piece of the worker's work: others run in between, as they do on other CPUs. */
const PIECE = 32;

/**
 * One piece of shrink_worker, which goes on until the pool is at the accept threshold, or too many entries in a row could not
 * go. True: there is more to do.
 */
export function shrinkZswapPool(mm: Mm): boolean {
  let failures = 0;
  let written = 0;
  while (mm.zswap.pool.pages > mm.zswap.thresholdPages(mm.totalPages)) {
    if (written === PIECE) return true;
    if (shrinkMemcgZswap(mm, mm.root)) {
      written++;
      continue;
    }
    mm.zswap.rejectReclaimFail++;
    if (++failures === RETRIES || mm.zswap.oldest.size === 0) break;
  }
  return false;
}
