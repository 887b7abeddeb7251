/** Decisions in words, one sentence a decision: the step view of the window and `swaplab replay --explain` say the same. */
import { FROM, type Decision, type DecisionOf } from './decisions';
import { listName } from './list-fronts';
import { CLUSTER_SLOTS, LIST } from './types';

/** The name of a swap type's device. */
type NameOf = (type: number) => string;
type Words = { readonly [Did in Decision['did']]: (decision: DecisionOf<Did>, name: NameOf) => string };

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
const run = (order: number): string => (order === 0 ? 'slot' : `aligned run of ${1 << order} slots`);

/** A cluster's list by its number in LIST: `nonfull[4]`. */
function listOf(list: number, order: number): string {
  if (list === LIST.nonfull) return `nonfull[${order}]`;
  if (list === LIST.frag) return `frag[${order}]`;
  if (list === LIST.none) return 'no list';
  return Object.entries(LIST).find(([, number]) => number === list)?.[0] ?? String(list);
}

/** Where a cluster stands by the STATE word of its record, as the end of a sentence. */
function standsOn(state: number): string {
  const list = state >>> 8;
  if (list === LIST.none) return 'stands on no list';
  if (list === LIST.parked) return 'stands on no list, above the limit of the device';
  return `is on ${listOf(list, state & 0xff)} now`;
}

/** `per-CPU cluster 3 of order 4 on /dev/zram0`; `cluster 3 of /dev/zram0, from frag[4],` */
function scanned(from: number, cluster: number, order: number, device: string): string {
  if (from === FROM.own) return `per-CPU cluster ${cluster} of order ${order} on ${device}`;
  if (from === FROM.shared) return `global cluster ${cluster} of order ${order} on ${device}`;
  return `cluster ${cluster} of ${device}${from >= 0 ? `, from ${listName(from)},` : ''}`;
}

