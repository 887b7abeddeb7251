/** What the card of the cluster map says. */
import type { ClusterMap } from '../../engine/machine';
import { shortName } from '../stores/colours';
import { formatClock, formatCount } from '../ui/format';
import type { SelectOption } from '../ui/types';
import { ALL_DEVICES } from './cluster-store';

/** The devices that can be chosen: all together, those that are on, those that were on at a recorded time. */
export function deviceOptions(on: readonly string[], known: readonly string[]): SelectOption<string>[] {
  const off = known.filter((name) => !on.includes(name));
  const options = [
    ...on.map((name) => ({ value: name, label: shortName(name) })), ...off.map((name) => ({ value: name, label: `${shortName(name)} (off)` })),
  ];
  return options.length > 1 ? [{ value: ALL_DEVICES, label: 'all devices' }, ...options] : options;
}

/** Which clusters the map shows. */
export function partText({ from, to, total, perCell }: ClusterMap, long: boolean): string {
  if (!long) return `${formatCount(to - from)}${to - from < total ? ` of ${formatCount(total)}` : ''}`;
  const which = from === 0 && to === total
    ? `${formatCount(total)} clusters of 512 slots` : `clusters ${formatCount(from)} to ${formatCount(to - 1)} of ${formatCount(total)}`;
  return perCell > 1 ? `${which}, ${formatCount(perCell)} a cell` : which;
}

/** The line below the map while nothing is pointed at. */
export function stateText(map: ClusterMap | undefined, device: string | undefined, recorded: boolean, long: boolean): string {
  if (device === undefined) return 'No swap device is on.';
  if (!map) return '';
  if (map.total === 0) {
    const what = device === ALL_DEVICES ? 'No device' : shortName(device);
    return recorded ? `${what} was not on then, or nothing was recorded yet.` : `${what} is off now; what was recorded of it lies back in time.`;
  }
  const when = map.recorded ? `So it stood from ${formatClock(map.at)} on (recorded every ${formatCount(map.distanceNs / 1e6)} ms).` : '';
  return `${when} ${long ? 'Point at a cell for its numbers; click for its slots.' : ''}`.trim();
}
