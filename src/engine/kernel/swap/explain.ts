/** What one act of a caller did to the swap layer, in words: each request and each free with the lists before and after. */
import type { Decision } from './decisions';
import type { DeviceLists, SwapMoment } from './moment';
import type { ObservedSwapSystem } from './observed-swap-system';

export interface Explanation {
  readonly moments: readonly SwapMoment[];
  /** The decisions of each moment, as they were noted. */
  readonly decided: readonly (readonly Decision[])[];
}

/** The whole of an explanation as it is told: several moments are numbered. */
export interface ExplanationText {
  readonly decisions: readonly string[];
  readonly before: readonly DeviceLists[];
  readonly after: readonly DeviceLists[];
}

/** Watches what `act` does. Somebody who watches already is put off. */
export function explain(swap: ObservedSwapSystem, act: () => void): Explanation {
  const moments: SwapMoment[] = [];
  const decided: (readonly Decision[])[] = [];
  swap.watch({
    now: () => 0,
    wants: () => true,
    tell: (moment, _request, decisions) => {
      moments.push(moment);
      decided.push(decisions);
    },
  });
  try {
    act();
  } finally {
    swap.watch(undefined);
  }
  return { moments, decided };
}

/** Undefined: nothing was asked of the swap layer. */
export function explanationText({ moments }: Explanation): ExplanationText | undefined {
  if (moments.length === 0) return undefined;
  const decisions = moments.length === 1 ? moments[0].decisions : moments.flatMap((moment, i) => [`${i + 1}. ${headline(moment)}`, ...moment.decisions]);
  return { decisions, before: moments[0].before, after: moments[moments.length - 1].after };
}

function headline(moment: SwapMoment): string {
  const { kind, cpu, order, slots, offset } = moment;
  if (kind === 'free') return `${slots === 1 ? `slot ${offset}` : `slots ${offset} to ${offset + slots - 1}`} of ${moment.device} freed on CPU ${cpu}`;
  return `CPU ${cpu} asks for order ${order}`;
}
