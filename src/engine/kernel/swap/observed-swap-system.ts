/**
 * The swap layer with somebody looking on: single requests and frees with the decisions behind them, and the hash chain of all
 * requests. It decides nothing; while nobody looks it is the plain swap layer.
 */
import { AllocationChain } from './allocation-chain';
import { HEAD_DISCARD, HEAD_FULL, NEXT, STATE, indexOf, recordOf } from './clusters';
import { DecisionTrace, type Decision } from './decisions';
import type { SwapDevice } from './device';
import { inWords } from './explain-words';
import { ListSnapshot } from './list-fronts';
import type { SwapMoment } from './moment';
import { SwapSystem } from './swap-system';
import { traceParts } from './traced-parts';
import { noteList } from './traced-slot-cache';
import { CLUSTER_SLOTS, NO_ENTRY, ORDERS, offsetOf, typeOf, type Entry } from './types';

/** A moment as far as it is known without work. */
export type MomentFacts = Omit<SwapMoment, 'decisions' | 'before' | 'after' | 'at'>;

/** Who looks on. */
export interface SwapWatcher {
  /** Simulated ns of the operation under way. */
  now(): number;
  /** Is this one to be told in full? `request`: its number among all requests of the chain, -1 for a free or without a chain. */
  wants(facts: MomentFacts, request: number): boolean;
  /** `decisions`: those of the moment, as they were noted. */
  tell(moment: SwapMoment, request: number, decisions: readonly Decision[]): void;
}

const NOTHING_FOUND = { type: -1, offset: -1, cluster: -1, device: '', priority: 0 } as const;

export class ObservedSwapSystem extends SwapSystem {
  private chain: AllocationChain | undefined;
  private watcher: SwapWatcher | undefined;
  /** Puts the parts back as they are when nobody looks. */
  private endTrace: (() => void) | undefined;
  private readonly trace = new DecisionTrace(this.table);
  private readonly before = new ListSnapshot();
  private readonly after = new ListSnapshot();
  /** A moment is under way; what happens inside belongs to it. */
  private inside = false;

  /** Keeps the hash chain from now on. */
  startChain(): AllocationChain {
    return (this.chain ??= new AllocationChain());
  }

  watch(watcher: SwapWatcher | undefined): void {
    this.watcher = watcher;
    if (watcher !== undefined) {
      this.endTrace ??= traceParts(this, this.trace);
    } else {
      this.endTrace?.();
      this.endTrace = undefined;
    }
  }

  override alloc(cpu: number, order: number): Entry {
    const entry = this.watcher === undefined || this.inside ? super.alloc(cpu, order) : this.watchedAlloc(cpu, order, this.watcher);
    this.chain?.add(cpu, order, entry);
    return entry;
  }

  override free(entry: Entry, count: number, cpu = 0): void {
    if (this.watcher === undefined || this.inside) super.free(entry, count, cpu);
    else this.watchedFree(entry, count, cpu, this.watcher, () => super.free(entry, count, cpu));
  }

  override freeFolio(entry: Entry, count: number, cpu = 0): void {
    if (this.watcher === undefined || this.inside) super.freeFolio(entry, count, cpu);
    else this.watchedFree(entry, count, cpu, this.watcher, () => super.freeFolio(entry, count, cpu));
  }

  override freeReclaimed(entry: Entry, count: number, cpu = 0): void {
    if (this.watcher === undefined || this.inside) super.freeReclaimed(entry, count, cpu);
    else this.watchedFree(entry, count, cpu, this.watcher, () => super.freeReclaimed(entry, count, cpu));
  }

  private watchedAlloc(cpu: number, order: number, watcher: SwapWatcher): Entry {
    this.begin();
    const entry = super.alloc(cpu, order);
    this.inside = false;
    if (entry === NO_ENTRY) this.trace.note(this.whyNothing(cpu, order));
    const kind = entry === NO_ENTRY && order > 0 ? 'fallback' : 'allocation';
    this.tell({ kind, cpu, order, slots: entry === NO_ENTRY ? 0 : 1 << order, ...this.placeOf(entry) }, this.chain?.count ?? -1, watcher);
    return entry;
  }

  private whyNothing(cpu: number, order: number): Decision {
    if (this.policies.largeFolios === 'pmd' && order > 0 && order < ORDERS - 1) return { did: 'order refused', order };
    const asked = new Set(this.trace.rows.flatMap((row) => (row.did === 'device' ? [row.type] : [])));
    const unasked = this.availableFor(cpu).filter((device) => !asked.has(device.type)).length;
    const stopped = this.policies.largeRetry === 'first-device' ? 'first device' : 'lower priority';
    return { did: 'nothing', order, asked: asked.size, unasked, why: order > 0 && unasked > 0 ? stopped : 'searched' };
  }

