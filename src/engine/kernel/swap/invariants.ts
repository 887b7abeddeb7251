/**
 * Walks the whole swap layer and says in sentences what is broken: counts against bitmap, list membership, flags, orders,
 * CPUs' pointers, sums, the available lists, and the mapping of xswap devices.
 */
import { COUNT, HEADS, HEAD_DISCARD, NEXT, PREV, RECORD_WORDS, STATE, indexOf, recordOf, type Clusters } from './clusters';
import type { SwapDevice } from './device';
import type { DeviceSelection } from './device-list';
import type { SlotAllocator } from './allocator-percpu-cluster';
import type { SlotCache } from './slot-cache';
import { CLUSTER_SLOTS, LIST, ORDERS, offsetOf, typeOf } from './types';
import { checkMapping } from './xswap';

/** What the checker looks at. */
export interface SwapState {
  readonly table: readonly (SwapDevice | undefined)[];
  readonly active: readonly SwapDevice[];
  readonly selection: DeviceSelection;
  readonly allocator: SlotAllocator;
  readonly total: number;
  readonly nrFree: number;
  readonly totalPages: number;
  readonly freePages: number;
  readonly slotCache: SlotCache | undefined;
}

export function checkSwap(state: SwapState): string[] {
  const broken: string[] = [];
  const say = (sentence: string): void => {
    broken.push(sentence);
  };
  let total = 0;
  let free = 0;
  let type = -1;
  for (const device of state.table) {
    type++;
    if (device === undefined) continue;
    if (device.type !== type) say(`the device at type ${type} calls itself type ${device.type}`);
    checkDevice(device, say);
    if (device.isXswap) checkMapping(device).forEach(say);
    if (device.writable) {
      total += device.pages;
      free += device.pages;
    }
    free -= device.inUse;
    checkAvailability(device, state, say);
  }
  if (total !== state.total) say(`total swap pages are ${state.total}, the devices have ${total}`);
  if (free !== state.nrFree) say(`free swap pages are ${state.nrFree}, the devices have ${free}`);
  if (state.freePages < 0) say(`SwapFree is negative: ${state.freePages} pages`);
  if (state.freePages > state.totalPages) say(`SwapFree ${state.freePages} is above SwapTotal ${state.totalPages}`);
  checkOrder(state, say);
  state.selection.check(state.table).forEach(say);
  checkPointers(state, say);
  checkSlotCache(state, say);
  return broken;
}

const NAME_OF_LIST = ['no', 'free', 'nonfull', 'frag', 'full', 'discard', 'parked'];

type Say = (sentence: string) => void;

