/**
 * The swap layer with somebody looking on: single requests and frees with the decisions behind them, and the hash chain of all
 * requests. It decides nothing; while nobody looks it is the plain swap layer.
 */
import { AllocationChain } from './allocation-chain';
import type { SlotAllocator } from './allocator-percpu-cluster';
import { COUNT, STATE, recordOfSlot } from './clusters';
import { DECISION, DecisionTrace } from './decisions';
import type { SwapDevice } from './device';
import { inWords } from './explain-words';
import { ListSnapshot } from './list-fronts';
import type { SwapMoment } from './moment';
import { SwapSystem } from './swap-system';
import { endTrace, traced } from './traced-allocators';
import { CLUSTER_SLOTS, NO_ENTRY, ORDERS, offsetOf, typeOf, type Entry } from './types';

/** A moment as far as it is known without work. */
export type MomentFacts = Omit<SwapMoment, 'decisions' | 'before' | 'after' | 'at'>;

/** Who looks on. */
export interface SwapWatcher {
  /** Simulated ns of the operation under way. */
  now(): number;
  /** Is this one to be told in full? `request`: its number among all requests of the chain, -1 for a free or without a chain. */
  wants(facts: MomentFacts, request: number): boolean;
  tell(moment: SwapMoment, request: number): void;
}

const NOTHING_FOUND = { type: -1, offset: -1, cluster: -1, device: '', priority: 0 } as const;

export class ObservedSwapSystem extends SwapSystem {
  private chain: AllocationChain | undefined;
  private watcher: SwapWatcher | undefined;
  private plain: SlotAllocator | undefined;
  private readonly trace = new DecisionTrace();
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
    if (watcher !== undefined && this.plain === undefined) {
      this.plain = this.allocator;
      this.allocator = traced(this.plain, this.trace);
    } else if (watcher === undefined && this.plain !== undefined) {
      endTrace(this.plain, this.allocator);
      this.allocator = this.plain;
      this.plain = undefined;
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

  private watchedAlloc(cpu: number, order: number, watcher: SwapWatcher): Entry {
    const { trace } = this;
    this.begin();
    const entry = super.alloc(cpu, order);
    this.inside = false;
    if (entry === NO_ENTRY) {
      const refused = this.policies.largeFolios === 'pmd' && order > 0 && order < ORDERS - 1;
      trace.note(refused ? DECISION.orderRefused : DECISION.nothing, -1, -1, -1, order, 0);
    } else if (order === 0 && this.slotCache !== undefined && (trace.rows.length === 0 || trace.rows[0][0] === DECISION.refill)) {
      trace.note(DECISION.cached, -1, -1, -1, order, cpu);
    }
    const kind = entry === NO_ENTRY && order > 0 ? 'fallback' : 'allocation';
    this.tell({ kind, cpu, order, slots: entry === NO_ENTRY ? 0 : 1 << order, ...this.placeOf(entry) }, this.chain?.count ?? -1, watcher);
    return entry;
  }

  private watchedFree(entry: Entry, count: number, cpu: number, watcher: SwapWatcher, free: () => void): void {
    const place = this.placeOf(entry);
    const device = this.table[place.type];
    const record = recordOfSlot(place.offset);
    const state = device?.store.records[record + STATE] ?? 0;
    this.begin();
    free();
    this.inside = false;
    if (this.isUsed(entry)) this.trace.note(DECISION.waits, -1, -1, -1, 0, cpu);
    if (device !== undefined) {
      const now = device.store.records[record + STATE];
      const { trace } = this;
      if (now >>> 8 !== state >>> 8) trace.note(DECISION.moved, device.type, place.cluster, now >>> 8, state & 0xff, state >>> 8);
      else trace.note(DECISION.stays, device.type, place.cluster, now >>> 8, now & 0xff, device.store.records[record + COUNT]);
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
    watcher.tell({
      ...facts, at: watcher.now(), decisions: this.trace.rows.map((row) => inWords(row, name)),
      before: this.before.lists(), after: this.after.lists(),
    }, request);
  }

  private placeOf(entry: Entry): Pick<SwapMoment, 'type' | 'offset' | 'cluster' | 'device' | 'priority'> {
    const device = this.table[typeOf(entry)];
    if (entry === NO_ENTRY || device === undefined) return NOTHING_FOUND;
    const offset = offsetOf(entry);
    return { type: device.type, offset, cluster: Math.floor(offset / CLUSTER_SLOTS), device: device.name, priority: device.priority };
  }

  // ---- what the allocator and the slot cache ask, told to the trace while a moment is under way --------------------

  override reclaimFullCluster(device: SwapDevice): void {
    const { inUse } = device;
    super.reclaimFullCluster(device);
    if (this.inside && device.inUse < inUse) this.trace.note(DECISION.reclaimedFull, device.type, -1, -1, 0, inUse - device.inUse);
  }

  override discardForAllocation(device: SwapDevice): boolean {
    const done = super.discardForAllocation(device);
    if (this.inside) this.trace.note(DECISION.discarded, device.type, -1, -1, 0, done ? 1 : 0);
    return done;
  }

  override growXswap(device: SwapDevice): boolean {
    const grown = super.growXswap(device);
    if (this.inside) this.trace.note(DECISION.grown, device.type, -1, -1, 0, grown ? 1 : 0);
    return grown;
  }

  override reclaimCacheOnly(device: SwapDevice, offset: number): boolean {
    const { inUse } = device;
    const dropped = super.reclaimCacheOnly(device, offset);
    if (this.inside && device.inUse < inUse) this.trace.note(DECISION.droppedCached, device.type, -1, -1, 0, inUse - device.inUse);
    return dropped;
  }

  override takeSlots(cpu: number, goal: number, out: Uint32Array, at: number): number {
    if (this.inside) this.trace.note(DECISION.refill, -1, -1, -1, 0, cpu);
    return super.takeSlots(cpu, goal, out, at);
  }
}
