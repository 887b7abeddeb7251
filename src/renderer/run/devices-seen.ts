import type { DeviceRow, TelemetryFrame } from '../../contract/engine-api';

/** The devices that have been on in this run, at their largest: a chart of the past shows those that are off by now, too. */
export class DevicesSeen {
  private known = new Map<string, DeviceRow>();
  private list: readonly DeviceRow[] = [];
  private runId = -1;
  private now = 0;

  /** The same array as long as nothing was added. */
  take(frame: Pick<TelemetryFrame, 'runId' | 'now' | 'devices'> | undefined): readonly DeviceRow[] {
    if (!frame || frame.runId !== this.runId || frame.now < this.now) {
      this.known = new Map();
      this.list = [];
    }
    if (!frame) return this.list;
    this.runId = frame.runId;
    this.now = frame.now;
    for (const device of frame.devices) {
      if ((this.known.get(device.name)?.sizePages ?? -1) >= device.sizePages) continue;
      this.known.set(device.name, device);
      this.list = [...this.known.values()];
    }
    return this.list;
  }
}
