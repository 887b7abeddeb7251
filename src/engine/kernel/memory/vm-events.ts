/** Counters of /proc/vmstat that no cgroup keeps. Field names are those of the file, except pgalloc (all zones together). */
export class VmEvents {
  pgalloc = 0;
  pgfree = 0;
  pgreuse = 0;
  pgscan_anon = 0;
  pgsteal_anon = 0;
  pgrotate_anon = 0;
  pgrotated = 0;
  nr_vmscan_write = 0;
  nr_written = 0;
  nrswpin = 0;
  nrswpout = 0;
  pgpgin = 0;
  pgpgout = 0;
  allocstall_normal = 0;
  pageoutrun = 0;
  oom_kill = 0;
  swap_ra = 0;
  swap_ra_hit = 0;
  thp_fault_fallback = 0;
  thp_fault_fallback_charge = 0;
  thp_split_page = 0;
  thp_split_pmd = 0;
}
export type VmEventName = keyof VmEvents;
