/** Walks the whole memory layer and compares what is counted with what is there. Sentences; empty when sound. */
import { MEMCG_STAT } from './counters';
import { FOLIO } from './folios';
import { STAT, type Memcg } from './memcg';
import type { Mm } from './mm';
import { folioOf, isResident, isSwapEntry, residentPte, type Process } from './process';
import { isShared, mappers, slotUsers } from './sharing';
import { kindOf, lengthOf, memcgOf, SLOT } from './slots';
import { entryOf, offsetOf, typeOf } from '../swap/types';

export function checkMemory(mm: Mm): string[] {
  const broken: string[] = [];
  const expect = (what: string, counted: number, found: number): void => {
    if (counted !== found) broken.push(`${what}: counted ${counted}, found ${found}`);
  };
  const mapped = new Uint32Array(mm.folios.flags.length);
  const entries = new EntrySet(mm);
  checkTasks(mm, mapped, entries, broken, expect);
  const perMemcg = checkLru(mm, mapped, broken, expect);
  checkSlots(mm, entries, broken, expect);
  checkMemcgs(mm, perMemcg, expect);
  const zram = mm.zrams.reduce((sum, device) => sum + device.pool.pages, 0);
  const folioPages = perMemcg.reduce((sum, pages) => sum + pages, 0);
  expect('pages of the machine', mm.totalPages, mm.freePages + mm.bootPages + mm.kernelPages + folioPages + mm.zswap.pool.pages + zram);
  return broken;
}

type Expect = (what: string, counted: number, found: number) => void;

/** The swap entries that page tables hold: one bit a slot, and what is beyond one user. */
class EntrySet {
  private readonly bits: (Uint32Array | undefined)[] = [];
  private readonly more = new Map<number, number>();

  constructor(mm: Mm) {
    for (const device of mm.swap.devices()) this.bits[device.type] = new Uint32Array(Math.ceil(device.maxSlots / 32));
  }

  /** False: on no device. */
  add(entry: number): boolean {
    const bits = this.bits[typeOf(entry)];
    const offset = offsetOf(entry);
    if (bits === undefined || offset >>> 5 >= bits.length) return false;
    if (this.has(entry)) this.more.set(entry, (this.more.get(entry) ?? 0) + 1);
    else bits[offset >>> 5] |= 1 << (offset & 31);
    return true;
  }

  users(entry: number): number {
    return this.has(entry) ? 1 + (this.more.get(entry) ?? 0) : 0;
  }

  has(entry: number): boolean {
    const bits = this.bits[typeOf(entry)];
    const offset = offsetOf(entry);
    return bits !== undefined && (bits[offset >>> 5] & (1 << (offset & 31))) !== 0;
  }
}

/** A page that a store may reach without a fault is the process's alone. */
function checkProtection(mm: Mm, task: Process, page: number, broken: string[]): void {
  const folio = folioOf(task.pte[page]);
  if ((task.cow === null || task.cow[page] === 0) && isShared(mm, folio)) broken.push(`page ${page} of ${task.name} is shared and writable`);
}

function checkTasks(mm: Mm, mapped: Uint32Array, entries: EntrySet, broken: string[], expect: Expect): void {
  for (const task of mm.tasks) {
    if (task === undefined) continue;
    let resident = 0;
    let swapped = 0;
    for (let page = 0; page < task.pte.length; page++) {
      const value = task.pte[page];
      if (isResident(value)) {
        resident++;
        mapped[folioOf(value)]++;
        checkProtection(mm, task, page, broken);
      } else if (isSwapEntry(value)) {
        swapped++;
        if (!entries.add(value)) broken.push(`page ${page} of ${task.name}: entry ${value} is on no device`);
        else if ((mm.slots[typeOf(value)]?.info(offsetOf(value)) ?? 0) === 0) broken.push(`page ${page} of ${task.name}: slot is empty`);
      }
    }
    expect(`rss of ${task.name}`, task.rssAnonPages, resident);
    expect(`swap entries of ${task.name}`, task.swapEntries, swapped);
  }
}

/** Pages of folios by cgroup id. */
function checkLru(mm: Mm, mapped: Uint32Array, broken: string[], expect: Expect): number[] {
  const { folios, lru } = mm;
  const pagesOf: number[] = [];
  let live = 0;
  let cached = 0;
  let anon = 0;
  let cacheOnly = 0;
  for (let id = 0; id < mm.memcgs.length; id++) {
    pagesOf.push(0);
    if (mm.memcgs[id] === undefined) continue;
    for (let active = 0; active < 2; active++) {
      let pages = 0;
      let last = 0;
      for (let folio = lru.head[2 * id + active]; folio !== 0; folio = folios.next[folio]) {
        const size = 1 << folios.order[folio];
        const flags = folios.flags[folio];
        live++;
        pages += size;
        if (folios.prev[folio] !== last) broken.push(`LRU of cgroup ${id}: folio ${folio} does not point back`);
        if (folios.memcg[folio] !== id || (flags & FOLIO.active) !== active) broken.push(`folio ${folio} is on the wrong list`);
        if ((flags & FOLIO.swapcache) !== 0) {
          cached += size;
          const users = slotUsers(mm, folio);
          if ((flags & FOLIO.mapped) !== 0 && users === 0) cacheOnly += size;
          for (let i = 0; i < size; i++) {
            const other = mm.slots[typeOf(folios.swap[folio])]?.users(offsetOf(folios.swap[folio]) + i) ?? 0;
            if (other !== users) broken.push(`slots of folio ${folio} have ${users} and ${other} users`);
          }
          if (mm.swapCache.get(folios.swap[folio]) !== folio) broken.push(`folio ${folio} is missing from the swap cache index`);
        }
        const refs = mapped[folio];
        if ((flags & FOLIO.mapped) !== 0) {
          anon += size;
          if (refs !== size * mappers(mm, folio)) broken.push(`folio ${folio} of ${size} pages is mapped ${refs} times`);
        } else if (refs !== 0) broken.push(`folio ${folio} counts as unmapped and is mapped ${refs} times`);
        const owner = mm.tasks[folios.owner[folio]] as Process;
        const held = (flags & FOLIO.mapped) !== 0 ? residentPte(folio) : folios.swap[folio];
        if (owner.pte[folios.page[folio]] !== held) broken.push(`folio ${folio}: its owner ${owner.name} does not have it`);
        last = folio;
      }
      expect(`pages of LRU list ${2 * id + active}`, lru.pages[2 * id + active], pages);
      pagesOf[id] += pages;
    }
  }
  expect('folios', folios.live, live);
  for (const [folio, extra] of mm.extraMappers) {
    if (extra < 1 || mapped[folio] === 0) broken.push(`folio ${folio} counts ${extra} more mappers and is mapped ${mapped[folio]} times`);
  }
  expect('swap cache pages', mm.swapCachePages, cached);
  expect('swap cache index', mm.swapCache.size, cached);
  expect('anonymous pages', mm.anonPages, anon);
  expect('slots held by the swap cache alone', mm.cacheOnlySlots, cacheOnly);
  return pagesOf;
}

