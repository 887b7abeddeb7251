/**
 * Names and order of the counters that the memory layer keeps. Order is that of Linux 7.3 (cgroup v2 memory.stat,
 * /sys/kernel/mm/transparent_hugepage/hugepages-<size>/stats); a kernel file writer leaves out what its era does not have.
 */

/** memory.stat of a cgroup, in file order. See STAT_UNIT for what a value counts. */
export const MEMCG_STAT = [
  'anon', 'file', 'kernel', 'kernel_stack', 'pagetables', 'sec_pagetables', 'percpu', 'sock', 'vmalloc', 'shmem',
  'zswap', 'zswapped', 'zswap_incomp', 'file_mapped', 'file_dirty', 'file_writeback', 'swapcached',
  'anon_thp', 'file_thp', 'shmem_thp', 'inactive_anon', 'active_anon', 'inactive_file', 'active_file', 'unevictable',
  'slab_reclaimable', 'slab_unreclaimable', 'slab',
  'workingset_refault_anon', 'workingset_refault_file', 'workingset_activate_anon', 'workingset_activate_file',
  'workingset_restore_anon', 'workingset_restore_file', 'workingset_nodereclaim',
  'pgdemote_kswapd', 'pgdemote_direct', 'pgdemote_khugepaged', 'pgdemote_proactive',
  'pgsteal_kswapd', 'pgsteal_direct', 'pgsteal_khugepaged', 'pgsteal_proactive',
  'pgscan_kswapd', 'pgscan_direct', 'pgscan_khugepaged', 'pgscan_proactive', 'pgrefill', 'pgpromote_success',
  'pgscan', 'pgsteal', 'pswpin', 'pswpout', 'pgfault', 'pgmajfault', 'pgactivate', 'pgdeactivate', 'pglazyfree', 'pglazyfreed',
  'swpin_zero', 'swpout_zero', 'zswpin', 'zswpout', 'zswpwb',
  'thp_fault_alloc', 'thp_collapse_alloc', 'thp_swpout', 'thp_swpout_fallback',
  'numa_pages_migrated', 'numa_pte_updates', 'numa_hint_faults',
] as const;
export type MemcgStatName = (typeof MEMCG_STAT)[number];

/**
 * memory.stat of Linux 6.18, in file order; the five zswap lines stand where mm/memcontrol.c of 6.18 has them (the guest was
 * built without).
 */
export const MEMCG_STAT_618: readonly MemcgStatName[] = [
  'anon', 'file', 'kernel', 'kernel_stack', 'pagetables', 'sec_pagetables', 'percpu', 'sock', 'vmalloc', 'shmem', 'zswap',
  'zswapped', 'file_mapped', 'file_dirty', 'file_writeback', 'swapcached', 'anon_thp', 'file_thp', 'shmem_thp',
  'inactive_anon', 'active_anon', 'inactive_file', 'active_file', 'unevictable', 'slab_reclaimable', 'slab_unreclaimable',
  'slab', 'workingset_refault_anon', 'workingset_refault_file', 'workingset_activate_anon', 'workingset_activate_file',
  'workingset_restore_anon', 'workingset_restore_file', 'workingset_nodereclaim', 'pgdemote_kswapd', 'pgdemote_direct',
  'pgdemote_khugepaged', 'pgdemote_proactive', 'pgpromote_success', 'pgscan', 'pgsteal', 'pswpin', 'pswpout',
  'pgscan_kswapd', 'pgscan_direct', 'pgscan_khugepaged', 'pgscan_proactive', 'pgsteal_kswapd', 'pgsteal_direct',
  'pgsteal_khugepaged', 'pgsteal_proactive', 'pgfault', 'pgmajfault', 'pgrefill', 'pgactivate', 'pgdeactivate',
  'pglazyfree', 'pglazyfreed', 'swpin_zero', 'swpout_zero', 'zswpin', 'zswpout', 'zswpwb', 'thp_fault_alloc',
  'thp_collapse_alloc', 'thp_swpout', 'thp_swpout_fallback', 'numa_pages_migrated', 'numa_pte_updates', 'numa_hint_faults',
];

/** Is it a release of 7.0 or later? Formats before that are those of 6.18. */
export const sinceLinux7 = (release: string): boolean => Number.parseInt(release, 10) >= 7;

/** Of memory.stat, what memory.numa_stat shows too, in its order. */
export const MEMCG_NUMA_STAT = [
  'anon', 'file', 'kernel_stack', 'pagetables', 'sec_pagetables', 'vmalloc', 'shmem', 'file_mapped', 'file_dirty', 'file_writeback',
  'swapcached', 'anon_thp', 'file_thp', 'shmem_thp', 'inactive_anon', 'active_anon', 'inactive_file', 'active_file', 'unevictable',
  'slab_reclaimable', 'slab_unreclaimable', 'hugetlb',
  'workingset_refault_anon', 'workingset_refault_file', 'workingset_activate_anon', 'workingset_activate_file',
  'workingset_restore_anon', 'workingset_restore_file', 'workingset_nodereclaim',
  'pgdemote_kswapd', 'pgdemote_direct', 'pgdemote_khugepaged', 'pgdemote_proactive',
  'pgsteal_kswapd', 'pgsteal_direct', 'pgsteal_khugepaged', 'pgsteal_proactive',
  'pgscan_kswapd', 'pgscan_direct', 'pgscan_khugepaged', 'pgscan_proactive', 'pgrefill', 'pgpromote_success',
] as const;

/** hugepages-<size>/stats of one order. Values are folios. */
export const THP_STAT = [
  'anon_fault_alloc', 'anon_fault_fallback', 'anon_fault_fallback_charge', 'collapse_alloc', 'collapse_alloc_failed',
  'collapse_exceed_none_pte', 'collapse_exceed_shared_pte', 'collapse_exceed_swap_pte', 'nr_anon', 'nr_anon_partially_mapped',
  'shmem_alloc', 'shmem_fallback', 'shmem_fallback_charge', 'split', 'split_deferred', 'split_failed',
  'swpin', 'swpin_fallback', 'swpin_fallback_charge', 'swpout', 'swpout_fallback', 'zswpout',
] as const;
export type ThpStatName = (typeof THP_STAT)[number];
