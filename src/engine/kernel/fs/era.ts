/**
 * What differs between kernel versions in the files themselves: which lines they have and in which order.
 * Taken from real machines (test-data/captures): 6.18 from the host capture, cgroup files from the 6.18 guest; 7.3 from the guest.
 */
import { MEMCG_NUMA_STAT, MEMCG_STAT, MEMCG_STAT_618, sinceLinux7 } from '../memory/counters';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** /proc/vmstat of Linux 6.18 with zswap. */
export const VMSTAT_618: readonly string[] = words(`
  nr_free_pages nr_free_pages_blocks nr_zone_inactive_anon nr_zone_active_anon nr_zone_inactive_file nr_zone_active_file
  nr_zone_unevictable nr_zone_write_pending nr_mlock nr_zspages nr_free_cma numa_hit numa_miss numa_foreign numa_interleave
  numa_local numa_other nr_inactive_anon nr_active_anon nr_inactive_file nr_active_file nr_unevictable nr_slab_reclaimable
  nr_slab_unreclaimable nr_isolated_anon nr_isolated_file workingset_nodes workingset_refault_anon workingset_refault_file
  workingset_activate_anon workingset_activate_file workingset_restore_anon workingset_restore_file workingset_nodereclaim
  nr_anon_pages nr_mapped nr_file_pages nr_dirty nr_writeback nr_shmem nr_shmem_hugepages nr_shmem_pmdmapped nr_file_hugepages
  nr_file_pmdmapped nr_anon_transparent_hugepages nr_vmscan_write nr_vmscan_immediate_reclaim nr_dirtied nr_written
  nr_throttled_written nr_kernel_misc_reclaimable nr_foll_pin_acquired nr_foll_pin_released nr_kernel_stack nr_page_table_pages
  nr_sec_page_table_pages nr_iommu_pages nr_swapcached pgpromote_success pgpromote_candidate pgpromote_candidate_nrl
  pgdemote_kswapd pgdemote_direct pgdemote_khugepaged pgdemote_proactive nr_hugetlb nr_balloon_pages nr_kernel_file_pages
  nr_dirty_threshold nr_dirty_background_threshold nr_memmap_pages nr_memmap_boot_pages pgpgin pgpgout pswpin pswpout pgalloc_dma
  pgalloc_dma32 pgalloc_normal pgalloc_movable pgalloc_device allocstall_dma allocstall_dma32 allocstall_normal allocstall_movable
  allocstall_device pgskip_dma pgskip_dma32 pgskip_normal pgskip_movable pgskip_device pgfree pgactivate pgdeactivate pglazyfree
  pgfault pgmajfault pglazyfreed pgrefill pgreuse pgsteal_kswapd pgsteal_direct pgsteal_khugepaged pgsteal_proactive pgscan_kswapd
  pgscan_direct pgscan_khugepaged pgscan_proactive pgscan_direct_throttle pgscan_anon pgscan_file pgsteal_anon pgsteal_file
  zone_reclaim_success zone_reclaim_failed pginodesteal slabs_scanned kswapd_inodesteal kswapd_low_wmark_hit_quickly
  kswapd_high_wmark_hit_quickly pageoutrun pgrotated drop_pagecache drop_slab oom_kill numa_pte_updates numa_huge_pte_updates
  numa_hint_faults numa_hint_faults_local numa_pages_migrated pgmigrate_success pgmigrate_fail thp_migration_success
  thp_migration_fail thp_migration_split compact_migrate_scanned compact_free_scanned compact_isolated compact_stall compact_fail
  compact_success compact_daemon_wake compact_daemon_migrate_scanned compact_daemon_free_scanned htlb_buddy_alloc_success
  htlb_buddy_alloc_fail unevictable_pgs_culled unevictable_pgs_scanned unevictable_pgs_rescued unevictable_pgs_mlocked
  unevictable_pgs_munlocked unevictable_pgs_cleared unevictable_pgs_stranded thp_fault_alloc thp_fault_fallback
  thp_fault_fallback_charge thp_collapse_alloc thp_collapse_alloc_failed thp_file_alloc thp_file_fallback thp_file_fallback_charge
  thp_file_mapped thp_split_page thp_split_page_failed thp_deferred_split_page thp_underused_split_page thp_split_pmd
  thp_scan_exceed_none_pte thp_scan_exceed_swap_pte thp_scan_exceed_share_pte thp_split_pud thp_zero_page_alloc
  thp_zero_page_alloc_failed thp_swpout thp_swpout_fallback balloon_inflate balloon_deflate balloon_migrate swap_ra swap_ra_hit
  swpin_zero swpout_zero ksm_swpin_copy cow_ksm zswpin zswpout zswpwb direct_map_level2_splits direct_map_level3_splits
  direct_map_level2_collapses direct_map_level3_collapses nr_unstable
`);

