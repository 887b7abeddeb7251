/**
 * How the devices of a trace stood when it began. The table of /proc/swaps gives them in order of their types, and not which
 * types these are, nor in which order equals came on: both show in the events.
 */
import { EVENT, MAX_DEVICES, type Trace } from './trace';

export interface TraceStart {
  /** Type of each device of the table, ascending. */
  readonly types: readonly number[];
  /** Devices of the table in an order of swapon that gives their priorities, equals in the order in which they are asked. */
  readonly order: readonly number[];
}

/** The likely start first: equals came on in order of their types; then, where that differs, in the order in which slots were taken. */
export function startsOf(trace: Trace): TraceStart[] {
  const { devices } = trace;
  const first = firstLines(trace);
  const named = [...first.keys()].sort((a, b) => a - b);
  const rows = devices.map((_, row) => row);
  const types = named.length === rows.length && named.every((type) => type < MAX_DEVICES) ? named : rows;
  const byTable = [...rows].sort((a, b) => devices[b].priority - devices[a].priority || a - b);
  const asked = (row: number): number => first.get(types[row]) ?? trace.count;
  const byEvents = [...rows].sort((a, b) => devices[b].priority - devices[a].priority || asked(a) - asked(b) || a - b);
  const starts = [{ types, order: byTable }];
  if (byEvents.some((row, i) => row !== byTable[i])) starts.push({ types, order: byEvents });
  return starts;
}

/** By type: the event that first takes a slot on it, as long as no device has come or gone. */
function firstLines({ count, code, b }: Trace): Map<number, number> {
  const first = new Map<number, number>();
  for (let i = 0; i < count && code[i] !== EVENT.swapoff && code[i] !== EVENT.swapon; i++) {
    if (code[i] === EVENT.alloc && !first.has(b[i])) first.set(b[i], i);
  }
  return first;
}
