/**
 * One paragraph on each counter and file: what it is, where Linux shows it, and where that is written down.
 * The catalogue below is read once: a line `key | where | source`, then the paragraph indented. Keys are metric names with `*`
 * for a device, size or cgroup, or paths; the first that fits a name is taken. To add one: write it before the key that is wider.
 */
export interface Explanation {
  /** `meminfo.SwapFree_kB`, `swaps.*.used_kB`, `/sys/kernel/mm/xswap/create`. */
  readonly key: string;
  readonly text: string;
  /** Where Linux shows it. */
  readonly where: string;
  readonly source: string;
}

const CATALOGUE = `
meminfo.MemTotal_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  RAM that the kernel manages: all of it less what firmware and the kernel image keep. xswap takes its size from it.
meminfo.MemFree_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  RAM that nobody uses at all. Low numbers are normal on a busy machine; look at MemAvailable for what programs could still
  get.
meminfo.MemAvailable_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  An estimate of what new programs could get without swapping: free memory and what can be dropped, less the reserves.
meminfo.SwapTotal_kB | /proc/meminfo | mm/swapfile.c
  Usable pages of all devices that are on, in kB. The header page does not count. While a device is switched off, only its
  pages still in use count. For xswap it follows the limit.
meminfo.SwapFree_kB | /proc/meminfo | mm/swapfile.c
  Swap slots that nobody holds, in kB. A slot whose page has come back into RAM but is still in the swap cache counts as used.
meminfo.SwapCached_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  Pages that are in RAM and in swap at the same time. If they stay unchanged, they can be dropped again without writing.
meminfo.Zswap_kB | /proc/meminfo | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  RAM that zswap’s pool takes. Whole pages of the allocator, so somewhat more than the compressed bytes.
meminfo.Zswapped_kB | /proc/meminfo | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  What zswap’s pages took before they were compressed. Divided by Zswap it gives the ratio.
meminfo.Active_anon_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  Anonymous memory that was used lately: reclaim looks at the inactive list first.
meminfo.Inactive_anon_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  Anonymous memory that was not used lately: next in line to be swapped out. The swap cache counts here too.
meminfo.AnonPages_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  Memory of programs that stands in no file and is mapped: heap, stack, anonymous mmap.
meminfo.AnonHugePages_kB | /proc/meminfo | Documentation/admin-guide/mm/transhuge.rst
  Anonymous memory in huge pages of 2 MiB. Smaller folios of several pages do not count here.
meminfo.PageTables_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  RAM for the lowest level of page tables: 8 bytes a page of 4 KiB that was ever touched, swapped out or not.
meminfo.Writeback_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  Pages on their way to a disk or a swap device.
meminfo.Committed_AS_kB | /proc/meminfo | Documentation/filesystems/proc.rst
  Memory that programs have asked for, touched or not.
meminfo.* | /proc/meminfo | Documentation/filesystems/proc.rst
  A line of /proc/meminfo. Lines about page cache, slab and hardware read 0: this machine has none of them.
swaps.*.size_kB | /proc/swaps | mm/swapfile.c
  Usable size of the device: its pages less the header page and bad ones, in kB. For xswap, the limit.
swaps.*.used_kB | /proc/swaps | mm/swapfile.c
  Slots in use on the device, in kB: pages that are out, and pages in the swap cache.
swaps.*.priority | /proc/swaps | swapon(2)
  Devices of higher priority fill first; those of equal priority take turns, cluster by cluster. Without one given: -2, -3 and
  so on up to Linux 6.18, always -1 from 7.3 on.
swaps.*.free_clusters | not shown by the kernel | mm/swapfile.c
  Clusters of 512 slots of which none is in use. Only these can take any folio size; 0 on a rotational device up to Linux 6.13.
reclaim.batch_slots | not shown by the kernel | mm/vmscan.c
  Slots that passes of reclaim took for folios to write. What a process pages out itself (MADV_PAGEOUT) is not among them.
reclaim.batch_runs | not shown by the kernel | mm/vmscan.c
  Runs of adjacent slots within a pass of reclaim. batch_slots divided by batch_runs is how many pages lie in a row, so can go in
  one request.
xswap.*.limit_pages | /sys/kernel/mm/xswap/type<N>/limit | cover letter of xswap v3
  Ceiling of an xswap device in pages of 4 KiB. Starts at RAM rounded up to whole clusters, less one page for the header.
xswap.*.mapped_clusters | not shown by the kernel | cover letter of xswap v3
  Clusters whose records are mapped now. The device maps more as it fills, 85 clusters at a time, and gives the free tail
  back.
vmstat.pswpout | /proc/vmstat | mm/page_io.c
  Pages written to swap devices since boot. Pages that zswap took, and pages of zeros, do not count.
vmstat.pswpin | /proc/vmstat | mm/page_io.c
  Pages read from swap devices since boot; those that came from zswap or were zeros do not count.
vmstat.swpout_zero | /proc/vmstat | mm/page_io.c
  Pages that held only zeros when they were swapped out: they take a slot but are written nowhere.
vmstat.swpin_zero | /proc/vmstat | mm/page_io.c
  Pages of zeros that were made anew at swap-in, without reading.
vmstat.zswpout | /proc/vmstat | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  Pages that zswap took instead of the swap device.
vmstat.zswpin | /proc/vmstat | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  Pages that came back out of zswap.
vmstat.zswpwb | /proc/vmstat | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  Pages that zswap wrote back to the swap device to make room.
vmstat.pgmajfault | /proc/vmstat | Documentation/filesystems/proc.rst
  Page faults that had to wait for a swap-in or a disk.
vmstat.pgfault | /proc/vmstat | Documentation/filesystems/proc.rst
  Page faults of every kind.
vmstat.thp_swpout | /proc/vmstat | Documentation/admin-guide/mm/transhuge.rst
  Huge pages of 2 MiB swapped out in one piece.
vmstat.thp_swpout_fallback | /proc/vmstat | Documentation/admin-guide/mm/transhuge.rst
  Huge pages of 2 MiB that had to be split before swap-out, mostly because no run of free slots was long enough.
vmstat.swap_ra_hit | /proc/vmstat | mm/swap_state.c
  Pages read ahead from swap that were then used.
vmstat.swap_ra | /proc/vmstat | mm/swap_state.c
  Pages read ahead from swap.
vmstat.pgscan_direct | /proc/vmstat | mm/vmscan.c
  Pages that programs looked at while they had to reclaim memory themselves.
vmstat.pgsteal_direct | /proc/vmstat | mm/vmscan.c
  Pages that programs freed while they had to reclaim memory themselves.
vmstat.workingset_refault_anon | /proc/vmstat | mm/workingset.c
  Anonymous pages that came back after they had been swapped out.
vmstat.oom_kill | /proc/vmstat | mm/oom_kill.c
  Processes that the out-of-memory killer ended.
vmstat.nr_zspages | /proc/vmstat | mm/zsmalloc.c
  Pages of RAM in the pools of zsmalloc: zswap’s and every zram’s.
vmstat.* | /proc/vmstat | mm/vmstat.c
  A line of /proc/vmstat. What this machine does not model reads 0.
thp.*.swpout_fallback | /sys/kernel/mm/transparent_hugepage/hugepages-<size>/stats | Documentation/admin-guide/mm/transhuge.rst
  Folios of this size that had to be split before swap-out, because no device had a free, aligned run of slots for them (or
  the device takes no large folios).
thp.*.swpout | /sys/kernel/mm/transparent_hugepage/hugepages-<size>/stats | Documentation/admin-guide/mm/transhuge.rst
  Folios of this size swapped out to a device in one piece.
thp.*.zswpout | /sys/kernel/mm/transparent_hugepage/hugepages-<size>/stats | Documentation/admin-guide/mm/transhuge.rst
  Folios of this size that went to zswap in one piece. They do not count as swpout.
thp.*.swpin | /sys/kernel/mm/transparent_hugepage/hugepages-<size>/stats | Documentation/admin-guide/mm/transhuge.rst
  Folios of this size swapped in as a whole, from a synchronous device such as zram.
thp.*.anon_fault_fallback* | /sys/kernel/mm/transparent_hugepage/hugepages-<size>/stats | Documentation/admin-guide/mm/transhuge.rst
  Page faults that wanted a folio of this size and had to make do with a smaller one; …_charge: because the cgroup had no
  room.
thp.*.anon_fault_alloc | /sys/kernel/mm/transparent_hugepage/hugepages-<size>/stats | Documentation/admin-guide/mm/transhuge.rst
  Folios of this size that page faults got.
thp.* | /sys/kernel/mm/transparent_hugepage/hugepages-<size>/stats | Documentation/admin-guide/mm/transhuge.rst
  A counter of folios of one size.
memcg.*.swap.current | memory.swap.current | Documentation/admin-guide/cgroup-v2.rst
  Swap that the cgroup holds, in bytes of slots, wherever the pages are: on a device or in zswap.
memcg.*.zswap.current | memory.zswap.current | Documentation/admin-guide/cgroup-v2.rst
  Compressed bytes that zswap keeps for the cgroup. They are charged to memory.current too.
memcg.*.swap.peak | memory.swap.peak | Documentation/admin-guide/cgroup-v2.rst
  The most swap that the cgroup held.
memcg.*.current | memory.current | Documentation/admin-guide/cgroup-v2.rst
  Bytes charged to the cgroup and the ones below it: anonymous memory, page tables, and what zswap keeps compressed for it.
memcg.*.oom_kill | memory.events | Documentation/admin-guide/cgroup-v2.rst
  Processes of the cgroup that an out-of-memory killer ended.
memcg.*.oom | memory.events | Documentation/admin-guide/cgroup-v2.rst
  Times that the cgroup was at memory.max and nothing more could be reclaimed.
memcg.*.swap.events.fail | memory.swap.events | Documentation/admin-guide/cgroup-v2.rst
  Times that no swap could be had: the devices were full or the limit was hit.
memcg.*.swap.events.max | memory.swap.events | Documentation/admin-guide/cgroup-v2.rst
  Times that the cgroup was about to go beyond memory.swap.max.
memcg.*.events.max | memory.events | Documentation/admin-guide/cgroup-v2.rst
  Times that the cgroup was about to go beyond memory.max and had to reclaim.
memcg.*.peak | memory.peak | Documentation/admin-guide/cgroup-v2.rst
  The most memory that was charged to the cgroup.
memcg.* | files memory.* of the cgroup | Documentation/admin-guide/cgroup-v2.rst
  A counter of a cgroup and the ones below it; sizes in bytes.
zswap.pool_total_size | /sys/kernel/debug/zswap | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  Bytes of RAM that the pool takes. At max_pool_percent of RAM zswap takes no more pages.
zswap.stored_pages | /sys/kernel/debug/zswap | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  Pages in zswap now.
zswap.pool_limit_hit | /sys/kernel/debug/zswap | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  Times that the pool was found at its limit.
zswap.written_back_pages | /sys/kernel/debug/zswap | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  Pages that zswap wrote to a swap device to make room. An xswap device has none to write to.
zswap.stored_incompressible_pages | /sys/kernel/debug/zswap | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  Pages that would not get smaller and are kept as they are.
zswap.reject_compress_poor | /sys/kernel/debug/zswap | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  Pages refused because compressing would have made them no smaller.
zswap.* | /sys/kernel/debug/zswap | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  A counter of zswap.
zram.*.orig_data_size | /sys/block/zram<N>/mm_stat | Documentation/admin-guide/blockdev/zram.rst
  Bytes stored, before they were compressed; pages of one repeated value do not count.
zram.*.compr_data_size | /sys/block/zram<N>/mm_stat | Documentation/admin-guide/blockdev/zram.rst
  Compressed bytes of what is stored.
zram.*.mem_used_max | /sys/block/zram<N>/mm_stat | Documentation/admin-guide/blockdev/zram.rst
  The most RAM that the device took.
zram.*.mem_used_total | /sys/block/zram<N>/mm_stat | Documentation/admin-guide/blockdev/zram.rst
  RAM that the device takes: compressed data and what its allocator loses between.
zram.* | /sys/block/zram<N>/mm_stat | Documentation/admin-guide/blockdev/zram.rst
  A column of mm_stat.
block.*_merges | /sys/block/<disk>/stat | Documentation/block/stat.rst
  Requests that were joined to a neighbour before they went to the disk.
block.*_ios | /sys/block/<disk>/stat | Documentation/block/stat.rst
  Requests that the disk carried out.
block.*_sectors | /sys/block/<disk>/stat | Documentation/block/stat.rst
  Sectors of 512 bytes that were moved, whatever the disk’s own sectors are.
/sys/kernel/mm/xswap/create | itself | cover letter of xswap v3
  Each write makes one xswap device, with the priority written or the default. It is as large as RAM and may grow to twice
  that. zswap must be on.
/sys/kernel/mm/xswap/destroy | itself | cover letter of xswap v3
  Writing a swap type switches that xswap device off, as swapoff does: its pages are brought back first.
/sys/kernel/mm/xswap/type*/limit | itself | cover letter of xswap v3
  Ceiling of the device in pages, header left out: it becomes whole clusters of 512 pages less one. Below the pages in use it
  is raised to the clusters that cover them.
/sys/module/zswap/parameters/* | itself | Documentation/admin-guide/mm/zswap.rst, mm/zswap.c
  A setting of zswap. It holds for pages that come from now on; what is stored stays as it is.
/sys/block/zram*/disksize | itself | Documentation/admin-guide/blockdev/zram.rst
  Size of the device before compression. It can be set once; reset frees the device for another.
/proc/sys/vm/swappiness | itself | Documentation/admin-guide/sysctl/vm.rst
  How reclaim weighs anonymous memory against page cache: 0 to 200, 100 is even.
/proc/sys/vm/page-cluster | itself | Documentation/admin-guide/sysctl/vm.rst
  Swap reads ahead up to 2 to this power pages: 3 means 8, 0 switches it off.
/sys/kernel/mm/transparent_hugepage/hugepages-*/enabled | itself | Documentation/admin-guide/mm/transhuge.rst
  May page faults take folios of this size? inherit follows the file one level up.
`;

function parseCatalogue(text: string): Explanation[] {
  const entries: { key: string; where: string; source: string; text: string }[] = [];
  for (const line of text.split('\n')) {
    const last = entries[entries.length - 1];
    if (line.startsWith('  ') && last !== undefined) {
      last.text += (last.text === '' ? '' : ' ') + line.trim();
    } else if (line !== '') {
      const [key = '', where = '', source = ''] = line.split(' | ');
      entries.push({ key, where, source, text: '' });
    }
  }
  return entries;
}

export const EXPLANATIONS: readonly Explanation[] = parseCatalogue(CATALOGUE);

function fits(pattern: string, name: string): boolean {
  return new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(name);
}

/** The paragraph on a metric (probe and always. prefixes are looked through) or on a path. */
export function explain(name: string): Explanation | undefined {
  const bare = name.replace(/^always\.(min|max)\./, '');
  return EXPLANATIONS.find(({ key }) => fits(key, bare));
}
