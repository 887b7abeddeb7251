/** One paragraph a counter: what it counts, where Linux shows it, and the source. */
export interface CounterHelp { readonly text: string; readonly where: string; readonly source: string }

const PROC = 'Documentation/filesystems/proc.rst';
const CGROUP = 'Documentation/admin-guide/cgroup-v2.rst';
const ZSWAP = 'mm/zswap.c, Documentation/admin-guide/mm/zswap.rst';

const MEMINFO: Record<string, string> = {
  MemTotal: 'RAM that the kernel manages, reserved memory and the kernel image left out.',
  MemFree: 'RAM in no use at all.',
  MemAvailable: 'An estimate of how much memory a new program can have without swapping.',
  SwapTotal: 'All swap that is on. With xswap it follows the limit.',
  SwapFree: 'Slots that no page holds. Never above SwapTotal.',
  SwapCached: 'Pages that were swapped in and still have their slot: they can go again without being written.',
  Zswap: 'RAM that zswap’s compressed pool takes.',
  Zswapped: 'What the pages in zswap would take uncompressed.',
  AnonPages: 'Anonymous pages mapped into page tables.',
  Active_anon: 'Anonymous pages on the active list: used of late.',
  Inactive_anon: 'Anonymous pages on the inactive list: the first to be swapped out.',
};
const VMSTAT: Record<string, string> = {
  pswpin: 'Pages read in from swap devices; zswap hits are not among them.',
  pswpout: 'Pages written out to swap devices; pages taken by zswap are not among them.',
  zswpin: 'Pages decompressed out of zswap.',
  zswpout: 'Pages compressed into zswap.',
  zswpwb: 'Pages that zswap wrote back to the swap device behind it.',
  swpin_zero: 'Pages filled with zeros, brought back without any read.',
  swpout_zero: 'Pages filled with zeros: a bit is set, nothing is written.',
  pgfault: 'Page faults of all kinds.',
  pgmajfault: 'Page faults that had to wait for a page to be read.',
  oom_kill: 'Processes ended by the OOM killer.',
  thp_swpout: 'Huge pages of PMD size swapped out whole.',
  thp_swpout_fallback: 'Huge pages split before swapping out, for want of adjacent slots.',
};
const MEMCG: Record<string, string> = {
  current: 'Memory charged to the cgroup and its descendants, compressed pages included. Bytes.',
  peak: 'The most that memory.current has ever been. Bytes.',
  'swap.current': 'Swap charged to the cgroup: slots in use, whether the page is in zswap or on a device. Bytes.',
  'swap.peak': 'The most that memory.swap.current has ever been. Bytes.',
  'zswap.current': 'Compressed size of the cgroup’s pages in zswap. Bytes.',
  'events.max': 'Times that the cgroup was about to run over memory.max and was reclaimed from.',
  oom: 'Times that memory was about to run over memory.max and reclaim had failed.',
  oom_kill: 'Processes of the cgroup ended by the OOM killer.',
  oom_group_kill: 'Times that the whole cgroup was ended because memory.oom.group is set.',
  'swap.events.max': 'Times that the cgroup was about to run over memory.swap.max.',
  'swap.events.fail': 'Times that no swap slot could be had, for the limit or because swap was full.',
};
/** `memcg.app/worker.swap.current` → cgroup `app/worker` and counter `swap.current`. */
function splitMemcg(rest: string): { cgroup: string; counter: string } {
  const match = /^(.*?)\.((?:swap\.events|events|swap|zswap|stat)\.[^.]+|[^.]+)$/.exec(rest);
  return { cgroup: match?.[1] ?? '', counter: match?.[2] ?? rest };
}
const THP: Record<string, string> = {
  swpout: 'Folios of this size swapped out in one piece, without being split.',
  swpout_fallback: 'Folios of this size that had to be split before swapping out, for want of adjacent free slots.',
  swpin: 'Folios of this size swapped in whole.',
  zswpout: 'Folios of this size stored in zswap without being split.',
};

const lookup = (table: Record<string, string>, name: string): string | undefined => table[name.replace(/_(kB|bytes|pages)$/, '')];

export function explainCounter(name: string): CounterHelp {
  const [family = '', ...rest] = name.split('.');
  const last = rest[rest.length - 1] ?? '';
  const subject = rest.slice(0, -1).join('.');
  switch (family) {
    case 'meminfo':
      return { text: lookup(MEMINFO, last) ?? 'A line of /proc/meminfo.', where: `/proc/meminfo: ${last.replace(/_kB$/, '')}`, source: PROC };
    case 'vmstat':
      return { text: lookup(VMSTAT, last) ?? 'A counter of /proc/vmstat since boot.', where: `/proc/vmstat: ${last}`, source: 'mm/vmstat.c' };
    case 'swaps':
      return {
        text: last.startsWith('used') ? `Slots of ${subject} in use.`
          : last.startsWith('size') ? `Usable slots of ${subject}, the header left out.` : `A field of ${subject} in /proc/swaps.`,
        where: '/proc/swaps', source: 'mm/swapfile.c, swap_show()',
      };
    case 'memcg': {
      const { cgroup, counter } = splitMemcg(rest.join('.'));
      const file = counter.startsWith('stat.') ? 'stat' : counter.startsWith('oom') ? 'events' : counter.replace(/events\..*/, 'events');
      return { text: MEMCG[counter] ?? 'A line of memory.stat of this cgroup.', where: `/sys/fs/cgroup/${cgroup}/memory.${file}`, source: CGROUP };
    }
    case 'zram':
      return {
        text: `A column of mm_stat of ${subject}. Bytes or pages.`,
        where: `/sys/block/${subject}/mm_stat`, source: 'Documentation/admin-guide/blockdev/zram.rst',
      };
    case 'zswap':
      return {
        text: 'A counter of zswap: the pool, what it holds, and what it turned away.',
        where: `/sys/kernel/debug/zswap/${last}`, source: ZSWAP,
      };
    case 'thp':
      return {
        text: lookup(THP, last) ?? 'A counter of large folios of this size.',
        where: `/sys/kernel/mm/transparent_hugepage/hugepages-${subject}/stats/${last}`, source: 'Documentation/admin-guide/mm/transhuge.rst',
      };
    case 'xswap':
      return {
        text: 'State of an extendable swap device: its limit, and the clusters whose bookkeeping is mapped.',
        where: '/sys/kernel/mm/xswap/', source: 'xswap v3 cover letter',
      };
    case 'block':
      return {
        text: `Requests of ${subject}, as the block layer counts them.`,
        where: `/sys/block/${subject}/stat`, source: 'Documentation/block/stat.rst',
      };
    default:
      return { text: 'A counter of the simulation itself.', where: 'not shown by Linux', source: 'docs/fidelity.md' };
  }
}