/** /proc/vmstat of Linux 7.3. */
export const VMSTAT_73: readonly string[] = words(`
  nr_free_pages nr_free_pages_blocks nr_zone_inactive_anon nr_zone_active_anon nr_zone_inactive_file nr_zone_active_file
  nr_zone_unevictable nr_zone_write_pending nr_mlock nr_zspages nr_free_cma nr_unaccepted numa_hit numa_miss numa_foreign
  numa_interleave numa_local numa_other nr_inactive_anon nr_active_anon nr_inactive_file nr_active_file nr_unevictable
  nr_slab_reclaimable nr_slab_unreclaimable nr_isolated_anon nr_isolated_file workingset_nodes workingset_refault_anon
  workingset_refault_file workingset_activate_anon workingset_activate_file workingset_restore_anon workingset_restore_file
  workingset_nodereclaim nr_anon_pages nr_mapped nr_file_pages nr_dirty nr_writeback nr_shmem nr_shmem_hugepages
  nr_shmem_pmdmapped nr_file_hugepages nr_file_pmdmapped nr_anon_transparent_hugepages nr_vmscan_write nr_vmscan_immediate_reclaim
  nr_dirtied nr_written nr_throttled_written nr_kernel_misc_reclaimable nr_foll_pin_acquired nr_foll_pin_released nr_vmalloc
  nr_kernel_stack nr_page_table_pages nr_sec_page_table_pages nr_iommu_pages nr_swapcached pgpromote_success pgpromote_candidate
  pgpromote_candidate_nrl pgdemote_kswapd pgdemote_direct pgdemote_khugepaged pgdemote_proactive pgsteal_kswapd pgsteal_direct
  pgsteal_khugepaged pgsteal_proactive pgsteal_anon pgsteal_file pgscan_kswapd pgscan_direct pgscan_khugepaged pgscan_proactive
  pgscan_anon pgscan_file pgrotate_anon pgrotate_file pgrefill nr_hugetlb nr_balloon_pages nr_kernel_file_pages nr_gpu_active
  nr_gpu_reclaim nr_dirty_threshold nr_dirty_background_threshold nr_memmap_pages nr_memmap_boot_pages pgpgin pgpgout pswpin
  pswpout pgalloc_dma pgalloc_dma32 pgalloc_normal pgalloc_movable pgalloc_device allocstall_dma allocstall_dma32
  allocstall_normal allocstall_movable allocstall_device pgskip_dma pgskip_dma32 pgskip_normal pgskip_movable pgskip_device pgfree
  pgactivate pgdeactivate pglazyfree pgfault pgmajfault pglazyfreed pgreuse pgscan_direct_throttle zone_reclaim_success
  zone_reclaim_failed pginodesteal slabs_scanned kswapd_inodesteal kswapd_low_wmark_hit_quickly kswapd_high_wmark_hit_quickly
  pageoutrun pgrotated drop_pagecache drop_slab oom_kill numa_pte_updates numa_huge_pte_updates numa_hint_faults
  numa_hint_faults_local numa_pages_migrated pgmigrate_success pgmigrate_fail thp_migration_success thp_migration_fail
  thp_migration_split compact_migrate_scanned compact_free_scanned compact_isolated compact_stall compact_fail compact_success
  compact_daemon_wake compact_daemon_migrate_scanned compact_daemon_free_scanned htlb_buddy_alloc_success htlb_buddy_alloc_fail
  cma_alloc_success cma_alloc_fail unevictable_pgs_culled unevictable_pgs_scanned unevictable_pgs_rescued unevictable_pgs_mlocked
  unevictable_pgs_munlocked unevictable_pgs_cleared unevictable_pgs_stranded thp_fault_alloc thp_fault_fallback
  thp_fault_fallback_charge thp_collapse_alloc thp_collapse_alloc_failed thp_file_alloc thp_file_fallback thp_file_fallback_charge
  thp_file_mapped thp_split_page thp_split_page_failed thp_deferred_split_page thp_underused_split_page thp_split_pmd
  thp_scan_exceed_none_pte thp_scan_exceed_swap_pte thp_scan_exceed_share_pte thp_split_pud thp_zero_page_alloc
  thp_zero_page_alloc_failed thp_swpout thp_swpout_fallback balloon_inflate balloon_deflate balloon_migrate swap_ra swap_ra_hit
  swpin_zero swpout_zero ksm_swpin_copy cow_ksm zswpin zswpout zswpwb direct_map_level2_splits direct_map_level3_splits
  direct_map_level2_collapses direct_map_level3_collapses nrswpin nrswpout nr_unstable
`);

