/**
 * A kernel whose counters are the numbers of a capture, so that every byte of a file can be compared with the capture it came from.
 * It has no behaviour: writes are tested on the real layers.
 */
import type { MachineSpec } from '../../../experiment/spec';
import type { MemcgView, MemorySystem, ZramView, ZswapView } from '../../memory/types';
import type { SwapDeviceView } from '../../swap/types';
import type { FsKernel, SwapFiles } from '../kernel';
import { parseProcSwaps } from '../proc-swaps';
import { PAGE_COUNTER_MAX } from '../parse';
import { golden, goldenSections } from './golden';

export const machine: MachineSpec = { ram_pages: 503683, cpus: 2, nodes: 1, swap: [] };

/** `name value` or `name: value` lines. */
export function keyed(text: string): Map<string, number> {
  return new Map(text.trimEnd().split('\n').map((line) => {
    const [key = '', value = ''] = line.split(/[: ]+/);
    return [key, Number(value)];
  }));
}

const pages = (text: string | undefined): number => {
  const word = (text ?? '').trim();
  return word === 'max' ? PAGE_COUNTER_MAX : Number(BigInt(word) >> 12n);
};

function memcgOf(sections: Map<string, string>): MemcgView {
  const section = (name: string): string => sections.get(name) ?? '';
  const root = { id: 0, path: '/', name: '', parent: null, children: [] as MemcgView[], pids: [] as number[], zswapWriteback: true };
  const app = {
    id: 1, path: '/app', name: 'app', parent: root as unknown as MemcgView, children: [], pids: [],
    currentPages: pages(section('memory.current')), peakPages: pages(section('memory.peak')), maxPages: pages(section('memory.max')),
    highPages: pages(section('memory.high')), lowPages: pages(section('memory.low')), minPages: pages(section('memory.min')),
    swapCurrentPages: pages(section('memory.swap.current')), swapPeakPages: pages(section('memory.swap.peak')),
    swapMaxPages: pages(section('memory.swap.max')), swapHighPages: pages(section('memory.swap.high')),
    zswapCurrentBytes: Number(section('memory.zswap.current')), zswapMaxPages: pages(sections.get('memory.zswap.max') ?? 'max'),
    zswapWriteback: section('memory.zswap.writeback').trim() === '1', oomGroup: section('memory.oom.group').trim() === '1',
    events: Object.fromEntries(keyed(section('memory.events'))), eventsLocal: Object.fromEntries(keyed(section('memory.events.local'))),
    swapEvents: Object.fromEntries(keyed(section('memory.swap.events'))), failcnt: 0, swapFailcnt: 0,
  } as unknown as MemcgView;
  root.children.push(app);
  return root as unknown as MemcgView;
}

function zswapOf(parameters: string, debug: string): ZswapView {
  const parameter = new Map([...parameters.matchAll(/parameters\/(\w+): (.*)/g)].map(([, key, value]) => [key, value]));
  const counter = keyed(debug);
  const of = (name: string): number => counter.get(name) ?? 0;
  return {
    enabled: parameter.get('enabled') === 'Y', compressor: parameter.get('compressor') ?? '',
    maxPoolPercent: Number(parameter.get('max_pool_percent')), acceptThresholdPercent: Number(parameter.get('accept_threshold_percent')),
    shrinkerEnabled: parameter.get('shrinker_enabled') === 'Y', poolPages: of('pool_total_size') / 4096, storedBytes: 0,
    storedPages: of('stored_pages'), storedIncompressiblePages: of('stored_incompressible_pages'), poolLimitHit: of('pool_limit_hit'),
    writtenBackPages: of('written_back_pages'), rejectReclaimFail: of('reject_reclaim_fail'), rejectAllocFail: of('reject_alloc_fail'),
    rejectKmemcacheFail: of('reject_kmemcache_fail'), rejectCompressFail: of('reject_compress_fail'),
    rejectCompressPoor: of('reject_compress_poor'), decompressFail: of('decompress_fail'),
  };
}

