/**
 * How the clusters of all devices stood at earlier times: pictures at equal distances of simulated time. When there are too many
 * of them, or they take too much memory, every second one goes and the distance doubles, so memory is bounded however long the run.
 * What has not changed since the picture before takes no memory of its own, and where nothing has changed there is no picture.
 *
 * Pictures are taken at fixed simulated times, so they do not depend on how the run was sliced.
 */
import { currentClusters, packClusters } from './cluster-map';
import type { SwapSystem } from './swap-system';

/** A device at one time. */
export interface DevicePicture {
  readonly type: number;
  readonly name: string;
  /** See cluster-map.ts. */
  readonly cells: Uint16Array;
  readonly current: Int32Array;
}

interface Picture {
  at: number;
  readonly devices: readonly DevicePicture[];
}

export interface HistoryLimits {
  readonly pictures: number;
  readonly bytes: number;
}

const LIMITS: HistoryLimits = { pictures: 512, bytes: 64 * 1024 * 1024 };

/** The device now. */
export const pictureOf = (swap: SwapSystem, type: number, cpus: number): DevicePicture | undefined => {
  const device = swap.table[type];
  return device && {
    type, name: device.name, cells: packClusters(device.store),
    current: currentClusters(swap.allocator.pointers, cpus, type, device.globalNext),
  };
};

export class ClusterHistory {
  /** The next picture is due before any operation that starts at or after this time (ns). */
  nextSample = 0;
  /** Simulated ns between two pictures. */
  distanceNs: number;
  private readonly pictures: Picture[] = [];
  private bytes = 0;

  /** @param firstDistanceNs ns, an integer ≥ 1 */
  constructor(private readonly swap: SwapSystem, private readonly cpus: number, firstDistanceNs: number, private readonly limits = LIMITS) {
    this.distanceNs = firstDistanceNs;
  }

  /** A picture that was due: the state before the operation that starts at `next` ≥ nextSample. */
  sample(next: number): void {
    const before = this.pictures[this.pictures.length - 1];
    const devices: DevicePicture[] = [];
    for (const { type } of this.swap.devices()) {
      const now = pictureOf(this.swap, type, this.cpus);
      if (now === undefined) continue;
      const last = before?.devices.find((device) => device.type === type && device.name === now.name);
      if (last !== undefined && equal(last.cells, now.cells)) {
        devices.push(equal(last.current, now.current) ? last : { ...now, cells: last.cells });
      } else {
        devices.push(now);
        this.bytes += now.cells.byteLength;
      }
    }
    const same = before !== undefined && before.devices.length === devices.length
      && devices.every((device, i) => device === before.devices[i]);
    if (!same) this.pictures.push({ at: this.nextSample, devices });
    const { pictures, limits } = this;
    while (pictures.length > 2 && (pictures.length > limits.pictures || this.bytes > limits.bytes)) this.thin(next);
    this.nextSample = (Math.floor(next / this.distanceNs) + 1) * this.distanceNs;
  }

  /**
   * The device as the last picture at or before `at` (ns) shows it, and since when it stood so.
   * Undefined: no such picture, or the device was not on then.
   */
  find(type: number, at: number): { readonly at: number; readonly device: DevicePicture } | undefined {
    let low = 0;
    let high = this.pictures.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.pictures[middle].at <= at) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return undefined;
    const picture = this.pictures[low - 1];
    const device = picture.devices.find((candidate) => candidate.type === type);
    return device && { at: picture.at, device };
  }

  get length(): number {
    return this.pictures.length;
  }

  /**
   * Keeps the pictures at multiples of twice the distance. Another one goes, unless nothing happened up to the next multiple: then it
   * holds there, too. `next`: start of the operation after the last picture.
   */
  private thin(next: number): void {
    const { distanceNs, pictures } = this;
    let kept = 0;
    for (let i = 0; i < pictures.length; i++) {
      const picture = pictures[i];
      if ((picture.at / distanceNs) % 2 !== 0) {
        const multiple = picture.at + distanceNs;
        if (i + 1 < pictures.length ? pictures[i + 1].at <= multiple : next < multiple) continue;
        picture.at = multiple;
      }
      pictures[kept++] = picture;
    }
    pictures.length = kept;
    this.distanceNs = distanceNs * 2;
    const distinct = new Set<Uint16Array>();
    for (const { devices } of pictures) for (const { cells } of devices) distinct.add(cells);
    this.bytes = 0;
    for (const cells of distinct) this.bytes += cells.byteLength;
  }
}

function equal(a: Uint16Array | Int32Array, b: Uint16Array | Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