  private watchedFree(entry: Entry, count: number, cpu: number, watcher: SwapWatcher, free: () => void): void {
    const place = this.placeOf(entry);
    const device = this.table[place.type];
    const states = device === undefined ? [] : statesOf(device, place.offset, count);
    const wasFull = device?.offList === true;
    this.begin();
    free();
    this.inside = false;
    if (device !== undefined) {
      const { trace } = this;
      // What goes through a slot cache is not freed yet, and what it gives back it tells itself.
      const direct = !trace.rows.some((row) => row.did === 'waits');
      if (direct && !device.hasClusters) trace.note({ did: 'freed', type: device.type, offset: place.offset, count });
      else if (direct) {
        states.forEach((was, i) => {
          noteList(trace, device, recordOf(place.cluster + i), was, true);
        });
      }
      if (wasFull && !device.offList) trace.note({ did: 'has room', type: device.type });
    }
    this.tell({ kind: 'free', cpu, order: 31 - Math.clz32(count), slots: count, ...place }, -1, watcher);
  }

  private begin(): void {
    this.trace.clear();
    this.before.take(this.table);
    this.inside = true;
  }

  private tell(facts: MomentFacts, request: number, watcher: SwapWatcher): void {
    if (!watcher.wants(facts, request)) return;
    this.after.take(this.table);
    const name = (type: number): string => this.table[type]?.name ?? `type ${type}`;
    const { rows } = this.trace;
    watcher.tell({
      ...facts, at: watcher.now(), decisions: rows.map((row) => inWords(row, name)),
      before: this.before.lists(), after: this.after.lists(),
    }, request, rows);
  }

  private placeOf(entry: Entry): Pick<SwapMoment, 'type' | 'offset' | 'cluster' | 'device' | 'priority'> {
    const device = this.table[typeOf(entry)];
    if (entry === NO_ENTRY || device === undefined) return NOTHING_FOUND;
    const offset = offsetOf(entry);
    return { type: device.type, offset, cluster: Math.floor(offset / CLUSTER_SLOTS), device: device.name, priority: device.priority };
  }

  // ---- what the allocator asks, told to the trace while a moment is under way ---------------------------------------

  override reclaimFullCluster(device: SwapDevice): void {
    const { inUse } = device;
    const record = device.store.first(HEAD_FULL);
    super.reclaimFullCluster(device);
    if (!this.inside || record < 0 || !this.policies.fullClusterReclaim) return;
    this.trace.note({ did: 'reclaimed full', type: device.type, cluster: indexOf(record), slots: inUse - device.inUse });
  }

  override discardForAllocation(device: SwapDevice): boolean {
    const waiting = this.inside ? waitingClusters(device) : 0;
    if (waiting === 0) return super.discardForAllocation(device);
    const done = super.discardForAllocation(device);
    const left = waitingClusters(device);
    this.trace.note({ did: 'discarded', type: device.type, clusters: waiting - left, left: left > 0 });
    return done;
  }

  override growXswap(device: SwapDevice): boolean {
    const from = device.clusters;
    const grown = super.growXswap(device);
    if (this.inside) this.trace.note({ did: 'grown', type: device.type, from, to: device.clusters, ceiling: device.ceiling });
    return grown;
  }

  override reclaimCacheOnly(device: SwapDevice, offset: number): boolean {
    const { inUse } = device;
    const dropped = super.reclaimCacheOnly(device, offset);
    if (this.inside && dropped) this.trace.note({ did: 'dropped cached', type: device.type, offset, slots: inUse - device.inUse });
    return dropped;
  }
}

/** The states of the clusters in which `count` slots from `offset` on lie. */
function statesOf(device: SwapDevice, offset: number, count: number): number[] {
  const states: number[] = [];
  const last = Math.floor((offset + count - 1) / CLUSTER_SLOTS);
  for (let index = Math.floor(offset / CLUSTER_SLOTS); index <= last; index++) states.push(device.store.records[recordOf(index) + STATE]);
  return states;
}

function waitingClusters(device: SwapDevice): number {
  const { records } = device.store;
  let waiting = 0;
  for (let record = records[HEAD_DISCARD + NEXT]; record !== HEAD_DISCARD; record = records[record + NEXT]) waiting++;
  return waiting;
}
