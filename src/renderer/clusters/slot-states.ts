/** What a slot can hold, as the grid of one cluster shows it. */
import { SLOT_STATE } from '../../engine/machine';

export interface SlotEntry {
  readonly state: number;
  readonly id: string;
  readonly label: string;
}

export const SLOT_ENTRIES: readonly SlotEntry[] = [
  { state: SLOT_STATE.free, id: 'free', label: 'free' },
  { state: SLOT_STATE.written, id: 'written', label: 'on the device' },
  { state: SLOT_STATE.zswap, id: 'zswap', label: 'held by zswap' },
  { state: SLOT_STATE.zero, id: 'zero', label: 'zero-filled' },
  { state: SLOT_STATE.writing, id: 'writing', label: 'in use, data still in memory' },
  { state: SLOT_STATE.cacheOnly, id: 'cacheOnly', label: 'swap cache only' },
  { state: SLOT_STATE.taken, id: 'taken', label: 'in a CPU’s slot cache' },
  { state: SLOT_STATE.unusable, id: 'unusable', label: 'header, bad, past the end' },
];

export const slotLabel = (state: number): string => SLOT_ENTRIES.find((entry) => entry.state === state)?.label ?? '?';

/** Adjacent slots of one state: "0…95 on the device". */
export function slotRuns(slots: Uint8Array): { readonly from: number; readonly to: number; readonly state: number }[] {
  const runs: { from: number; to: number; state: number }[] = [];
  slots.forEach((state, slot) => {
    const last = runs[runs.length - 1];
    if (last?.state === state) last.to = slot;
    else runs.push({ from: slot, to: slot, state });
  });
  return runs;
}
