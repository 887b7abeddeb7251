import { churn, type ChurnCase, type ChurnResult } from './churn';
import type { Row } from './row';
import type { Twin } from './twin';

/** Levels and folio sizes; the figure is the geometric mean over them. */
const CASES: readonly Omit<ChurnCase, 'slots' | 'operations'>[] = [
  { fillPercent: 50, orders: [0, 2, 4] },
  { fillPercent: 90, orders: [0, 2, 4] },
  { fillPercent: 99, orders: [0, 2, 4] },
  { fillPercent: 90, orders: [0] },
  { fillPercent: 90, orders: [0, 4, 9] },
];

/** The allocator's time per operation against the native twin's: both run in turns, the best of `rounds` counts for each. */
export function slotPath(
  id: string, twin: Twin, size: { readonly slots: number; readonly operations: number; readonly rounds: number },
  note: (text: string) => void,
): Row {
  let oursLog = 0;
  let theirsLog = 0;
  const parts: string[] = [];
  for (const options of CASES) {
    const full: ChurnCase = { ...options, slots: size.slots, operations: size.operations };
    let ours = Infinity;
    let theirs = Infinity;
    for (let round = 0; round < size.rounds; round++) {
      const native = twin.run(full);
      const engine = churn(full);
      mustAgree(full, engine, native);
      theirs = Math.min(theirs, native.nsPerOperation);
      ours = Math.min(ours, engine.nsPerOperation);
    }
    const label = `orders ${options.orders.join(',')} at ${options.fillPercent} %`;
    note(`${id}: ${label}: ${ours.toFixed(1)} ns, native ${theirs.toFixed(1)} ns, ratio ${(ours / theirs).toFixed(2)}`);
    parts.push(`${label}: ${(ours / theirs).toFixed(2)}`);
    oursLog += Math.log(ours);
    theirsLog += Math.log(theirs);
  }
  const ours = Math.exp(oursLog / CASES.length);
  const theirs = Math.exp(theirsLog / CASES.length);
  return {
    id, ours, theirs, unit: 'ns/operation', ratio: ours / theirs,
    what: `slot allocation and free on ${size.slots} slots, geometric mean against native-twin.c (${parts.join('; ')})`,
  };
}

/** The same churn must have led to the same slots, or the times compare different work. */
function mustAgree(options: ChurnCase, engine: ChurnResult, native: ChurnResult): void {
  if (engine.sum !== native.sum || engine.used !== native.used || engine.failed !== native.failed) {
    throw new Error(
      `orders ${options.orders.join(',')} at ${options.fillPercent} %: the engine and native-twin.c took different slots ` +
      `(sum ${engine.sum} and ${native.sum}, used ${engine.used} and ${native.used}, failed ${engine.failed} and ${native.failed})`,
    );
  }
}
