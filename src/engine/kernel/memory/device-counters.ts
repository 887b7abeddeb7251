/** What is counted when a folio is handed to a device (count_swpout_vm_event, mm/page_io.c). */
import { THP_STAT } from './counters';
import { STAT, type Memcg } from './memcg';
import type { Mm } from './mm';

const SWPOUT = THP_STAT.indexOf('swpout');

export function countDeviceWrite(mm: Mm, memcg: Memcg, order: number): void {
  const pages = 1 << order;
  memcg.stat[STAT.swpout] += pages;
  mm.events.nrswpout++;
  mm.events.nr_written += pages;
  mm.events.pgpgout += pages * 4;
  if (order === 9) memcg.stat[STAT.thpSwpout]++;
  if (order > 0) mm.thp(order, SWPOUT);
}
