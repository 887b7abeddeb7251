/**
 * Default priorities: what a device gets when swapon names none, and what its swapoff does to the others.
 * Source: enable_swap_info and swapoff(2) in mm/swapfile.c of 6.18; DEF_SWAP_PRIO of 7.x; used sizes read on real kernels.
 */
import { KernelError } from '../../errno';
import type { SwapDevice } from './device';

export interface DefaultPriorities {
  /** For the next device without a priority. */
  next(): number;
  /** A device goes; `after` are those behind it on the active list, which is ordered by priority. */
  gone(device: SwapDevice, after: readonly SwapDevice[]): void;
}

/**
 * One below the least so far, in order of swapon; when one goes, those behind it move up by one.
 * `start` -1: -2, -3, … (4.14 to 6.18); 0: -1, -2, … (before 4.14).
 */
export class DescendingPriorities implements DefaultPriorities {
  private least: number;

  constructor(start: 0 | -1) {
    this.least = start;
  }

  next(): number {
    return --this.least;
  }

  gone(device: SwapDevice, after: readonly SwapDevice[]): void {
    if (device.priority >= 0) return;
    for (const other of after) other.priority++;
    this.least++;
  }
}

/** -1 for all (7.2 and later): devices without a priority take turns. */
export class EqualPriorities implements DefaultPriorities {
  next(): number {
    return -1;
  }

  gone(): void {}
}

const SWAP_FLAG_PRIO_MASK = 0x7fff;
const HIGHEST_PRIORITY = 32767;

/** What `swapon -p N` makes of N: below 0 the default; above 32767 the mask of swapon(2)'s flags cuts it. */
export function swaponPriority(asked: number | undefined, defaults: DefaultPriorities): number {
  if (asked === undefined || asked < 0) return defaults.next();
  return asked & SWAP_FLAG_PRIO_MASK;
}

/** What a write to xswap's create makes of its number: no flags and so no mask; outside -1…32767 EINVAL (assumed). */
export function xswapPriority(asked: number | undefined, defaults: DefaultPriorities): number {
  if (asked === undefined || asked === -1) return defaults.next();
  if (!(asked >= 0 && asked <= HIGHEST_PRIORITY)) throw new KernelError('EINVAL', `a priority is -1 to ${HIGHEST_PRIORITY}`);
  return asked;
}