function checkDevice(device: SwapDevice, say: Say): void {
  const { store } = device;
  const lists = walkLists(device, say);
  let used = 0;
  let free = 0;
  for (let index = 0; index < store.count; index++) {
    const record = recordOf(index);
    const count = store.records[record + COUNT];
    const list = store.records[record + STATE] >>> 8;
    const order = store.records[record + STATE] & 0xff;
    const bits = usedBits(store, index);
    const where = `${device.name} cluster ${index}`;
    used += bits;
    if (bits !== count) say(`${where}: count is ${count}, ${bits} slots are marked used`);
    if (order >= ORDERS) say(`${where}: order ${order}`);
    const listed = lists[index];
    if (list === LIST.free && listed > 0) free++;
    if (!device.hasClusters) {
      if (list !== LIST.none || listed > 0) say(`${where} is on a list of a device without clusters`);
      continue;
    }
    if (listed > 1) say(`${where} is on ${listed} lists`);
    else if (list === LIST.none) {
      if (device.hasUsedLists || count === 0) say(`${where} is on no list`);
    }
    else if (list === LIST.parked) {
      if (!device.isXswap || index < device.ceiling) say(`${where} is parked below the ceiling`);
      if (listed !== 0) say(`${where} is parked and on a list`);
    } else if (listed === 0) say(`${where} is marked as on the ${NAME_OF_LIST[list]} list and is on no list`);
    if (count === 0 && list !== LIST.free && list !== LIST.discard && list !== LIST.parked) say(`${where} is empty and not free`);
    if (count > 0 && (list === LIST.free || list === LIST.discard)) say(`${where} has ${count} slots in use and is on the free or discard list`);
    if (list === LIST.free && order !== 0) say(`${where} is free and has order ${order}`);
    if (list === LIST.full && count !== CLUSTER_SLOTS) say(`${where} has ${count} slots in use and is on the full list`);
    if (list === LIST.frag && count === CLUSTER_SLOTS) say(`${where} is full and on a frag list`);
    // Slots that can never be used may fill a cluster from the start; a scan without lists leaves a cluster that it fills where it stands.
    if (device.hasUsedLists && list === LIST.nonfull && count === CLUSTER_SLOTS && !isUnusable(device, index)) say(`${where} is full and on a nonfull list`);
  }
  checkEdges(device, say);
  if (device.discardPending !== (store.first(HEAD_DISCARD) >= 0)) {
    say(`${device.name}: clusters ${device.discardPending ? 'are' : 'are not'} said to wait for discard, and ${device.discardPending ? 'none does' : 'some do'}`);
  }
  if (free !== store.free) say(`${device.name}: ${store.free} clusters are counted as free, ${free} are on the free list`);
  const end = store.count * CLUSTER_SLOTS;
  const unusable = 1 + device.badSlots.length + Math.max(0, end - device.maxSlots);
  if (used - unusable !== device.inUse) say(`${device.name}: ${device.inUse} pages in use, ${used - unusable} slots are marked used`);
  if (device.inUse < 0 || device.inUse > device.pages) say(`${device.name}: ${device.inUse} of ${device.pages} pages in use`);
  if (end > 0 && !store.isUsed(0)) say(`${device.name}: the header slot is free`);
  for (const slot of device.badSlots) if (!store.isUsed(slot)) say(`${device.name}: bad slot ${slot} is free`);
}

function isUnusable(device: SwapDevice, index: number): boolean {
  let unusable = index === 0 ? 1 : 0;
  for (const slot of device.badSlots) if (slot >>> 9 === index) unusable++;
  return unusable + Math.max(0, (index + 1) * CLUSTER_SLOTS - device.maxSlots) === CLUSTER_SLOTS;
}

/** What old kernels and rotational devices remember of a device as a whole. */
function checkEdges(device: SwapDevice, say: Say): void {
  const { lowestSlot, highestSlot, store } = device;
  if (!device.hasUsedLists && device.inUse < device.pages) {
    const end = Math.min(device.maxSlots, store.count * CLUSTER_SLOTS);
    for (let slot = 0; slot < lowestSlot; slot++) {
      if (store.isUsed(slot)) continue;
      say(`${device.name}: slot ${slot} is free, and ${lowestSlot} is said to be the lowest that may be`);
      break;
    }
    for (let slot = highestSlot + 1; slot < end; slot++) {
      if (store.isUsed(slot)) continue;
      say(`${device.name}: slot ${slot} is free, and ${highestSlot} is said to be the highest that may be`);
      break;
    }
  }
  for (let order = 0; order < ORDERS; order++) {
    const next = device.globalNext[order];
    if (next !== 0 && (!device.rotational || next >= device.maxSlots || next % (1 << order) !== 0)) {
      say(`${device.name}: the pointer for order ${order} that all CPUs share is at slot ${next}`);
    }
  }
}

/** How often each cluster stands on a list; says what is wrong with links, flags and orders on the way. */
function walkLists(device: SwapDevice, say: Say): Uint8Array {
  const { store } = device;
  const { records } = store;
  const seen = new Uint8Array(store.count);
  for (let head = 0; head < HEADS * RECORD_WORDS; head += RECORD_WORDS) {
    let before = head;
    let steps = 0;
    for (let record = records[head + NEXT]; record !== head; record = records[record + NEXT]) {
      const index = indexOf(record);
      if (index < 0 || index >= store.count || steps++ > store.count) {
        say(`${device.name}: the ${nameOfHead(head)} list leads nowhere or in a circle`);
        break;
      }
      if (records[record + PREV] !== before) say(`${device.name} cluster ${index}: its link back on the ${nameOfHead(head)} list is wrong`);
      if (seen[index] < 255) seen[index]++;
      const state = records[record + STATE];
      if (state >>> 8 !== listOfHead(head)) say(`${device.name} cluster ${index} stands on the ${nameOfHead(head)} list and is marked for another`);
      const order = orderOfHead(head);
      if (order >= 0 && (state & 0xff) !== order) say(`${device.name} cluster ${index} of order ${state & 0xff} is on the ${nameOfHead(head)} list`);
      before = record;
    }
  }
  return seen;
}

