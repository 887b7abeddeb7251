import { policiesOf } from '../registry';
import { SwapSystem } from '../swap-system';
import type { Entry, SwapDeviceView, SwapWork, SwaponArgs } from '../types';

/** A swap layer without a swap cache above it; `work` collects what was put off. */
export function swapSystem(kernel = 'linux-6.18', cpus = 1, nodes = 1): { swap: SwapSystem; work: { kind: SwapWork; type: number }[] } {
  const work: { kind: SwapWork; type: number }[] = [];
  const swap = new SwapSystem(policiesOf(kernel), cpus, nodes, {
    isCacheOnly: () => false,
    reclaimCacheOnly: () => false,
    cacheOnlySlots: () => 0,
    scheduleWork: (kind, type) => work.push({ kind, type }),
  });
  return { swap, work };
}

/** Arguments of swapon for a plain device. */
export const device = (slots: number, more: Partial<SwaponArgs> = {}): SwaponArgs => ({
  kind: 'zram', name: '/dev/zram0', slots, rotational: false, pageDiscard: false, node: -1, ...more,
});

/** Takes so many pages: large folios first, then single ones. */
export function fill(swap: SwapSystem, pages: number): { entry: Entry; count: number }[] {
  const taken: { entry: Entry; count: number }[] = [];
  let left = pages;
  for (let order = 9; order >= 0; order -= 9) {
    while (left >= 1 << order) {
      const entry = swap.alloc(0, order);
      if (entry === 0) break;
      taken.push({ entry, count: 1 << order });
      left -= 1 << order;
    }
  }
  if (left > 0) throw new Error(`${left} pages found no slot`);
  return taken;
}

export const freeAll = (swap: SwapSystem, taken: readonly { entry: Entry; count: number }[]): void => {
  for (const { entry, count } of taken) swap.free(entry, count);
};

export function only(swap: SwapSystem): SwapDeviceView {
  const devices = swap.devices();
  if (devices.length !== 1) throw new Error(`${devices.length} devices`);
  return devices[0];
}
