import type { ClusterAnswer, ClusterMap } from '../../engine/machine';

/** The map that a window holds. `changed` are the cells in which it differs from the one with number `after`; absent: anything may. */
export interface HeldMap extends ClusterMap {
  readonly after?: number;
  readonly changed?: Uint32Array;
}

/**
 * The map after an answer. What has changed is written into the arrays that are held: half a million clusters are not copied eight
 * times a second. Undefined: the answer changes another map than this.
 */
export function applyAnswer(held: HeldMap | undefined, answer: ClusterAnswer): HeldMap | undefined {
  const { changed } = answer;
  if (changed === undefined) return answer;
  if (!held || held.id !== answer.after) return undefined;
  const { cells, masks } = held;
  for (let i = 0; i < changed.length; i += 1) {
    const cell = changed[i] ?? 0;
    cells[cell] = answer.cells[i] ?? 0;
    masks[cell] = answer.masks[i] ?? 0;
  }
  return { ...answer, cells, masks };
}
