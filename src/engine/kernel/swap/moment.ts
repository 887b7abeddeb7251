/** What the swap layer tells of one request or free that was looked at: who asked, what was tried in words, the lists around it. */

/** The front of one list of a device. */
export interface ListFront {
  /** free, full, discard, nonfull[0…9], frag[0…9]; `available`: see DeviceLists. */
  readonly name: string;
  /** Cluster numbers from the head on, at most FRONT_CLUSTERS. */
  readonly clusters: readonly number[];
  /** There are more behind them. */
  readonly more: boolean;
}

/** The lists of one device that hold anything. */
export interface DeviceLists {
  readonly type: number;
  readonly name: string;
  readonly inUse: number;
  readonly lists: readonly ListFront[];
}

/** One request for slots, or one free. */
export interface SwapMoment {
  /** fallback: a large folio that got no slots and is split. */
  readonly kind: 'allocation' | 'fallback' | 'free';
  /** Simulated ns at which the operation began that did it. */
  readonly at: number;
  readonly cpu: number;
  readonly order: number;
  /** Swap type, first slot and cluster; -1 where nothing was found. */
  readonly type: number;
  readonly offset: number;
  readonly cluster: number;
  /** Slots taken or freed. */
  readonly slots: number;
  /** Name and priority of the device; '' and 0 where nothing was found. */
  readonly device: string;
  readonly priority: number;
  /** The decisions, in the order in which they were taken. */
  readonly decisions: readonly string[];
  readonly before: readonly DeviceLists[];
  readonly after: readonly DeviceLists[];
}

/** Which moment is looked for. Absent fields match everything; `any` is a request or a free. */
export interface SwapGoal {
  readonly kind: 'allocation' | 'free' | 'fallback' | 'any';
  readonly order?: number;
  /** Swap type. */
  readonly type?: number;
  readonly cluster?: number;
  readonly priority?: number;
}

export function fits(goal: SwapGoal, moment: Pick<SwapMoment, 'kind' | 'order' | 'type' | 'cluster' | 'priority'>): boolean {
  if (goal.kind === 'free' ? moment.kind !== 'free' : goal.kind === 'fallback' ? moment.kind !== 'fallback' : false) return false;
  if (goal.kind === 'allocation' && moment.kind === 'free') return false;
  return (goal.order === undefined || goal.order === moment.order)
    && (goal.type === undefined || goal.type === moment.type)
    && (goal.cluster === undefined || goal.cluster === moment.cluster)
    && (goal.priority === undefined || (moment.type >= 0 && goal.priority === moment.priority));
}
