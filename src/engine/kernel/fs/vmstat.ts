/**
 * /proc/vmstat: `name value`, lines and order by era. Source: mm/vmstat.c. What the memory layer counts comes from there;
 * sizes that /proc/meminfo shows in kB stand here in pages; what nobody models reads 0.
 */
import type { FileEra } from './era';
import type { FsKernel } from './kernel';
import { PAGE_KB } from './kernel';
import { meminfoValues } from './meminfo';

/** Lines that follow from the same state as /proc/meminfo, used where the memory layer has no name of its own for them. */
export function derivedVmstat(kernel: FsKernel): Map<string, number> {
  const info = meminfoValues(kernel);
  const pages = (key: string): number => Math.floor((info.get(key) ?? 0) / PAGE_KB);
  const active = pages('Active(anon)');
  const inactive = pages('Inactive(anon)');
  return new Map([
    ['nr_free_pages', pages('MemFree')],
    ['nr_zone_inactive_anon', inactive],
    ['nr_zone_active_anon', active],
    ['nr_inactive_anon', inactive],
    ['nr_active_anon', active],
    ['nr_slab_unreclaimable', pages('SUnreclaim')],
    ['nr_anon_pages', pages('AnonPages')],
    // NR_FILE_PAGES counts the swap cache, and there is no page cache here.
    ['nr_file_pages', pages('SwapCached')],
    ['nr_swapcached', pages('SwapCached')],
    ['nr_page_table_pages', pages('PageTables')],
    ['nr_writeback', pages('Writeback')],
    ['nr_anon_transparent_hugepages', Math.floor((info.get('AnonHugePages') ?? 0) / 2048)],
  ]);
}

export function formatVmstat(keys: readonly string[], value: (key: string) => number): string {
  return keys.map((key) => `${key} ${value(key)}\n`).join('');
}

export function vmstatFile(kernel: FsKernel, era: FileEra): string {
  const derived = derivedVmstat(kernel);
  return formatVmstat(era.vmstat, (key) => kernel.memory.vmstat(key) ?? derived.get(key) ?? 0);
}
