/**
 * The pool of folios (anonymous memory only). Index 0 is no folio.
 *
 * | column | type   | per folio | meaning |
 * |--------|--------|-----------|---------|
 * | flags  | Uint8  | 1 B       | FOLIO bits |
 * | order  | Uint8  | 1 B       | 2^order pages |
 * | memcg  | Uint16 | 2 B       | cgroup that is charged |
 * | owner  | Uint16 | 2 B       | process slot whose page table maps it, or holds its entries once it is unmapped; of several, one |
 * | page   | Uint32 | 4 B       | first page in the owner's address space |
 * | swap   | Uint32 | 4 B       | first swap entry while in the swap cache, else 0 |
 * | next   | Int32  | 4 B       | LRU: towards the old end; free folios: next free one |
 * | prev   | Int32  | 4 B       | LRU: towards the young end |
 */
export const FOLIO = {
  /** PG_active: on the active list. */
  active: 1,
  /** The accessed bit of the page table entries (of any of them, for a large folio). */
  young: 2,
  /** PG_referenced: was found young by one scan. */
  referenced: 4,
  /** Written to since it has its slot; what holds nothing in its slot is written as well. */
  dirty: 8,
  /** PG_swapcache: slots are allocated. */
  swapcache: 16,
  /** Page tables refer to it. */
  mapped: 32,
  /** Brought in by readahead and not yet asked for. */
  readahead: 64,
  /** Being written to an asynchronous device. */
  writeback: 128,
} as const;

export class Folios {
  flags: Uint8Array;
  order: Uint8Array;
  memcg: Uint16Array;
  owner: Uint16Array;
  page: Uint32Array;
  swap: Uint32Array;
  next: Int32Array;
  prev: Int32Array;
  /** Folios in use. */
  live = 0;
  private capacity = 1024;
  private freeHead = 0;
  private fresh = 1;

  constructor() {
    this.flags = new Uint8Array(this.capacity);
    this.order = new Uint8Array(this.capacity);
    this.memcg = new Uint16Array(this.capacity);
    this.owner = new Uint16Array(this.capacity);
    this.page = new Uint32Array(this.capacity);
    this.swap = new Uint32Array(this.capacity);
    this.next = new Int32Array(this.capacity);
    this.prev = new Int32Array(this.capacity);
  }

  alloc(): number {
    this.live++;
    const reused = this.freeHead;
    if (reused !== 0) {
      this.freeHead = this.next[reused];
      return reused;
    }
    if (this.fresh === this.capacity) this.grow();
    return this.fresh++;
  }

  free(folio: number): void {
    this.live--;
    this.flags[folio] = 0;
    this.swap[folio] = 0;
    this.next[folio] = this.freeHead;
    this.freeHead = folio;
  }

  get bytes(): number {
    return this.capacity * 22;
  }

  private grow(): void {
    this.capacity *= 2;
    const copy = <T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.flags = copy(this.flags, new Uint8Array(this.capacity));
    this.order = copy(this.order, new Uint8Array(this.capacity));
    this.memcg = copy(this.memcg, new Uint16Array(this.capacity));
    this.owner = copy(this.owner, new Uint16Array(this.capacity));
    this.page = copy(this.page, new Uint32Array(this.capacity));
    this.swap = copy(this.swap, new Uint32Array(this.capacity));
    this.next = copy(this.next, new Int32Array(this.capacity));
    this.prev = copy(this.prev, new Int32Array(this.capacity));
  }
}

/**
 * Inactive and active list of every cgroup: list 2 × id is inactive, 2 × id + 1 active. The head is the young end, the tail
 * the old one, where scanning begins.
 */
export class LruLists {
  private readonly folios: Folios;
  head = new Int32Array(16);
  tail = new Int32Array(16);
  /** Pages on each list. */
  pages = new Float64Array(16);

  constructor(folios: Folios) {
    this.folios = folios;
  }

  /** Makes room for cgroup `id`. */
  reserve(id: number): void {
    const need = 2 * id + 2;
    if (need <= this.head.length) return;
    const length = Math.max(need, this.head.length * 2);
    const head = new Int32Array(length);
    head.set(this.head);
    const tail = new Int32Array(length);
    tail.set(this.tail);
    const pages = new Float64Array(length);
    pages.set(this.pages);
    this.head = head;
    this.tail = tail;
    this.pages = pages;
  }

  inactive(id: number): number {
    return this.pages[2 * id];
  }

  active(id: number): number {
    return this.pages[2 * id + 1];
  }

  /** At the young end of the list that its flags name. */
  add(folio: number): void {
    const { next, prev, flags, memcg, order } = this.folios;
    const list = 2 * memcg[folio] + (flags[folio] & FOLIO.active);
    const first = this.head[list];
    next[folio] = first;
    prev[folio] = 0;
    if (first === 0) this.tail[list] = folio;
    else prev[first] = folio;
    this.head[list] = folio;
    this.pages[list] += 1 << order[folio];
  }

  /** At the old end (folio_rotate_reclaimable). */
  addTail(folio: number): void {
    const { next, prev, flags, memcg, order } = this.folios;
    const list = 2 * memcg[folio] + (flags[folio] & FOLIO.active);
    const last = this.tail[list];
    prev[folio] = last;
    next[folio] = 0;
    if (last === 0) this.head[list] = folio;
    else next[last] = folio;
    this.tail[list] = folio;
    this.pages[list] += 1 << order[folio];
  }

  remove(folio: number): void {
    const { next, prev, flags, memcg, order } = this.folios;
    const list = 2 * memcg[folio] + (flags[folio] & FOLIO.active);
    const after = next[folio];
    const before = prev[folio];
    if (before === 0) this.head[list] = after;
    else next[before] = after;
    if (after === 0) this.tail[list] = before;
    else prev[after] = before;
    this.pages[list] -= 1 << order[folio];
  }
}
