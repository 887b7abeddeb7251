/** Decisions in words, one sentence a decision. */
import { DECISION, type Decision } from './decisions';
import { listName } from './list-fronts';
import { LIST } from './types';

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
const run = (order: number): string => (order === 0 ? 'slot' : `aligned run of ${1 << order} slots`);
const cpuCluster = (list: number, cluster: number, device: string): string =>
  (list < 0 ? `the CPU's own cluster ${cluster} of ${device}` : `cluster ${cluster} of ${device}, from ${listName(list)},`);

/** A cluster's list by its number in LIST: `nonfull[4]`. */
function listOf(list: number, order: number): string {
  if (list === LIST.nonfull) return `nonfull[${order}]`;
  if (list === LIST.frag) return `frag[${order}]`;
  return Object.entries(LIST).find(([, number]) => number === list)?.[0] ?? String(list);
}

/** `name`: a swap type's device. */
export function inWords(decision: Decision, name: (type: number) => string): string {
  const [code, type, cluster, list, order, number, more] = decision;
  const device = type < 0 ? '' : name(type);
  switch (code) {
    case DECISION.cached: return `taken from the slot cache of CPU ${number}`;
    case DECISION.refill: return `the slot cache of CPU ${number} is empty and asks for up to 64 slots at once`;
    case DECISION.noPointer: return `CPU ${number} remembers no cluster of order ${order}${device && ` on ${device}`}`;
    case DECISION.pointerUnusable:
      return `the cluster that CPU ${number} remembers, ${cluster} of ${device}, cannot take order ${order} any more`;
    case DECISION.device: return `asked ${device} (priority ${number})`;
    case DECISION.noLargeFolios: return `${device} takes no large folios`;
    case DECISION.listEmpty: return `${listName(list)} of ${device} is empty`;
    case DECISION.noRun:
      return `${cpuCluster(list, cluster, device)} has ${plural(number, 'free slot')} and no ${run(order)} left from where the scan began`;
    case DECISION.took: {
      const slots = order > 0 ? `slots ${number} to ${number + (1 << order) - 1}` : `slot ${number}`;
      return `took ${slots}${more > 0 ? ` and ${more} more` : ''} in ${cpuCluster(list, cluster, device)}`.replace(/,$/, '');
    }
    case DECISION.reclaimedFull:
      return `swap is more than half full: dropped the cached slots of one full cluster of ${device}: ${plural(number, 'slot')} became free`;
    case DECISION.discarded: return `discarded waiting clusters of ${device}: ${number ? 'one became free' : 'none was waiting'}`;
    case DECISION.grown: return number ? `${device} mapped more clusters` : `${device} can map no more clusters under its limit`;
    case DECISION.droppedCached: return `dropped ${plural(number, 'slot')} of ${device} that only the swap cache held`;
    case DECISION.steal: return `order 0 goes on to clusters of larger orders of ${device}`;
    case DECISION.search: return `${device} is searched from where this CPU's last scan ended`;
    case DECISION.nothing: return order > 0 ? `no device has a ${run(order)}: the folio is split` : 'no device has a free slot';
    case DECISION.moved: return `cluster ${cluster} of ${device} went from ${listOf(number, order)} to ${listOf(list, order)}`;
    case DECISION.stays:
      return `cluster ${cluster} of ${device} ${list === LIST.none ? 'stands on no list' : `stays on ${listOf(list, order)}`}, `
        + `${plural(number, 'slot')} in use`;
    case DECISION.waits: return `the slot waits in the slot cache of CPU ${number}`;
    case DECISION.orderRefused: return `this kernel takes folios of order 0 and 9 only: order ${order} is split`;
    default: throw new Error(`no words for decision ${code}`);
  }
}