function listOfHead(head: number): number {
  const at = head / RECORD_WORDS;
  if (at < 3) return [LIST.free, LIST.full, LIST.discard][at];
  return at < 3 + ORDERS ? LIST.nonfull : LIST.frag;
}

function orderOfHead(head: number): number {
  const at = head / RECORD_WORDS;
  return at < 3 ? -1 : (at - 3) % ORDERS;
}

function nameOfHead(head: number): string {
  const at = head / RECORD_WORDS;
  if (at < 3) return ['free', 'full', 'discard'][at];
  return `${at < 3 + ORDERS ? 'nonfull' : 'frag'}[${orderOfHead(head)}]`;
}

function usedBits(store: Clusters, index: number): number {
  let bits = 0;
  for (let word = index * 16; word < index * 16 + 16; word++) {
    for (let rest = store.map[word]; rest !== 0; rest &= rest - 1) bits++;
  }
  return bits;
}

function checkAvailability(device: SwapDevice, state: SwapState, say: Say): void {
  const should = device.writable && device.inUse < device.pages;
  for (const list of state.selection.lists) {
    const times = list.filter((other) => other === device).length;
    if (times > 1) say(`${device.name} is ${times} times on the list of available devices`);
    if (should && times === 0) say(`${device.name} has free pages and is not on the list of available devices`);
    if (!should && times > 0) say(`${device.name} is full or going, and on the list of available devices`);
  }
  if (should === device.offList) say(`${device.name}: its mark of being off the list is wrong`);
  if (device.writable !== state.active.includes(device)) say(`${device.name}: its place on the active list is wrong`);
}

function checkOrder(state: SwapState, say: Say): void {
  for (const list of state.selection.lists) {
    for (const device of list) if (state.table[device.type] !== device) say(`${device.name} is on the list of available devices and gone`);
  }
  for (let i = 1; i < state.active.length; i++) {
    if (state.active[i - 1].priority < state.active[i].priority) say(`${state.active[i].name} stands behind a lower priority`);
  }
}

/** What lies in the slot caches is in use on a device that is on, and lies there once. */
function checkSlotCache(state: SwapState, say: Say): void {
  state.slotCache?.check().forEach(say);
  const seen = new Set<number>();
  state.slotCache?.forEach((entry) => {
    const device = state.table[typeOf(entry)];
    const which = `slot ${offsetOf(entry)} of type ${typeOf(entry)} in a slot cache`;
    if (device === undefined || !device.writable) say(`${which} belongs to a device that is gone`);
    else if (!device.store.isUsed(offsetOf(entry))) say(`${which} is free`);
    if (seen.has(entry)) say(`${which} lies there twice`);
    seen.add(entry);
  });
}

function checkPointers(state: SwapState, say: Say): void {
  const { pointers } = state.allocator;
  const shared = new Set<number>();
  for (let i = 0; i < pointers.length; i++) {
    const offset = offsetOf(pointers[i]);
    if (offset === 0) continue;
    const order = i % ORDERS;
    const device = state.table[typeOf(pointers[i])];
    const who = `pointer ${Math.floor(i / ORDERS)} for order ${order}`;
    if (device === undefined || !device.writable) say(`${who} leads to a device that is gone`);
    else if (offset >= device.store.count * CLUSTER_SLOTS || offset >= device.maxSlots) say(`${who} leads past the end of ${device.name}`);
    else if (offset % (1 << order) !== 0) say(`${who} leads to slot ${offset}, which is not aligned`);
    else if (device.rotational && (device.globalNext[order] !== 0 || shared.has(device.type * ORDERS + order))) {
      say(`${who} leads to the rotational device ${device.name}, on which all CPUs share one`);
    } else if (device.rotational) shared.add(device.type * ORDERS + order);
  }
}
