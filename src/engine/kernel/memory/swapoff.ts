/** Bringing every page of a swap type back. Source: try_to_unuse, unuse_mm (mm/swapfile.c). */
import { KernelError } from '../../errno';
import { typeOf } from '../swap/types';
import { dropCachedSlots } from './exit';
import { FOLIO } from './folios';
import { restoreMapping } from './mapping';
import type { Mm } from './mm';
import { isSwapEntry, type Process } from './process';
import { swapCanGo } from './sharing';
import { bringIn } from './swapin';

/**
 * Switches a type off: no new slots, then its pages back into memory, process by process. @throws KernelError ENOMEM when
 * they do not fit: the device stays on, with what has not been brought back yet.
 */
export function swapoffType(mm: Mm, type: number): void {
  mm.swap.beginSwapoff(type);
  mm.inSwapoff = true;
  const cpu = mm.cpu;
  let fits = true;
  for (const task of [...mm.tasks]) {
    if (task === undefined || !task.alive) continue;
    fits = fits && unuse(mm, task, type);
  }
  dropCachedSlots(mm, type);
  mm.cpu = cpu;
  mm.inSwapoff = false;
  if (!fits || mm.swap.view(type).inUse > 0) {
    mm.swap.cancelSwapoff(type);
    mm.listener.onSwapChange?.();
    throw new KernelError('ENOMEM', 'the pages on the device do not fit into memory');
  }
  // zswap_swapoff drops the whole tree of the type.
  for (const entry of mm.zswap.stale.keys()) if (typeOf(entry) === type) mm.dropStaleZswap(entry);
  mm.swap.finishSwapoff(type);
  mm.slots[type] = undefined;
  mm.backing[type] = undefined;
  mm.listener.onSwapChange?.();
}

/** False: a page could not be brought back although the process is alive. */
function unuse(mm: Mm, task: Process, type: number): boolean {
  mm.cpu = task.cpu;
  for (let page = 0; page < task.pte.length; page++) {
    const value = task.pte[page];
    if (!isSwapEntry(value) || typeOf(value) !== type) continue;
    const cached = mm.cachedFolio(value);
    if (cached !== 0) {
      if ((mm.folios.flags[cached] & FOLIO.writeback) !== 0) mm.writeback.forget(mm, cached);
      restoreMapping(mm, task, cached);
      // Slots that others name too go with the last of them.
      if (swapCanGo(mm, cached)) mm.freeSwapOf(cached);
      continue;
    }
    if (bringIn(mm, task, page, value, true)) continue;
    if (task.alive) return false;
    return true;
  }
  return true;
}