const WORDS: Words = {
  'cache switched': ({ on, free, limit }) =>
    (on ? `the slot caches are switched on: ${plural(free, 'slot')} are free, more than ${limit}`
      : `the slot caches are switched off and emptied: ${plural(free, 'slot')} are free, fewer than ${limit}`),
  refill: ({ cpu, goal, got }) => `the slot cache of CPU ${cpu} is empty: it asks for ${goal} slots at once and gets ${got}`,
  cached: ({ cpu, type, offset, left }, name) =>
    `slot ${offset} of ${name(type)} comes out of the slot cache of CPU ${cpu}, which has ${left} left`,
  waits: ({ cpu, slots, waiting }) =>
    `${slots === 1 ? 'the slot waits' : `${slots} slots wait`} in the slot cache of CPU ${cpu}, with ${waiting} in all`,
  'given back': ({ count, sorted, type, offset }, name) =>
    `a slot cache gives back ${plural(count, 'slot')}${sorted ? ', sorted by swap type' : ''}, beginning with slot ${offset} of ${name(type)}`,

  'no pointer': ({ cpu, order, type }, name) => `${cpu < 0 ? 'the CPUs share' : `CPU ${cpu} remembers`} no cluster of order ${order}${type < 0 ? '' : ` on ${name(type)}`}`,
  'pointer unusable': ({ type, cluster, cpu, order, off, list, holds }, name) => {
    const cannot = list === LIST.nonfull || list === LIST.frag || list === LIST.none ? `holds order ${holds}`
      : list === LIST.parked ? 'lies above the limit of the device' : `is on ${listOf(list, holds)}`;
    const who = cpu < 0 ? 'the global cluster' : `CPU ${cpu}'s cluster`;
    return `${who} of order ${order}, ${cluster} of ${name(type)}, is passed over: it ${off ? 'lies on a device that is off' : cannot}`;
  },
  conflict: ({ type, cluster, cpu }, name) =>
    `cluster ${cluster} of ${name(type)} has become free and is not the head of free: CPU ${cpu} leaves it for the head`,

  requeued: ({ type, behind }, name) => `${name(type)} moves behind ${plural(behind, 'device')} of the same rank for the next request`,
  device: ({ type, priority, inUse, pages }, name) => `asked ${name(type)} (priority ${priority}, ${inUse} of ${pages} pages in use)`,
  'no large folios': ({ type, why }, name) => `${name(type)} takes no large folios: it ${why === 'file' ? 'is a file' : 'has no clusters'}`,
  full: ({ type }, name) => `${name(type)} is full now and is passed over until a slot of it is freed`,
  'has room': ({ type }, name) => `${name(type)} was full and can serve again`,

  reader: ({ type, cpu, priority, left }, name) =>
    `priority ${priority}: the reader of CPU ${cpu} stands at ${name(type)} with ${plural(left, 'slot')} of its quota left`,
  'ring of one': ({ type, priority }, name) => `priority ${priority}: ${name(type)} is alone and needs no reader`,
  masked: ({ type }, name) => `${name(type)} is masked, because it is full or going, and is skipped`,
  'ring full': ({ priority }) => `priority ${priority}: no device can serve`,
  'ring tried': ({ priority, peers }) =>
    `${peers === 1 ? 'the only device' : `all ${peers} devices`} of priority ${priority} with room ${peers === 1 ? 'was' : 'were'} tried: `
    + 'a large folio goes to no lower priority',
  'reader moved': ({ type, cpu, why, quota }, name) =>
    `the reader of CPU ${cpu} ${why === 'quota' ? 'has used its quota and goes on' : why === 'served' ? 'moves to the device that served' : 'goes on'}`
    + `: it stands at ${name(type)} with a new quota of ${plural(quota, 'slot')}`,
  'reader stays': ({ type, cpu }, name) =>
    `the reader of CPU ${cpu} stays at ${name(type)}: that device had no run for this folio, and may have slots for others`,

  'list empty': ({ type, list }, name) => `${listName(list)} of ${name(type)} is empty`,
  'no run': (decision, name) => {
    const { type, cluster, from, order, start, free, limit, to } = decision;
    const begins = start % CLUSTER_SLOTS === 0 ? '' : ` from slot ${start} on`;
    const subject = scanned(from, cluster, order, name(type));
    if (limit) return `${subject} is left: the device can take no ${run(order)} more`;
    if (to >>> 8 === LIST.discard) return `${subject} waits to be discarded`;
    return `${subject} has ${plural(free, 'free slot')} and no ${order === 0 ? 'free slot' : run(order)}${begins}: it ${standsOn(to)}`;
  },
  took: ({ type, cluster, from, order, offset, runs, last, to }, name) => {
    const size = 1 << order;
    const end = last + size - 1;
    const inRow = last - offset === (runs - 1) * size;
    const slots = end === offset ? `slot ${offset}` : inRow ? `slots ${offset} to ${end}` : `slot ${offset} and ${runs - 1} more up to ${end}`;
    if (cluster < 0) return `took ${slots} of ${name(type)}`;
    return `took ${slots} in ${scanned(from, cluster, order, name(type)).replace(/,$/, '')}; the cluster ${standsOn(to)}`;
  },
  steal: ({ type }, name) => `order 0 goes on to clusters of larger orders of ${name(type)}`,
  moved: ({ type, cluster, was, is, count }, name) =>
    `cluster ${cluster} of ${name(type)}, ${plural(count, 'slot')} in use, went from ${listOf(was >>> 8, was & 0xff)} to ${listOf(is >>> 8, is & 0xff)}`,
  stays: ({ type, cluster, is, count }, name) =>
    `cluster ${cluster} of ${name(type)}, ${plural(count, 'slot')} in use, `
    + (is >>> 8 === LIST.none || is >>> 8 === LIST.parked ? standsOn(is) : `stays on ${listOf(is >>> 8, is & 0xff)}`),
  freed: ({ type, offset, count }, name) =>
    `${count === 1 ? `slot ${offset} is` : `slots ${offset} to ${offset + count - 1} are`} free; ${name(type)} has no clusters`,

  scanned: ({ type, start, passed, wrapped, low, found }, name) =>
    `scanned ${name(type)} slot by slot from ${start} on${wrapped ? ` and again from ${low}, the lowest that may be free` : ''}: `
    + `passed ${plural(passed, 'slot')}, ${found === 0 ? 'none is free' : `slot ${found} is free`}`,
  'scanned ahead': ({ type, start, found }, name) =>
    `the batch goes on slot by slot on ${name(type)} from ${start} on: ${found > 0 ? `slot ${found} is free` : 'no slot within reach is free'}`,
  'ration spent': ({ type, got }, name) => `the batch ends with ${got}: as many slots of ${name(type)} were looked at as one batch may (256)`,
  stretch: ({ type, offset, left }, name) => `goes on at slot ${offset} of ${name(type)}, in a stretch with ${plural(left, 'slot')} left`,
  'new stretch': ({ type, offset, why }, name) => {
    if (why === 'few free') return `fewer than ${CLUSTER_SLOTS} slots of ${name(type)} are free: goes on at slot ${offset}`;
    const result = why === 'found' ? `they begin at slot ${offset}` : `there are none, so it begins at the lowest that may be free, ${offset}`;
    return `a new stretch on ${name(type)}: looked for ${CLUSTER_SLOTS} free slots in a row, ${result}`;
  },
  'next scan': ({ type, cpu, offset }, name) =>
    `the scan has left its stretch of 16384 slots: ${cpu < 0 ? 'the' : `CPU ${cpu}'s`} next one on ${name(type)} begins at slot ${offset}, drawn at random`,

  'reclaimed full': ({ type, cluster, slots }, name) =>
    `swap is more than half full: looked through full cluster ${cluster} of ${name(type)} for slots that only the swap cache holds, `
    + `${slots === 0 ? 'in vain' : `and freed ${slots}`}`,
  'dropped cached': ({ type, offset, slots }, name) =>
    `slot ${offset} of ${name(type)} was held by the swap cache alone: dropped, which freed ${plural(slots, 'slot')}`,
  discarded: ({ type, clusters, left }, name) =>
    `discarded ${plural(clusters, 'waiting cluster')} of ${name(type)}, which ${clusters === 1 ? 'is' : 'are'} free now`
    + (left ? '; others wait for the worker' : ''),
  grown: ({ type, from, to, ceiling }, name) =>
    (to > from ? `no free cluster: ${name(type)} mapped clusters ${from} to ${to - 1} of at most ${ceiling}`
      : `${name(type)} can map no more clusters: ${from} of at most ${ceiling} are mapped`),

  'order refused': ({ order }) => `this kernel swaps out folios of order 0 and 9 only: order ${order} is split`,
  nothing: ({ order, asked, unasked, why }) => {
    if (asked === 0) return unasked === 0 ? 'every device is full or going' : `fewer than ${1 << order} slots are free in all`;
    if (why === 'first device') return `a large folio asks one device only, and ${plural(unasked, 'other')} with room ${unasked === 1 ? 'is' : 'are'} not asked: it is split`;
    if (why === 'lower priority') return `${plural(unasked, 'device')} of lower priority ${unasked === 1 ? 'is' : 'are'} not asked for a large folio: it is split`;
    return order > 0 ? `no aligned run of ${1 << order} slots was found: the folio is split` : 'no free slot was found';
  },
};

/** A decision as one sentence. `name`: a swap type's device. */
export function inWords(decision: Decision, name: NameOf): string {
  return (WORDS[decision.did] as (decision: Decision, name: NameOf) => string)(decision, name);
}
