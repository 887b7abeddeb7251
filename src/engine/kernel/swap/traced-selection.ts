/** Device selections with a trace of which device is passed, turned and asked; see traced-parts.ts. */
import type { DecisionTrace } from './decisions';
import type { SwapDevice } from './device';
import { NodeLists, OneList } from './device-list';
import { PriorityQueues, type QueueWalk, type RingEntry } from './priority-queues';

function noteTurn(trace: DecisionTrace, list: readonly SwapDevice[], index: number, requeue: () => void): void {
  const device = list[index];
  requeue();
  const behind = list.indexOf(device) - index;
  if (behind > 0) trace.note({ did: 'requeued', type: device.type, behind });
}

export class TracedNodeLists extends NodeLists {
  declare trace: DecisionTrace;

  override requeue(cpu: number, index: number): void {
    noteTurn(this.trace, this.listFor(cpu), index, () => {
      super.requeue(cpu, index);
    });
  }
}

export class TracedOneList extends OneList {
  declare trace: DecisionTrace;

  override requeue(cpu: number, index: number): void {
    noteTurn(this.trace, this.listFor(), index, () => {
      super.requeue(cpu, index);
    });
  }
}

export class TracedQueues extends PriorityQueues {
  declare trace: DecisionTrace;

  override requeue(cpu: number, index: number): void {
    const device = this.listFor(cpu)[index];
    super.requeue(cpu, index);
    for (const ring of this.rings) {
      const at = ring.entries.findIndex((entry) => entry.device === device);
      if (at >= 0 && ring.entries.length > 1) this.noteReader(ring.entries[ring.at[cpu]].device, cpu, 'visited');
    }
  }

  override next(walk: QueueWalk, cpu: number, large: boolean): SwapDevice | undefined {
    const device = super.next(walk, cpu, large);
    if (device === undefined && large && walk.tried) {
      const { priority, entries } = this.rings[walk.ring];
      this.trace.note({ did: 'ring tried', priority, peers: entries.filter((entry) => !entry.masked).length });
    }
    return device;
  }

  override served(walk: QueueWalk, cpu: number, slots: number, large: boolean): void {
    const ring = this.rings[walk.ring];
    const stoodAt = ring.at[cpu];
    super.served(walk, cpu, slots, large);
    const { length } = ring.entries;
    if (length === 1) return;
    const turned = ring.left[cpu] === this.options.quota;
    if (turned || ring.at[cpu] !== stoodAt) this.noteReader(ring.entries[ring.at[cpu]].device, cpu, turned ? 'quota' : 'served');
    else if ((walk.start + walk.step) % length !== stoodAt) this.trace.note({ did: 'reader stays', type: ring.entries[stoodAt].device.type, cpu });
  }

  protected override enter(walk: QueueWalk, cpu: number): void {
    const from = walk.ring;
    super.enter(walk, cpu);
    for (let passed = from; passed < walk.ring; passed++) this.trace.note({ did: 'ring full', priority: this.rings[passed].priority });
    if (walk.ring >= this.rings.length) return;
    const { entries, priority, at, left } = this.rings[walk.ring];
    if (entries.length === 1 && this.options.fastPathOfOne) this.trace.note({ did: 'ring of one', type: entries[0].device.type, priority });
    else this.trace.note({ did: 'reader', type: entries[at[cpu]].device.type, cpu, priority, left: left[cpu] });
  }

  protected override passOver(entry: RingEntry): void {
    super.passOver(entry);
    this.trace.note({ did: 'masked', type: entry.device.type });
  }

  private noteReader(device: SwapDevice, cpu: number, why: 'served' | 'quota' | 'visited'): void {
    this.trace.note({ did: 'reader moved', type: device.type, cpu, why, quota: this.options.quota });
  }
}
