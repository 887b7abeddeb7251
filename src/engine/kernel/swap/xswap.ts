/**
 * The extendable swap device (xswap v3): sizes, growth, shrink and the limit. No backing store: pages live in zswap.
 *
 * - Address space: twice RAM, rounded down to whole clusters. Ceiling at creation: half of those clusters, rounded up.
 * - cluster_info is mapped in chunks of one page of 48-byte entries, so 85 clusters; only the first at creation.
 * - Growth: when an allocation finds no free cluster, up to the end of the next chunk, never above the ceiling.
 * - Shrink: put off to a worker once a cluster has become free. Whole chunks of the free tail go when at most half of the
 *   mapped range is in use and several chunks can go; one stays as slack.
 * - A ceiling below the mapped range is enforced at once and exactly, not by chunk.
 * - A limit is rounded up to whole clusters, as the clamp to the pages in use is (assumed), and cut to the address space
 *   (assumed: it is clamped at the lower end, so it is at the upper).
 * - Live entries above a lowered ceiling (assumed): the clamp counts pages, so they may lie there. Their clusters stay mapped
 *   but are parked: no list, so nothing is allocated above the ceiling; they are unmapped as they become free from the
 *   tail. Pages in use count against the limit wherever they lie, and no allocation may exceed it.
 *
 * Source: cover letter of "[PATCH v3 00/14] mm, swap: extendable swap devices (xswap)", Baoquan He.
 */
import { KernelError } from '../../errno';
import { COUNT, MAP_WORDS, NEXT, STATE, HEAD_FULL, HEAD_FREE, headNonfull, indexOf, recordOf } from './clusters';
import type { SwapDevice } from './device';
import { CLUSTER_SLOTS, LIST, OFFSET_MASK } from './types';

/** Entries of 48 bytes in a page. */
export const CHUNK_CLUSTERS = Math.floor(4096 / 48);

export interface XswapSize {
  /** Clusters of the address space (si->nr_clusters_max). */
  readonly reserved: number;
  /** Clusters that may be mapped at first (si->nr_clusters). */
  readonly ceiling: number;
}

/** Sizes of a device on a machine with so many pages. @throws KernelError when RAM is too small or too large for one */
export function xswapSize(ramPages: number): XswapSize {
  const reserved = Math.floor((2 * ramPages) / CLUSTER_SLOTS);
  if (reserved < 1) throw new KernelError('ENOMEM', 'twice RAM is less than one cluster of 512 pages');
  if (reserved * CLUSTER_SLOTS > OFFSET_MASK + 1) throw new KernelError('EINVAL', 'twice RAM is more than 512 GiB of swap');
  return { reserved, ceiling: Math.ceil(reserved / 2) };
}

/** The clusters that a limit of so many pages allows: whole ones, at least those that the pages in use need by count. */
export function clustersOfLimit(pages: number, inUse: number, reserved: number): number {
  const asked = Math.ceil((pages + 1) / CLUSTER_SLOTS);
  const needed = Math.ceil((inUse + 1) / CLUSTER_SLOTS);
  return Math.min(Math.max(asked, needed), reserved);
}

/** Maps up to the end of the next chunk. True if there are new free clusters. */
export function grow(device: SwapDevice): boolean {
  const from = device.store.count;
  const chunkEnd = (Math.floor(from / CHUNK_CLUSTERS) + 1) * CHUNK_CLUSTERS;
  const to = Math.min(chunkEnd, device.ceiling);
  if (to <= from) return false;
  device.store.grow(to);
  for (let index = from; index < to; index++) device.listNewCluster(index);
  return true;
}

/** Clusters that stay mapped if the whole free tail goes. */
function clustersInFront(device: SwapDevice): number {
  let count = device.store.count;
  while (count > 0 && device.store.records[recordOf(count - 1) + COUNT] === 0) count--;
  return count;
}

function unmapFrom(device: SwapDevice, count: number): void {
  for (let index = count; index < device.store.count; index++) {
    const record = recordOf(index);
    if (device.store.records[record + STATE] >>> 8 === LIST.free) device.store.take(record);
  }
  device.store.shrink(count);
}

/** The put-off shrink. Returns the clusters unmapped. */
export function shrink(device: SwapDevice): number {
  const before = device.store.count;
  const front = clustersInFront(device);
  if (before > device.ceiling) unmapFrom(device, Math.max(front, device.ceiling));
  const mapped = device.store.count;
  if (device.inUse * 2 <= mapped * CLUSTER_SLOTS) {
    const needed = Math.ceil(front / CHUNK_CLUSTERS);
    const chunks = Math.ceil(mapped / CHUNK_CLUSTERS) - needed;
    if (chunks >= 2) unmapFrom(device, (needed + 1) * CHUNK_CLUSTERS);
  }
  return before - device.store.count;
}

/** Sets the ceiling: parks what lies above it, brings back what no longer does. Unmaps the free tail above it exactly. */
export function setCeiling(device: SwapDevice, ceiling: number): void {
  const store = device.store;
  const from = Math.min(device.ceiling, ceiling);
  device.ceiling = ceiling;
  if (store.count > ceiling) {
    const front = clustersInFront(device);
    if (front < store.count) unmapFrom(device, Math.max(front, ceiling));
  }
  for (let index = from; index < store.count; index++) {
    const record = recordOf(index);
    const parked = store.records[record + STATE] >>> 8 === LIST.parked;
    if (index >= ceiling) {
      if (!parked) store.park(record);
    } else if (parked) {
      unpark(device, record);
    }
  }
}

function unpark(device: SwapDevice, record: number): void {
  const store = device.store;
  const count = store.records[record + COUNT];
  const order = store.records[record + STATE] & 0xff;
  if (count === 0) store.toFree(record);
  else if (count === CLUSTER_SLOTS) store.move(record, HEAD_FULL, LIST.full);
  else store.move(record, headNonfull(order), LIST.nonfull);
}

/** Sentences about what is wrong with the mapping of a device; empty when sound. */
export function checkMapping(device: SwapDevice): string[] {
  const broken: string[] = [];
  const store = device.store;
  const reserved = device.maxSlots / CLUSTER_SLOTS;
  if (!Number.isInteger(reserved)) broken.push(`${device.name}: the address space is no whole number of clusters`);
  if (device.ceiling < 1 || device.ceiling > reserved) broken.push(`${device.name}: ceiling ${device.ceiling} of ${reserved} clusters`);
  if (device.pages !== device.ceiling * CLUSTER_SLOTS - 1) broken.push(`${device.name}: ${device.pages} pages with ceiling ${device.ceiling}`);
  if (store.map.length < store.count * MAP_WORDS) broken.push(`${device.name}: bitmap ends before the mapped range`);
  if (store.count > device.ceiling && clustersInFront(device) < store.count && !device.shrinkPending) {
    broken.push(`${device.name}: a free tail above the ceiling is still mapped`);
  }
  for (let record = store.records[HEAD_FREE + NEXT]; record !== HEAD_FREE; record = store.records[record + NEXT]) {
    if (indexOf(record) >= device.ceiling) broken.push(`${device.name}: free cluster ${indexOf(record)} above the ceiling`);
  }
  return broken;
}
