/**
 * Search for a free run while swap is more than half full: slots held only by the swap cache count as free and are reclaimed
 * first, for which the kernel drops its locks; afterwards the range is looked at again, and a run that could not be reclaimed whole is passed over.
 * Source: cluster_scan_range and cluster_reclaim_range in mm/swapfile.c.
 */
import type { AllocatorContext } from './allocator-percpu-cluster';
import { COUNT, STATE, type Clusters } from './clusters';
import type { SwapDevice } from './device';
import { findFreeRun } from './scan';
import { LIST } from './types';

/** As findFreeRun. With `recheck` the search ends when reclaim has left a cluster that the order may not use (6.18 and later). */
export function findReclaiming(
  context: AllocatorContext, device: SwapDevice, record: number, from: number, last: number, order: number, recheck: boolean,
): number {
  const { store } = device;
  const slots = 1 << order;
  for (let offset = from; offset <= last; offset += slots) {
    let candidate = true;
    let reclaim = false;
    for (let at = offset; candidate && at < offset + slots; at++) {
      if (!store.isUsed(at)) continue;
      if (context.isCacheOnly(device, at)) reclaim = true;
      else candidate = false;
    }
    if (!candidate) continue;
    if (!reclaim) return offset;
    for (let at = offset; at < offset + slots; at++) {
      if (store.isUsed(at) && !context.reclaimCacheOnly(device, at)) break;
    }
    if (recheck && !isUsable(store, record, order)) return 0;
    if (findFreeRun(store.map, offset, offset, order) === offset) return offset;
  }
  return 0;
}

/**
 * May a cluster take a folio of this order (cluster_is_usable)? Of the same order or empty, and neither full nor waiting for
 * discard. A cluster on the free list is not usable through a pointer either, because its swap table is gone: asked of
 * a real 6.18.44, a pointer into a cluster that was freed whole is passed over for the head of the free list.
 */
export function isUsable(store: Clusters, record: number, order: number): boolean {
  const state = store.records[record + STATE];
  const list = state >>> 8;
  if (list !== LIST.nonfull && list !== LIST.frag && list !== LIST.none) return false;
  return order === 0 || (state & 0xff) === order || store.records[record + COUNT] === 0;
}
