/**
 * Folios on their way to an asynchronous device: in the swap cache, under writeback, until the device is done. Then they go
 * to the old end of the inactive list, where the next scan frees them (folio_end_writeback, folio_rotate_reclaimable).
 */
import { typeOf } from '../swap/types';
import { FOLIO } from './folios';
import { STAT, type Memcg } from './memcg';
import type { Mm } from './mm';

/** Of one device, in the order in which it works them off; a folio of 0 was taken out. */
interface Line {
  folios: number[];
  times: number[];
  head: number;
}

export class WritebackQueue {
  /** By swap type. */
  private readonly lines: Line[] = [];
  pending = 0;

  /** When the next write ends; Infinity: none is under way. */
  nextDone(): number {
    let next = Infinity;
    for (const line of this.lines) if (line.head < line.times.length && line.times[line.head] < next) next = line.times[line.head];
    return next;
  }

  begin(mm: Mm, folio: number, doneAt: number): void {
    const pages = 1 << mm.folios.order[folio];
    const type = typeOf(mm.folios.swap[folio]);
    while (this.lines.length <= type) this.lines.push({ folios: [], times: [], head: 0 });
    mm.folios.flags[folio] |= FOLIO.writeback;
    mm.folios.flags[folio] &= ~FOLIO.dirty;
    mm.writebackPages += pages;
    (mm.memcgs[mm.folios.memcg[folio]] as Memcg).stat[STAT.writeback] += pages;
    this.lines[type].folios.push(folio);
    this.lines[type].times.push(doneAt);
    this.pending++;
    mm.wakeWriteback();
  }

  /** Ends every write that is done by `now`. Returns how many folios that were. */
  complete(mm: Mm, now: number): number {
    let done = 0;
    for (const line of this.lines) {
      while (line.head < line.times.length && line.times[line.head] <= now) {
        const folio = line.folios[line.head++];
        this.pending--;
        if (folio === 0) continue;
        this.end(mm, folio);
        done++;
      }
      if (line.head > 4096 && line.head * 2 > line.times.length) {
        line.folios = line.folios.slice(line.head);
        line.times = line.times.slice(line.head);
        line.head = 0;
      }
    }
    return done;
  }

  /** The folio is about to go away (exit, swapoff): it does not wait for the device. */
  forget(mm: Mm, folio: number): void {
    for (const line of this.lines) {
      const at = line.folios.indexOf(folio, line.head);
      if (at < 0) continue;
      line.folios[at] = 0;
      this.clear(mm, folio);
      return;
    }
  }

  private end(mm: Mm, folio: number): void {
    this.clear(mm, folio);
    if ((mm.folios.flags[folio] & (FOLIO.mapped | FOLIO.active)) !== 0) return;
    mm.lru.remove(folio);
    mm.lru.addTail(folio);
    mm.events.pgrotated += 1 << mm.folios.order[folio];
  }

  private clear(mm: Mm, folio: number): void {
    const pages = 1 << mm.folios.order[folio];
    mm.folios.flags[folio] &= ~FOLIO.writeback;
    mm.writebackPages -= pages;
    (mm.memcgs[mm.folios.memcg[folio]] as Memcg).stat[STAT.writeback] -= pages;
  }
}
