/**
 * One allocation in words. The allocators carry no code for it: while a request is explained, their steps are wrapped on the one
 * object, and unwrapped afterwards, so that it costs nothing otherwise.
 */
import { COUNT, HEADS, NEXT, RECORD_WORDS, STATE, indexOf, recordOfSlot, type Clusters } from './clusters';
import type { SwapDevice } from './device';
import { isUsable } from './scan-reclaim';
import type { SwapSystem } from './swap-system';
import { CLUSTER_SLOTS, LIST, ORDERS, offsetOf, typeOf } from './types';

export type Say = (sentence: string) => void;

/** An allocator that can be watched. Returns what ends the watching. */
export interface Observable {
  observe(say: Say): () => void;
}

/** One list of a device: its clusters from the head, at most the first few. */
export interface ListText {
  readonly device: string;
  readonly list: string;
  /** `17 (order 4, 300 used)` */
  readonly clusters: readonly string[];
  readonly length: number;
}

export interface Explanation {
  readonly decisions: readonly string[];
  readonly before: readonly ListText[];
  readonly after: readonly ListText[];
}

const SHOWN = 8;
const LIST_NAMES = ['none', 'free', 'nonfull', 'frag', 'full', 'discard', 'parked'];

/** Watches what `act` does to the swap layer. */
export function explain(swap: SwapSystem, act: () => void): Explanation {
  const decisions: string[] = [];
  const before = listsOf(swap);
  const end = observable(swap)?.observe((sentence) => decisions.push(sentence));
  try {
    act();
  } finally {
    end?.();
  }
  if (decisions.length === 0 && swap.slotCache !== undefined) decisions.push('the slot cache of the CPU had a slot: no device was asked');
  return { decisions, before, after: listsOf(swap) };
}

function observable(swap: SwapSystem): Observable | undefined {
  return 'observe' in swap.allocator ? (swap.allocator as unknown as Observable) : undefined;
}

/** All lists that are not empty, and clusters on no list (a CPU's current ones on kernels whose used clusters stand on none). */
export function listsOf(swap: SwapSystem): ListText[] {
  const texts: ListText[] = [];
  for (const device of swap.table) {
    if (device === undefined || !device.hasClusters) continue;
    const { store } = device;
    for (let head = 0; head < HEADS * RECORD_WORDS; head += RECORD_WORDS) {
      const clusters: string[] = [];
      let length = 0;
      for (let record = store.records[head + NEXT]; record !== head; record = store.records[record + NEXT]) {
        if (length++ < SHOWN) clusters.push(`${indexOf(record)} (order ${store.records[record + STATE] & 0xff}, ${store.records[record + COUNT]} used)`);
      }
      if (length > 0) texts.push({ device: device.name, list: nameOfHead(head), clusters, length });
    }
  }
  return texts;
}

export function nameOfHead(head: number): string {
  const at = head / RECORD_WORDS;
  if (at < 3) return ['free', 'full', 'discard'][at];
  return `${at < 3 + ORDERS ? 'nonfull' : 'frag'}[${(at - 3) % ORDERS}]`;
}

/** A cluster before it is scanned, and what came of it. */
export function scanText(store: Clusters, record: number, offset: number, order: number): (found: number) => string {
  const used = store.records[record + COUNT];
  const start = offset % CLUSTER_SLOTS === 0 ? '' : ` from slot ${offset} on`;
  const cluster = `cluster ${indexOf(record)} (${used} of ${CLUSTER_SLOTS} used)`;
  const wanted = order === 0 ? 'free slot' : `free aligned run of ${1 << order} slots`;
  return (found) => (found === 0 ? `${cluster} has no ${wanted}${start}` : `${cluster} has a ${wanted}${start}: took ${found}${goes(store, record)}`);
}

function goes(store: Clusters, record: number): string {
  const state = store.records[record + STATE];
  const name = LIST_NAMES[state >>> 8];
  return name === 'none' ? '' : `; the cluster is on ${name === 'nonfull' || name === 'frag' ? `${name}[${state & 0xff}]` : name} now`;
}

/** What a CPU's pointer is good for. */
export function pointerText(device: SwapDevice | undefined, pointer: number, order: number, strict: boolean): string {
  if (offsetOf(pointer) === 0) return `no cluster is remembered for order ${order}`;
  if (device === undefined || !device.writable) return `the remembered device of type ${typeOf(pointer)} is off`;
  const record = recordOfSlot(offsetOf(pointer));
  const where = `the pointer for order ${order} is at slot ${offsetOf(pointer)} of ${device.name}`;
  if (!strict || isUsable(device.store, record, order)) return where;
  const list = device.store.records[record + STATE] >>> 8;
  const why = list === LIST.free || list === LIST.full || list === LIST.discard
    ? `is on the ${LIST_NAMES[list]} list`
    : `holds order ${device.store.records[record + STATE] & 0xff}`;
  return `${where}, and passed over: its cluster ${why}`;
}

export const deviceText = (device: SwapDevice): string =>
  `${device.name} (priority ${device.priority}, ${device.inUse} of ${device.pages} pages used)`;
