/** The lists of clusters as the map shows them: names, colours, and what they mean. */
import { maskOf } from '../../engine/kernel/swap/cluster-map';
import { LIST } from '../../engine/kernel/swap/types';

/** Bit of the mark of clusters that a CPU allocates from, beside those of the lists. */
export const CPU_MASK = 128;

export interface ListEntry {
  readonly id: string;
  readonly label: string;
  /** Bit in a cell's mask. */
  readonly mask: number;
  /** LIST; -1: no list of its own (a CPU's current cluster is marked on top of its list). */
  readonly list: number;
  readonly help: string;
}

/** In the order of the legend; the id is the end of the colour's token (`--cl-free`). */
export const LISTS: readonly ListEntry[] = [
  { id: 'free', label: 'free', mask: maskOf(LIST.free), list: LIST.free, help: 'No slot in use.' },
  {
    id: 'nonfull', label: 'nonfull', mask: maskOf(LIST.nonfull), list: LIST.nonfull,
    help: 'Partly used, one list an order: a slot of it was freed.',
  },
  {
    id: 'frag', label: 'frag', mask: maskOf(LIST.frag), list: LIST.frag,
    help: 'Partly used and scanned: no run of its order was left, or a CPU allocates from it.',
  },
  { id: 'full', label: 'full', mask: maskOf(LIST.full), list: LIST.full, help: 'All slots in use.' },
  { id: 'discard', label: 'discard', mask: maskOf(LIST.discard), list: LIST.discard, help: 'Empty, waiting for its discard.' },
  { id: 'parked', label: 'parked', mask: maskOf(LIST.parked), list: LIST.parked, help: 'xswap: above the lowered limit, not to be allocated from.' },
  {
    id: 'none', label: 'on no list', mask: maskOf(LIST.none), list: LIST.none,
    help: 'In use; this kernel keeps such clusters on no list, or a CPU has taken it off.',
  },
  { id: 'cpu', label: 'a CPU’s current', mask: CPU_MASK, list: -1, help: 'A CPU allocates from it now (outlined).' },
];

const BY_LIST = new Map(LISTS.map((entry) => [entry.list, entry]));
export const entryOfList = (list: number): ListEntry | undefined => BY_LIST.get(list);
export const ALL_LISTS = LISTS.reduce((mask, entry) => mask | entry.mask, 0);