function checkSlots(mm: Mm, entries: EntrySet, broken: string[], expect: Expect): void {
  const swapOf = new Float64Array(mm.memcgs.length);
  const bytesOf = new Float64Array(mm.memcgs.length);
  let stored = 0;
  let storedBytes = 0;
  // Kernels up to 6.12 keep slots in a cache of each CPU: in use by the counts, and held by nobody.
  const cached = mm.swap.cachedSlots;
  let loose = 0;
  for (const device of mm.swap.devices()) {
    const table = mm.slots[device.type];
    let used = 0;
    let onDevice = 0;
    table?.forEach((offset, info) => {
      const entry = entryOf(device.type, offset);
      used++;
      swapOf[memcgOf(info)]++;
      if (!mm.swap.isUsed(entry)) broken.push(`slot ${offset} of ${device.name} holds something and is free`);
      if (kindOf(info) === SLOT.device) onDevice++;
      if (kindOf(info) === SLOT.zswap) {
        stored++;
        storedBytes += lengthOf(info);
        bytesOf[memcgOf(info)] += lengthOf(info);
      }
      if (table.users(offset) !== entries.users(entry)) {
        broken.push(`slot ${offset} of ${device.name}: counts ${table.users(offset)} users, page tables name it ${entries.users(entry)} times`);
      }
      if (!entries.has(entry) && !mm.swapCache.has(entry)) broken.push(`slot ${offset} of ${device.name} belongs to nobody`);
    });
    if (cached === 0) expect(`slots in use on ${device.name}`, device.inUse, used);
    else if (used > device.inUse) broken.push(`${used} slots of ${device.name} hold something, ${device.inUse} are in use`);
    loose += device.inUse - used;
    const zram = mm.zrams.find((candidate) => `/dev/${candidate.name}` === device.name);
    if (zram !== undefined) expect(`pages on ${device.name}`, zram.origPages, onDevice);
  }
  for (const [entry, { info }] of mm.zswap.stale) {
    const name = mm.swap.devices().find((device) => device.type === typeOf(entry))?.name ?? 'no device';
    const slot = (mm.slots[typeOf(entry)]?.info(offsetOf(entry)) ?? 0) === 0 ? 'the slot is free' : 'the slot has another page by now';
    broken.push(`slot ${offsetOf(entry)} of ${name}: stale zswap entry of ${lengthOf(info)} bytes, ${slot}`);
    stored++;
    storedBytes += lengthOf(info);
    bytesOf[memcgOf(info)] += lengthOf(info);
  }
  expect("slots in the CPUs' slot caches", cached, loose);
  expect('pages in zswap', mm.zswap.storedPages, stored);
  expect('bytes in zswap', mm.zswap.storedBytes, storedBytes);
  for (const memcg of mm.memcgs) {
    if (memcg === undefined) continue;
    let swap = 0;
    memcg.walk((at) => {
      swap += swapOf[at.id];
    });
    expect(`swap charged to ${memcg.path}`, memcg.swapCurrentPages, swap);
    expect(`zswap bytes of ${memcg.path}`, memcg.stat[STAT.zswap], bytesOf[memcg.id]);
  }
}

function checkMemcgs(mm: Mm, folioPages: readonly number[], expect: Expect): void {
  for (const memcg of mm.memcgs) {
    if (memcg === undefined) continue;
    let pages = 0;
    memcg.walk((at) => {
      pages += folioPages[at.id] + at.kmemPages + sum(at.stock);
    });
    expect(`pages charged to ${memcg.path}`, memcg.currentPages, pages);
    const tables = ownTables(mm, memcg);
    expect(`kernel bytes of ${memcg.path}`, memcg.kmemPages * 4096, tables * 4096 + memcg.stat[STAT.zswap] + sum(memcg.objectStock));
  }
}

const sum = (values: Int32Array): number => values.reduce((total, value) => total + value, 0);

function ownTables(mm: Mm, memcg: Memcg): number {
  let pages = 0;
  for (const task of mm.tasks) if (task?.tableMemcg === memcg) pages += task.tablePages + task.slabPages;
  return pages;
}

/** Names checked against MEMCG_STAT at load, so that a renamed counter cannot go unnoticed. */
if (Object.values(STAT).some((at) => at < 0 || at >= MEMCG_STAT.length)) throw new Error('a counter of STAT is not in MEMCG_STAT');
