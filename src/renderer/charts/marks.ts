import type { EventMark } from '../../contract/engine-api';

/** A mark as drawn: where, how many events it stands for, and the label when there is room for it. */
export interface PlacedMark {
  readonly x: number;
  readonly source: EventMark['source'];
  readonly marks: readonly EventMark[];
  readonly label?: string;
}

const WEIGHT: Record<EventMark['source'], number> = { live: 2, kernel: 1, step: 0 };
const NEAR_PX = 4;
const LABEL_PX = 5.6;
export const LABEL_CHARS = 26;

/** Folders of a path say little in a label: `echo 3052543 > …/limit`. */
function shorten(label: string): string {
  const text = label.replace(/\/(?:[^\s/]+\/)+(?=[^\s/])/, '…/');
  return text.length > LABEL_CHARS ? `${text.slice(0, LABEL_CHARS - 1)}…` : text;
}

/**
 * Marks of a stretch of time on a line of `width` pixels: those nearer than 4 px become one, the weightiest gives the colour
 * (live change, then kernel, then script). Labels go to live changes and kernel events first, and only where they fit.
 * @param marks ascending in time.
 */
export function placeMarks(marks: readonly EventMark[], from: number, to: number, width: number): PlacedMark[] {
  const placed: { x: number; source: EventMark['source']; marks: EventMark[]; label?: string }[] = [];
  if (to <= from) return placed;
  for (const mark of marks) {
    if (mark.at < from || mark.at > to) continue;
    const x = ((mark.at - from) / (to - from)) * width;
    const previous = placed[placed.length - 1];
    if (previous && x - previous.x < NEAR_PX) {
      previous.marks.push(mark);
      if (WEIGHT[mark.source] > WEIGHT[previous.source]) previous.source = mark.source;
    } else placed.push({ x, source: mark.source, marks: [mark] });
  }
  const taken: { from: number; to: number }[] = [];
  for (const weight of [2, 1]) {
    for (const mark of placed) {
      if (WEIGHT[mark.source] !== weight) continue;
      const label = shorten(mark.marks.find((m) => m.source === mark.source)?.label ?? '');
      const span = { from: mark.x, to: mark.x + label.length * LABEL_PX + 8 };
      if (span.to > width + 8 || taken.some((t) => span.from < t.to && span.to > t.from)) continue;
      taken.push(span);
      mark.label = label;
    }
  }
  return placed;
}