/** /proc/meminfo of Linux 6.18 with zswap. */
export const MEMINFO_618: readonly string[] = words(`
  MemTotal MemFree MemAvailable Buffers Cached SwapCached Active Inactive Active(anon) Inactive(anon) Active(file) Inactive(file)
  Unevictable Mlocked SwapTotal SwapFree Zswap Zswapped Dirty Writeback AnonPages Mapped Shmem KReclaimable Slab SReclaimable
  SUnreclaim KernelStack PageTables SecPageTables NFS_Unstable Bounce WritebackTmp CommitLimit Committed_AS VmallocTotal
  VmallocUsed VmallocChunk Percpu AnonHugePages ShmemHugePages ShmemPmdMapped FileHugePages FilePmdMapped Balloon HugePages_Total
  HugePages_Free HugePages_Rsvd HugePages_Surp Hugepagesize Hugetlb DirectMap4k DirectMap2M DirectMap1G
`);

/** /proc/meminfo of Linux 7.3. */
export const MEMINFO_73: readonly string[] = words(`
  MemTotal MemFree MemAvailable Buffers Cached SwapCached Active Inactive Active(anon) Inactive(anon) Active(file) Inactive(file)
  Unevictable Mlocked SwapTotal SwapFree Zswap Zswapped Dirty Writeback AnonPages Mapped Shmem KReclaimable Slab SReclaimable
  SUnreclaim KernelStack PageTables SecPageTables NFS_Unstable Bounce WritebackTmp CommitLimit Committed_AS VmallocTotal
  VmallocUsed VmallocChunk Percpu HardwareCorrupted AnonHugePages ShmemHugePages ShmemPmdMapped FileHugePages FilePmdMapped
  CmaTotal CmaFree Unaccepted Balloon GPUActive GPUReclaim HugePages_Total HugePages_Free HugePages_Rsvd HugePages_Surp
  Hugepagesize Hugetlb DirectMap4k DirectMap2M DirectMap1G
`);

/** memory.numa_stat of Linux 6.18. */
export const MEMCG_NUMA_STAT_618: readonly string[] = words(`
  anon file kernel_stack pagetables sec_pagetables shmem file_mapped file_dirty file_writeback swapcached anon_thp file_thp
  shmem_thp inactive_anon active_anon inactive_file active_file unevictable slab_reclaimable slab_unreclaimable hugetlb
  workingset_refault_anon workingset_refault_file workingset_activate_anon workingset_activate_file workingset_restore_anon
  workingset_restore_file workingset_nodereclaim pgdemote_kswapd pgdemote_direct pgdemote_khugepaged pgdemote_proactive
  pgpromote_success
`);

export interface FileEra {
  /** Version of the captures the formats were taken from. */
  readonly id: '6.18' | '7.3';
  readonly meminfo: readonly string[];
  readonly vmstat: readonly string[];
  readonly memcgStat: readonly string[];
  readonly memcgNumaStat: readonly string[];
  /** memory.events has sock_throttled. */
  readonly sockThrottled: boolean;
  /** hugepages-<size>/stats has the collapse counters. */
  readonly collapseStats: boolean;
  /** Sizes beyond 64 bits stop at the highest number instead of wrapping around. */
  readonly memparseSaturates: boolean;
}

const LINUX_618: FileEra = {
  id: '6.18', meminfo: MEMINFO_618, vmstat: VMSTAT_618, memcgStat: MEMCG_STAT_618, memcgNumaStat: MEMCG_NUMA_STAT_618,
  sockThrottled: false, collapseStats: false, memparseSaturates: false,
};

const LINUX_73: FileEra = {
  id: '7.3', meminfo: MEMINFO_73, vmstat: VMSTAT_73, memcgStat: MEMCG_STAT, memcgNumaStat: MEMCG_NUMA_STAT,
  sockThrottled: true, collapseStats: true, memparseSaturates: true,
};

/** The era of a release text such as `6.18.15` or `7.3.4-xswap`: 7.0 and later read as 7.3, all before as 6.18. */
export function eraOf(release: string): FileEra {
  return sinceLinux7(release) ? LINUX_73 : LINUX_618;
}
