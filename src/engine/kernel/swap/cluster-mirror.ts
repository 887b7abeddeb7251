/**
 * The clusters of devices as cells (cluster-map.ts), in blocks of 64 that recorded pictures share. Bringing a mirror up to date packs
 * only the blocks that the allocators have touched; a picture is the list of its blocks, so that what has not changed takes no memory
 * twice and two pictures are compared by their blocks' serial numbers, without looking at a cell.
 *
 * BlockPool, by block:
 *
 * | array   | meaning                                                                                          |
 * |---------|--------------------------------------------------------------------------------------------------|
 * | cells   | 64 cells; those past the end of the device are 0 and count nowhere                                |
 * | serials | number of the content: never given twice, so equal serials mean equal cells                        |
 * | shared  | 1: a picture holds the block, so it must not be written any more                                   |
 */
import { packClusters, CELL_CODES, codeOfCell, countOfCell, currentClusters } from './cluster-map';
import { BLOCK_BITS, BLOCK_CLUSTERS, blocksOf, type Clusters } from './clusters';
import type { SwapDevice } from './device';
import type { SwapSystem } from './swap-system';

/** A device at one time; its cells lie in the pool. */
export interface DevicePicture {
  readonly type: number;
  readonly name: string;
  /** Clusters that exist. */
  readonly total: number;
  /** Blocks in the pool, one for each 64 clusters. */
  readonly ids: Int32Array;
  /** Clusters, and slots in use, by code. */
  readonly clusters: Uint32Array;
  readonly used: Float64Array;
  /** In threes: CPU (-1: all), order, cluster. */
  readonly current: Int32Array;
}

export class BlockPool {
  cells = new Uint16Array(0);
  serials = new Float64Array(0);
  shared = new Uint8Array(0);
  private free: number[] = [];
  private length = 0;
  private lastSerial = 0;

  take(): number {
    const id = this.free.pop() ?? this.length++;
    if (id >= this.serials.length) this.resize(Math.max(256, this.serials.length * 2));
    this.shared[id] = 0;
    return id;
  }

  release(id: number): void {
    this.free.push(id);
  }

  alike(a: number, b: number): boolean {
    const { cells } = this;
    for (let i = a * BLOCK_CLUSTERS, j = b * BLOCK_CLUSTERS, end = i + BLOCK_CLUSTERS; i < end; i++, j++) if (cells[i] !== cells[j]) return false;
    return true;
  }

  /** Marks the content of a block as new. */
  renew(id: number): void {
    this.serials[id] = ++this.lastSerial;
  }

  /** Takes back every block that neither of these lists names. @returns blocks that the first lists name */
  sweep(pictures: readonly Int32Array[], present: readonly Int32Array[]): number {
    const kept = new Uint8Array(this.length);
    for (const ids of pictures) for (let i = 0; i < ids.length; i++) kept[ids[i]] = 1;
    let held = 0;
    for (let id = 0; id < this.length; id++) held += kept[id];
    for (const ids of present) for (let i = 0; i < ids.length; i++) kept[ids[i]] = 1;
    this.free = [];
    for (let id = this.length - 1; id >= 0; id--) if (kept[id] === 0) this.free.push(id);
    return held;
  }

  private resize(blocks: number): void {
    const cells = new Uint16Array(blocks * BLOCK_CLUSTERS);
    cells.set(this.cells);
    const serials = new Float64Array(blocks);
    serials.set(this.serials);
    const shared = new Uint8Array(blocks);
    shared.set(this.shared);
    Object.assign(this, { cells, serials, shared });
  }
}

/** One device, as it was when refresh() was last called. */
class DeviceMirror implements DevicePicture {
  total = 0;
  ids = new Int32Array(0);
  current: Int32Array = new Int32Array(0);
  readonly clusters = new Uint32Array(CELL_CODES);
  readonly used = new Float64Array(CELL_CODES);
  /** The last picture, and whether something may have changed since. */
  last: DevicePicture | undefined;
  private changed = true;
  private readonly scratch = new Uint16Array(BLOCK_CLUSTERS);

  constructor(readonly device: SwapDevice, private readonly pool: BlockPool) {
    device.store.touched.fill(1);
  }

  get type(): number {
    return this.device.type;
  }

  get name(): string {
    return this.device.name;
  }

  /** @returns clusters looked at */
  refresh(current: Int32Array): number {
    const { store } = this.device;
    if (store.count !== this.total) this.resize(store);
    const { touched } = store;
    let walked = 0;
    for (let block = 0; block < this.ids.length; block++) {
      if (touched[block] === 0) continue;
      touched[block] = 0;
      walked += this.repack(store, block);
    }
    if (!equal(current, this.current)) {
      this.current = current;
      this.changed = true;
    }
    return walked;
  }

