/**
 * What the memory layer knows of every swap slot. Columns exist only for ranges of 2048 slots that hold something.
 *
 * | column | type   | per slot | meaning |
 * |--------|--------|----------|---------|
 * | info   | Uint32 | 4 B      | see below |
 * | object | Int32  | 4 B      | zspage that holds the object |
 * | age    | Uint32 | 4 B      | eviction clock of its cgroup when it was swapped out (workingset shadow) |
 * | users  | Uint16 | 2 B      | page table entries that name it (swap_map without the swap cache's own hold) |
 *
 * A slot lives as long as it has users or a folio in the swap cache. The kernel counts to 62 (SWAP_MAP_MAX) in the byte of a slot and
 * puts what is beyond into continuation pages; here a count simply goes on.
 *
 * info: bits 0…2 SLOT kind; 3 covered by a folio that rests in the swap cache; 4…16 length of the compressed object in bytes;
 * 17…19 content (index in CONTENTS); 20…31 cgroup that is charged.
 */
export const SLOT = {
  none: 0,
  /** Allocated, nothing written: the data is in the swap cache. */
  cacheOnly: 1,
  zswap: 2,
  /** Zero-filled: neither device nor pool holds anything. */
  zero: 3,
  device: 4,
} as const;

const CHUNK_BITS = 11;
const CHUNK_SLOTS = 1 << CHUNK_BITS;
const KIND_MASK = 7;
const CACHED = 8;
const LENGTH_SHIFT = 4;
const LENGTH_MASK = 0x1fff;
const CONTENT_SHIFT = 17;
const CONTENT_MASK = 7;
const MEMCG_SHIFT = 20;
export const MAX_MEMCG_ID = 0xfff;
/** What stays when a slot's data changes: cache bit, content, cgroup. */
const KEPT = (CACHED | (CONTENT_MASK << CONTENT_SHIFT) | (MAX_MEMCG_ID << MEMCG_SHIFT)) >>> 0;

interface Chunk {
  readonly info: Uint32Array;
  readonly object: Int32Array;
  readonly age: Uint32Array;
  readonly users: Uint16Array;
  used: number;
}

/** The slots of one swap type. */
export class SlotTable {
  private readonly chunks: (Chunk | undefined)[] = [];
  /** Chunks that exist. */
  count = 0;

  /** Slots first … first + n − 1 have been allocated for cgroup `memcg`; their data is in the swap cache. */
  allocate(first: number, n: number, memcg: number, content: number): void {
    const info = (SLOT.cacheOnly | (content << CONTENT_SHIFT) | (memcg << MEMCG_SHIFT)) >>> 0;
    for (let offset = first; offset < first + n; offset++) {
      const chunk = this.chunks[offset >>> CHUNK_BITS] ?? this.create(offset >>> CHUNK_BITS);
      chunk.info[offset & (CHUNK_SLOTS - 1)] = info;
      chunk.used++;
    }
  }

  release(first: number, n: number): void {
    for (let offset = first; offset < first + n; offset++) {
      const index = offset >>> CHUNK_BITS;
      const chunk = this.chunks[index] as Chunk;
      chunk.info[offset & (CHUNK_SLOTS - 1)] = 0;
      chunk.users[offset & (CHUNK_SLOTS - 1)] = 0;
      if (--chunk.used === 0) {
        this.chunks[index] = undefined;
        this.count--;
      }
    }
  }

  info(offset: number): number {
    const chunk = this.chunks[offset >>> CHUNK_BITS];
    return chunk === undefined ? 0 : chunk.info[offset & (CHUNK_SLOTS - 1)];
  }

  /** What the slot's data is now, and how long the object; keeps cgroup, content and cache bit. */
  store(offset: number, kind: number, length: number, object: number): void {
    const chunk = this.chunks[offset >>> CHUNK_BITS] as Chunk;
    const at = offset & (CHUNK_SLOTS - 1);
    const info = chunk.info[at];
    chunk.info[at] = ((info & KEPT) | kind | (length << LENGTH_SHIFT)) >>> 0;
    chunk.object[at] = object;
  }

  setCached(offset: number, cached: boolean): void {
    const chunk = this.chunks[offset >>> CHUNK_BITS] as Chunk;
    const at = offset & (CHUNK_SLOTS - 1);
    chunk.info[at] = cached ? chunk.info[at] | CACHED : chunk.info[at] & ~CACHED;
  }

  object(offset: number): number {
    return (this.chunks[offset >>> CHUNK_BITS] as Chunk).object[offset & (CHUNK_SLOTS - 1)];
  }

  age(offset: number): number {
    return (this.chunks[offset >>> CHUNK_BITS] as Chunk).age[offset & (CHUNK_SLOTS - 1)];
  }

  setAge(offset: number, age: number): void {
    (this.chunks[offset >>> CHUNK_BITS] as Chunk).age[offset & (CHUNK_SLOTS - 1)] = age;
  }

  /** Page table entries that name the slot; 0 for a slot that the swap cache alone holds, and for a free one (swp_swapcount). */
  users(offset: number): number {
    const chunk = this.chunks[offset >>> CHUNK_BITS];
    return chunk === undefined ? 0 : chunk.users[offset & (CHUNK_SLOTS - 1)];
  }

  /** One more page table names slots first … first + n − 1 (swap_duplicate_nr). */
  addUser(first: number, n: number): void {
    for (let offset = first; offset < first + n; offset++) {
      (this.chunks[offset >>> CHUNK_BITS] as Chunk).users[offset & (CHUNK_SLOTS - 1)]++;
    }
  }

  /** One page table fewer does. Whether the slots go back is the caller's to see (swap_entries_put_map). */
  dropUser(first: number, n: number): void {
    for (let offset = first; offset < first + n; offset++) {
      (this.chunks[offset >>> CHUNK_BITS] as Chunk).users[offset & (CHUNK_SLOTS - 1)]--;
    }
  }

  /** Calls `visit(offset, info)` for every slot that holds something, ascending. */
  forEach(visit: (offset: number, info: number) => void): void {
    for (let index = 0; index < this.chunks.length; index++) {
      const chunk = this.chunks[index];
      if (chunk === undefined) continue;
      for (let at = 0; at < CHUNK_SLOTS; at++) {
        const info = chunk.info[at];
        if (info !== 0) visit((index << CHUNK_BITS) | at, info);
        if (this.chunks[index] === undefined) break;
      }
    }
  }

  /** Columns of the chunks that exist, for the digest. */
  columns(): Uint32Array[] {
    const columns: Uint32Array[] = [];
    for (const chunk of this.chunks) if (chunk !== undefined) columns.push(chunk.info);
    return columns;
  }

  get bytes(): number {
    return this.count * CHUNK_SLOTS * 14;
  }

  private create(index: number): Chunk {
    const chunk: Chunk = {
      info: new Uint32Array(CHUNK_SLOTS), object: new Int32Array(CHUNK_SLOTS), age: new Uint32Array(CHUNK_SLOTS),
      users: new Uint16Array(CHUNK_SLOTS), used: 0,
    };
    while (this.chunks.length <= index) this.chunks.push(undefined);
    this.chunks[index] = chunk;
    this.count++;
    return chunk;
  }
}

export const kindOf = (info: number): number => info & KIND_MASK;
export const isCached = (info: number): boolean => (info & CACHED) !== 0;
export const lengthOf = (info: number): number => (info >>> LENGTH_SHIFT) & LENGTH_MASK;
export const contentIndexOf = (info: number): number => (info >>> CONTENT_SHIFT) & CONTENT_MASK;
export const memcgOf = (info: number): number => info >>> MEMCG_SHIFT;