/** A zram device with the numbers of captured mm_stat and io_stat texts. */
export function capturedZram(name: string, mm: string, io: string): ZramView {
  const m = mm.trim().split(/\s+/).map(Number);
  const i = io.trim().split(/\s+/).map(Number);
  return {
    name, disksizeBytes: 67108864, compressor: 'lzo-rle', origDataBytes: m[0], comprDataBytes: m[1], memUsedTotalBytes: m[2],
    memLimitBytes: m[3], memUsedMaxBytes: m[4], samePages: m[5], pagesCompacted: m[6], hugePages: m[7], hugePagesSince: m[8],
    numReads: 0, numWrites: 0, failedReads: i[0], failedWrites: i[1], invalidIo: i[2], notifyFree: i[3], claimed: true,
  };
}

/** Swap devices as /proc/swaps of a capture has them, in its order of types. */
export function capturedSwap(procSwaps: string): SwapFiles {
  const devices = parseProcSwaps(procSwaps).map((row, type): SwapDeviceView => ({
    type, kind: row.type === 'file' ? 'file' : 'partition', name: row.name, priority: row.priority, maxSlots: Number(row.sizeKB) / 4 + 1,
    pages: Number(row.sizeKB) / 4, inUse: Number(row.usedKB) / 4, writable: true, rotational: false,
    clusters: 0, ceiling: 0, node: -1, freeClusters: 0,
  }));
  return {
    policies: { xswap: false }, devices: () => devices, totalPages: 0, freePages: 0,
    xswapLimit: () => 0, setXswapLimit: () => undefined,
  };
}

/** The kernel of one state of test-data/captures/guest-*. */
export function capturedKernel(folder: string, release: string): FsKernel {
  const sections = goldenSections(`${folder}/cgroup-memory.txt`);
  const stat = keyed(sections.get('memory.stat') ?? '');
  const vmstat = keyed(golden(`${folder}/proc-vmstat.txt`));
  const thp = keyed(golden(`${folder}/thp-stats.txt`));
  const info = keyed(golden(`${folder}/proc-meminfo.txt`));
  const of = (key: string): number => info.get(key) ?? 0;
  const root = memcgOf(sections);
  const memory = {
    config: { machine, release, policies: {} },
    reclaimBatches: { slots: 0, runs: 0 },
    listener: {}, root, zrams: [], blocks: [], processes: [], log: [],
    zswap: zswapOf(golden(`${folder}/zswap-parameters.txt`), golden(`${folder}/zswap-debugfs.txt`)),
    meminfo: () => ({
      MemTotal: of('MemTotal'), MemFree: of('MemFree'), MemAvailable: of('MemAvailable'), SwapCached: of('SwapCached'),
      ActiveAnon: of('Active(anon)'), InactiveAnon: of('Inactive(anon)'), SwapTotal: of('SwapTotal'), SwapFree: of('SwapFree'),
      Zswap: of('Zswap'), Zswapped: of('Zswapped'), Writeback: of('Writeback'), AnonPages: of('AnonPages'), PageTables: of('PageTables'),
      AnonHugePages: of('AnonHugePages'), CommittedAS: of('Committed_AS'), CommitLimit: of('CommitLimit'), KernelOther: 0,
    }),
    vmstat: (name: string) => vmstat.get(name),
    memcgStat: (_: MemcgView, name: string) => stat.get(name) ?? 0,
    thpStat: (order: number, name: string) => thp.get(`hugepages-${4 << order}kB/stats/${name}`) ?? 0,
    thpMode: () => 'never',
    thpGlobal: 'madvise', swappiness: 60, pageCluster: 3,
  };
  return { swap: capturedSwap(golden(`${folder}/proc-swaps.txt`)), memory: memory as unknown as MemorySystem };
}
