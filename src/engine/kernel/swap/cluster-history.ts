/**
 * How the clusters of all devices stood at earlier times: pictures at equal distances of simulated time. When there are too many
 * of them, or they take too much memory, every second one goes and the distance doubles, so memory is bounded however long the run.
 * Blocks of clusters that have not changed since the picture before are shared with it (cluster-mirror.ts), and where nothing has
 * changed there is no picture.
 *
 * Pictures are taken at fixed simulated times, so they do not depend on how the run was sliced.
 */
import type { ClusterMirrors, DevicePicture } from './cluster-mirror';
import { BLOCK_CLUSTERS } from './clusters';

const BLOCK_BYTES = BLOCK_CLUSTERS * 2;

interface Picture {
  at: number;
  readonly devices: readonly DevicePicture[];
}

export interface HistoryLimits {
  readonly pictures: number;
  readonly bytes: number;
}

const LIMITS: HistoryLimits = { pictures: 512, bytes: 64 * 1024 * 1024 };

export class ClusterHistory {
  /** The next picture is due before any operation that starts at or after this time (ns). */
  nextSample = 0;
  /** Simulated ns between two pictures. */
  distanceNs: number;
  private readonly pictures: Picture[] = [];
  /** Bytes that the pictures hold. */
  bytes = 0;

  /** @param firstDistanceNs ns, an integer ≥ 1 */
  constructor(private readonly mirrors: ClusterMirrors, firstDistanceNs: number, private readonly limits = LIMITS) {
    this.distanceNs = firstDistanceNs;
  }

  /** A picture that was due: the state before the operation that starts at `next` ≥ nextSample. */
  sample(next: number): void {
    const { pictures, limits } = this;
    const before = pictures[pictures.length - 1];
    const frozen = this.mirrors.freeze();
    const devices = frozen.map(({ picture }) => picture);
    const same = before !== undefined && before.devices.length === devices.length
      && devices.every((device, i) => device === before.devices[i]);
    if (!same) {
      pictures.push({ at: this.nextSample, devices });
      for (const { picture, fresh } of frozen) if (!before?.devices.includes(picture)) this.bytes += bytesOf(picture) + fresh * BLOCK_BYTES;
    }
    while (pictures.length > 2 && (pictures.length > limits.pictures || this.bytes > limits.bytes)) this.thin(next);
    this.nextSample = (Math.floor(next / this.distanceNs) + 1) * this.distanceNs;
  }

  /** What the last picture at or before `at` (ns) shows: all devices that were on. Undefined: there is no such picture. */
  find(at: number): { readonly at: number; readonly devices: readonly DevicePicture[] } | undefined {
    let low = 0;
    let high = this.pictures.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.pictures[middle].at <= at) low = middle + 1;
      else high = middle;
    }
    return this.pictures[low - 1];
  }

  /** Names of all devices in a picture, in the order in which they appeared. */
  names(): readonly string[] {
    const names = new Set<string>();
    for (const { devices } of this.pictures) for (const { name } of devices) names.add(name);
    return [...names];
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
    const distinct = new Set<DevicePicture>();
    for (const { devices } of pictures) for (const device of devices) distinct.add(device);
    this.bytes = this.mirrors.sweep([...distinct]) * BLOCK_BYTES;
    for (const device of distinct) this.bytes += bytesOf(device);
  }
}

const bytesOf = ({ ids, clusters, used, current }: DevicePicture): number => (
  ids.byteLength + clusters.byteLength + used.byteLength + current.byteLength
);
