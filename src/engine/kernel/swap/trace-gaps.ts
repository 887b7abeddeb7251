/**
 * What a recording itself shows to be missing from it: another program swapped at the same time, or the kernel brought pages back
 * of which the recording program knew nothing (khugepaged collapses the neighbours of a huge page). No model can replay that.
 */
import { EVENT, type Trace } from './trace';

export interface TraceGap {
  /** Line that cannot be, by the lines before it. */
  readonly line: number;
  /** Why, as one sentence without a full stop. */
  readonly what: string;
}

/** The first sign that the recording is not whole, or undefined. */
export function findGap(trace: Trace): TraceGap | undefined {
  const used = trace.devices.find((device) => device.usedKiB > 0);
  if (used !== undefined) return { line: 1, what: `${used.name} has ${used.usedKiB} KiB in use at the start, of which the trace says no more` };
  const takenAt = trace.devices.map((device) => new Int32Array(device.sizeKiB / 4 + 1));
  const { code, a, b, c, line } = trace;
  for (let i = 0; i < trace.count; i++) {
    if (code[i] === EVENT.free) {
      takenAt[a[i]]?.fill(0, b[i], b[i] + c[i]);
    } else if (code[i] === EVENT.alloc) {
      const slots = takenAt[b[i]];
      if (slots === undefined) continue;
      for (let slot = c[i]; slot < c[i] + (1 << a[i]) && slot < slots.length; slot++) {
        if (slots[slot] > 0) return { line: line[i], what: `slot ${slot} of type ${b[i]} is taken again, which line ${slots[slot]} took and no line freed` };
        slots[slot] = line[i];
      }
    }
  }
  return undefined;
}
