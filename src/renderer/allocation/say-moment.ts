import type { SwapMoment } from '../../engine/kernel/swap/moment';
import { shortName } from '../stores/colours';

/** A request or a free in one line: `Order 4 → zram1, slots 512 to 527, cluster 1`. */
export function sayMoment(moment: SwapMoment): string {
  const { kind, order, offset, slots, cluster } = moment;
  if (kind === 'fallback') return `Order ${order}: no slots, the folio is split`;
  if (moment.type < 0) return `Order ${order}: no slot`;
  const range = slots === 1 ? `slot ${offset}` : `slots ${offset} to ${offset + slots - 1}`;
  const place = `${shortName(moment.device)}, ${range}, cluster ${cluster}`;
  return kind === 'free' ? `Freed: ${place}` : `Order ${order} → ${place}`;
}
