/**
 * zsmalloc as far as its size shows: size classes in steps of 16 bytes, zspages of up to eight pages, classes of equal
 * geometry merged, and zspages kept by fullness, the fullest one that has room first. So the pool shrinks only when a whole
 * zspage has become empty, as in the kernel. Source: mm/zsmalloc.c (6.18, CONFIG_ZSMALLOC_CHAIN_SIZE=8), checked against
 * zram's mm_stat of a real 6.18.
 *
 * | column | type   | per zspage | meaning |
 * |--------|--------|------------|---------|
 * | cls    | Uint8  | 1 B        | size class |
 * | inUse  | Uint16 | 2 B        | objects in it |
 * | next   | Int32  | 4 B        | same class and fullness |
 * | prev   | Int32  | 4 B        | |
 */
const PAGE = 4096;
const MIN_ALLOC = 32;
const STEP = 16;
const HANDLE_BYTES = 8;
const CHAIN = 8;
const CLASSES = Math.ceil((PAGE - MIN_ALLOC) / STEP) + 1;
/** Fullness groups: 0 %, up to 10 %, … up to 99 %, full. */
const GROUPS = 12;
const FULL = 11;

interface Geometry {
  /** By size class index: the class that stands for it after merging. */
  readonly merged: Uint8Array;
  readonly pages: Uint8Array;
  readonly objects: Uint16Array;
  /** Objects of at least so many bytes are not worth compressing (zs_huge_class_size). */
  readonly hugeSize: number;
}

function geometry(): Geometry {
  const merged = new Uint8Array(CLASSES);
  const pages = new Uint8Array(CLASSES);
  const objects = new Uint16Array(CLASSES);
  let hugeSize = 0;
  let previous = -1;
  for (let index = CLASSES - 1; index >= 0; index--) {
    const size = Math.min(MIN_ALLOC + index * STEP, PAGE);
    const chain = chainLength(size);
    const count = Math.floor((chain * PAGE) / size);
    if (chain !== 1 && count !== 1 && hugeSize === 0) hugeSize = size - (HANDLE_BYTES - 1);
    if (previous >= 0 && pages[previous] === chain && objects[previous] === count) {
      merged[index] = previous;
      continue;
    }
    merged[index] = index;
    pages[index] = chain;
    objects[index] = count;
    previous = index;
  }
  return { merged, pages, objects, hugeSize };
}

/** Pages per zspage that waste least (calculate_zspage_chain_size). */
function chainLength(size: number): number {
  if ((size & (size - 1)) === 0) return 1;
  let chain = 1;
  let least = Infinity;
  for (let pages = 1; pages <= CHAIN; pages++) {
    const waste = (pages * PAGE) % size;
    if (waste < least) {
      least = waste;
      chain = pages;
    }
  }
  return chain;
}

const GEOMETRY = geometry();

/** Compressed pages of at least this length are stored as they are by zram. */
export const ZS_HUGE_SIZE = GEOMETRY.hugeSize;

export class ZsPool {
  /** Pages of all zspages. */
  pages = 0;
  /** Highest value of `pages`. */
  maxPages = 0;
  objects = 0;
  zspages = 0;
  private cls = new Uint8Array(64);
  private inUse = new Uint16Array(64);
  private next = new Int32Array(64);
  private prev = new Int32Array(64);
  private readonly heads = new Int32Array(CLASSES * GROUPS);
  private freeHead = 0;
  private fresh = 1;

  /** Pages that storing an object of so many bytes would add now. */
  pagesNeeded(bytes: number): number {
    const cls = classOf(bytes);
    return this.findRoom(cls) !== 0 ? 0 : GEOMETRY.pages[cls];
  }

  /** Stores an object; returns its zspage. */
  alloc(bytes: number): number {
    const cls = classOf(bytes);
    let zspage = this.findRoom(cls);
    if (zspage === 0) {
      zspage = this.newZspage(cls);
      this.objects++;
      this.inUse[zspage] = 1;
      this.insert(zspage, cls * GROUPS + groupOf(1, GEOMETRY.objects[cls]));
      return zspage;
    }
    const max = GEOMETRY.objects[cls];
    const used = this.inUse[zspage];
    this.objects++;
    this.inUse[zspage] = used + 1;
    const from = groupOf(used, max);
    const to = groupOf(used + 1, max);
    if (from !== to) {
      this.unlink(zspage, cls * GROUPS + from);
      this.insert(zspage, cls * GROUPS + to);
    }
    return zspage;
  }

  /** Drops an object of the zspage. Returns the pages freed. */
  free(zspage: number): number {
    const cls = this.cls[zspage];
    const max = GEOMETRY.objects[cls];
    const used = this.inUse[zspage];
    this.objects--;
    this.inUse[zspage] = used - 1;
    const from = groupOf(used, max);
    if (used === 1) {
      this.unlink(zspage, cls * GROUPS + from);
      this.next[zspage] = this.freeHead;
      this.freeHead = zspage;
      this.zspages--;
      this.pages -= GEOMETRY.pages[cls];
      return GEOMETRY.pages[cls];
    }
    const to = groupOf(used - 1, max);
    if (from !== to) {
      this.unlink(zspage, cls * GROUPS + from);
      this.insert(zspage, cls * GROUPS + to);
    }
    return 0;
  }

  get bytes(): number {
    return this.cls.length * 11;
  }

  private findRoom(cls: number): number {
    const base = cls * GROUPS;
    for (let group = FULL - 1; group > 0; group--) {
      const zspage = this.heads[base + group];
      if (zspage !== 0) return zspage;
    }
    return 0;
  }

  private newZspage(cls: number): number {
    let zspage = this.freeHead;
    if (zspage !== 0) this.freeHead = this.next[zspage];
    else {
      if (this.fresh === this.cls.length) this.grow();
      zspage = this.fresh++;
    }
    this.cls[zspage] = cls;
    this.zspages++;
    this.pages += GEOMETRY.pages[cls];
    if (this.pages > this.maxPages) this.maxPages = this.pages;
    return zspage;
  }

  private insert(zspage: number, list: number): void {
    const first = this.heads[list];
    this.next[zspage] = first;
    this.prev[zspage] = 0;
    if (first !== 0) this.prev[first] = zspage;
    this.heads[list] = zspage;
  }

  private unlink(zspage: number, list: number): void {
    const after = this.next[zspage];
    const before = this.prev[zspage];
    if (before === 0) this.heads[list] = after;
    else this.next[before] = after;
    if (after !== 0) this.prev[after] = before;
  }

  private grow(): void {
    const length = this.cls.length * 2;
    const cls = new Uint8Array(length);
    cls.set(this.cls);
    const inUse = new Uint16Array(length);
    inUse.set(this.inUse);
    const next = new Int32Array(length);
    next.set(this.next);
    const prev = new Int32Array(length);
    prev.set(this.prev);
    this.cls = cls;
    this.inUse = inUse;
    this.next = next;
    this.prev = prev;
  }
}

function classOf(bytes: number): number {
  const size = bytes + HANDLE_BYTES;
  const index = size <= MIN_ALLOC ? 0 : Math.ceil((size - MIN_ALLOC) / STEP);
  return GEOMETRY.merged[index < CLASSES ? index : CLASSES - 1];
}

function groupOf(used: number, max: number): number {
  if (used === max) return FULL;
  return Math.floor((100 * used) / max / 10) + 1;
}