  /**
   * A picture, and how many blocks it holds that the last did not. Blocks that stand again as they stood then are the last one's, so
   * that it makes no difference whether somebody looked in between.
   */
  freeze(): { readonly picture: DevicePicture; readonly fresh: number } {
    const { pool, ids, last } = this;
    if (last !== undefined && !this.changed) return { picture: last, fresh: 0 };
    let fresh = 0;
    for (let i = 0; i < ids.length; i++) {
      const before = last !== undefined && i < last.ids.length ? last.ids[i] : -1;
      if (ids[i] === before) continue;
      if (before >= 0 && pool.alike(ids[i], before)) {
        pool.release(ids[i]);
        ids[i] = before;
      } else {
        pool.shared[ids[i]] = 1;
        fresh++;
      }
    }
    this.changed = false;
    if (last === undefined || fresh > 0 || last.total !== this.total || !equal(last.current, this.current)) {
      this.last = {
        type: this.type, name: this.name, total: this.total, ids: ids.slice(), clusters: this.clusters.slice(), used: this.used.slice(),
        current: this.current,
      };
    }
    return { picture: this.last!, fresh };
  }

  drop(): void {
    for (const id of this.ids) if (this.pool.shared[id] === 0) this.pool.release(id);
  }

  private resize(store: Clusters): void {
    const blocks = blocksOf(store.count);
    // What goes leaves the sums; the block at the edge is packed anew.
    for (let block = Math.min(store.count, this.total) >>> BLOCK_BITS; block < this.ids.length; block++) {
      this.count(this.pool.cells, this.ids[block] * BLOCK_CLUSTERS, Math.min(BLOCK_CLUSTERS, this.total - block * BLOCK_CLUSTERS), -1);
      if (this.pool.shared[this.ids[block]] === 0) this.pool.release(this.ids[block]);
    }
    const kept = Math.min(store.count, this.total) >>> BLOCK_BITS;
    const ids = new Int32Array(blocks).fill(-1);
    ids.set(this.ids.subarray(0, kept));
    this.ids = ids;
    store.touched.fill(1, kept, blocks);
    this.total = store.count;
    this.changed = true;
  }

  private repack(store: Clusters, block: number): number {
    const { pool, scratch, ids } = this;
    const first = block * BLOCK_CLUSTERS;
    const length = Math.min(BLOCK_CLUSTERS, this.total - first);
    packClusters(store, first, first + length, scratch);
    scratch.fill(0, length);
    const before = ids[block];
    if (before >= 0) {
      let same = true;
      for (let i = 0, at = before * BLOCK_CLUSTERS; i < length && same; i++, at++) same = pool.cells[at] === scratch[i];
      if (same) return length;
      this.count(pool.cells, before * BLOCK_CLUSTERS, length, -1);
    }
    const id = before >= 0 && pool.shared[before] === 0 ? before : pool.take();
    ids[block] = id;
    pool.cells.set(scratch, id * BLOCK_CLUSTERS);
    pool.renew(id);
    this.count(scratch, 0, length, 1);
    this.changed = true;
    return length;
  }

  private count(cells: Uint16Array, from: number, length: number, sign: number): void {
    for (let at = from; at < from + length; at++) {
      const code = codeOfCell(cells[at]);
      this.clusters[code] += sign;
      this.used[code] += sign * countOfCell(cells[at]);
    }
  }
}

/** The mirrors of all devices that are on. */
export class ClusterMirrors {
  readonly pool = new BlockPool();
  /** Clusters looked at since the start: what bringing the mirrors up to date has cost. */
  walked = 0;
  private mirrors: DeviceMirror[] = [];

  constructor(private readonly swap: SwapSystem, private readonly cpus: number) {}

  /** All devices as they are now, by type. Valid until the next call. */
  now(): readonly DevicePicture[] {
    return this.refresh();
  }

  /**
   * The same as pictures that stay as they are, each with the number of blocks that only it holds; equal objects where nothing has
   * changed since the last call.
   */
  freeze(): readonly { readonly picture: DevicePicture; readonly fresh: number }[] {
    return this.refresh().map((mirror) => mirror.freeze());
  }

  /** Takes back what neither the present nor one of these pictures needs. @returns blocks that the pictures hold */
  sweep(pictures: readonly DevicePicture[]): number {
    const present = this.mirrors.flatMap(({ ids, last }) => (last === undefined ? [ids] : [ids, last.ids]));
    return this.pool.sweep(pictures.map(({ ids }) => ids), present);
  }

  private refresh(): readonly DeviceMirror[] {
    const { swap, pool } = this;
    const devices = swap.table.filter((device): device is SwapDevice => device !== undefined);
    if (devices.length !== this.mirrors.length || devices.some((device, i) => device !== this.mirrors[i].device)) {
      const before = new Map(this.mirrors.map((mirror) => [mirror.device, mirror]));
      this.mirrors = devices.map((device) => {
        const known = before.get(device);
        before.delete(device);
        return known ?? new DeviceMirror(device, pool);
      });
      for (const gone of before.values()) gone.drop();
    }
    for (const mirror of this.mirrors) {
      const { type, globalNext } = mirror.device;
      this.walked += mirror.refresh(currentClusters(swap.allocator.pointers, this.cpus, type, globalNext));
    }
    return this.mirrors;
  }
}

function equal(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
