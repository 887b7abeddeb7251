import type { DeviceRow } from '../../contract/engine-api';
import type { ChartHelp, ChartSeries } from '../charts/contract';
import { shortName } from '../stores/colours';
import type { ColourBook } from '../stores/colours';

/** A chart of the run screen. */
export interface ChartDef {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly series: readonly ChartSeries[];
  readonly help: ChartHelp;
}

const KB_TO_GIB = 1 / (1024 * 1024);
const KB_TO_MIB = 1 / 1024;

type Counters = Readonly<Record<string, number>>;

/** Unit for a set of sizes: MiB below 2 GiB, else GiB. */
const sizeUnit = (most_kB: number): { unit: string; scale: number } => (
  most_kB < 2 * 1024 * 1024 ? { unit: 'MiB', scale: KB_TO_MIB } : { unit: 'GiB', scale: KB_TO_GIB }
);

/** Highest recorded value of a metric: the unit of a chart follows all of its past, not the moment. */
type Most = (metric: string) => number;

export function swapChart(most: Most): ChartDef {
  const { unit, scale } = sizeUnit(most('meminfo.SwapTotal_kB'));
  return {
    name: 'swap', title: 'SwapTotal and SwapFree', unit,
    series: [
      { metric: 'meminfo.SwapTotal_kB', name: 'SwapTotal', colour: 1, scale },
      { metric: 'meminfo.SwapFree_kB', name: 'SwapFree', colour: 2, scale, area: true },
    ],
    help: {
      text: 'How much swap there is and how much of it is free. SwapTotal follows swapon, swapoff and, with xswap, the limit; '
        + 'SwapFree falls as pages are given slots.',
      where: '/proc/meminfo: SwapTotal, SwapFree', source: 'Documentation/filesystems/proc.rst',
    },
  };
}

/** The recorder's column of a device's use. */
export const useMetric = (device: string): string => `swaps.${shortName(device)}.used_kB`;

export function deviceChart(devices: readonly DeviceRow[], colours: ColourBook, most: Most): ChartDef {
  const { unit, scale } = sizeUnit(devices.reduce((high, device) => Math.max(high, most(useMetric(device.name))), 0));
  return {
    name: 'devices', title: 'Use by device', unit,
    series: devices.map((device, index) => ({
      metric: useMetric(device.name), name: shortName(device.name), colour: colours.of(device.name), scale, dashed: index % 2 === 1,
    })),
    help: {
      text: 'Slots in use on each device. The device with the highest priority fills first; devices of equal priority take turns, '
        + 'one cluster of 512 slots (2 MiB) at a time.',
      where: '/proc/swaps: Used', source: 'swapon(8); mm/swapfile.c',
    },
  };
}

/** A counter of a cgroup: `memcg.app.current` for `/app`. */
export const cgroupMetric = (path: string, name: string): string => `memcg.${path.slice(1)}.${name}`;

/** The cgroups that the counters tell of, the root left out: `/app`. */
export function cgroupPaths(counters: Counters): string[] {
  const paths = new Set<string>();
  for (const key of Object.keys(counters)) {
    const match = /^memcg\.(.+)\.oom_kill$/.exec(key);
    if (match?.[1]) paths.add(`/${match[1]}`);
  }
  return [...paths];
}

export function memoryChart(counters: Counters, most: Most): ChartDef {
  const [cgroup] = cgroupPaths(counters);
  const kB = 1024;
  // cgroup files count bytes, meminfo kB: scale brings all of them to bytes.
  const lines: ChartSeries[] = cgroup
    ? [
      { metric: cgroupMetric(cgroup, 'current'), name: 'memory.current', colour: 7, scale: 1 },
      { metric: cgroupMetric(cgroup, 'swap.current'), name: 'swap.current', colour: 4, scale: 1, dashed: true },
    ]
    : [
      { metric: 'meminfo.MemFree_kB', name: 'MemFree', colour: 7, scale: kB },
      { metric: 'meminfo.AnonPages_kB', name: 'AnonPages', colour: 4, scale: kB, dashed: true },
    ];
  lines.push({ metric: 'meminfo.Zswap_kB', name: 'zswap pool', colour: 5, scale: kB });
  const { unit, scale } = sizeUnit(lines.reduce((high, line) => Math.max(high, most(line.metric) * line.scale), 0) / kB);
  return {
    name: 'memory', title: cgroup ? `Memory of ${cgroup}` : 'Memory', unit,
    series: lines.map((line) => ({ ...line, scale: (line.scale * scale) / kB })),
    help: {
      text: 'What the cgroup is charged for: its pages in RAM, the compressed pages that zswap holds for it, and the slots it uses in swap. '
        + 'At memory.max the kernel reclaims; when that does not help, the OOM killer ends a process.',
      where: 'memory.current, memory.swap.current; /proc/meminfo: Zswap', source: 'Documentation/admin-guide/cgroup-v2.rst',
    },
  };
}

/** Sizes of large folios that have been swapped out, or were to be. */
export function thpSizes(counters: Counters): string[] {
  const sizes = new Set<string>();
  for (const [key, value] of Object.entries(counters)) {
    const match = /^thp\.(\d+kB)\.swpout(_fallback)?$/.exec(key);
    if (match?.[1] && value > 0) sizes.add(match[1]);
  }
  return [...sizes].sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
}

/** Large folios as soon as there are any on their way out, until then pages. */
export function trafficChart(counters: Counters): ChartDef {
  const sizes = thpSizes(counters);
  if (sizes.length === 0) {
    return {
      name: 'traffic', title: 'Swap out and in', unit: 'pages/s',
      series: [
        { metric: 'vmstat.pswpout', name: 'out', colour: 1, scale: 1, rate: true },
        { metric: 'vmstat.pswpin', name: 'in', colour: 2, scale: 1, rate: true, dashed: true },
        { metric: 'vmstat.zswpout', name: 'to zswap', colour: 3, scale: 1, rate: true },
      ],
      help: {
        text: 'Pages written to swap devices, read back from them, and stored in zswap, a simulated second.',
        where: '/proc/vmstat: pswpout, pswpin, zswpout', source: 'mm/page_io.c, mm/zswap.c',
      },
    };
  }
  return {
    name: 'thp', title: 'mTHP out and fallback', unit: 'folios/s',
    series: sizes.slice(0, 3).flatMap((size, index) => [
      { metric: `thp.${size}.swpout`, name: `${size} swpout`, colour: index * 2 + 1, scale: 1, rate: true },
      { metric: `thp.${size}.swpout_fallback`, name: `${size} fallback`, colour: index * 2 + 2, scale: 1, rate: true, dashed: true },
    ]),
    help: {
      text: 'Large folios swapped out whole, and those that had to be split first because no device had enough adjacent free slots.',
      where: '/sys/kernel/mm/transparent_hugepage/hugepages-*/stats/swpout, swpout_fallback', source: 'Documentation/admin-guide/mm/transhuge.rst',
    },
  };
}
