/** Cells of the cluster map in words. */
import { codeOfCell, countOfCell, listOfCode, orderOfCode } from '../../engine/kernel/swap/cluster-map';
import { CLUSTER_SLOTS } from '../../engine/kernel/swap/types';
import type { ClusterMap } from '../../engine/machine';
import { formatCount } from '../ui/format';
import { shortName } from '../stores/colours';
import { LISTS, entryOfList } from './lists';
import { clustersOfCell, stretchOfCell } from './places';

export function codeText(code: number): string {
  const label = entryOfList(listOfCode(code))?.label ?? '?';
  const order = orderOfCode(code);
  return order < 0 ? label : `${label}, order ${order}`;
}

/** Who allocates from a cluster of the row: "CPU 0 takes order 4 from it". */
function currentText(map: ClusterMap, cluster: number): string {
  const texts: string[] = [];
  for (let i = 0; i < map.current.length; i += 3) {
    if (map.current[i + 2] !== cluster) continue;
    const cpu = map.current[i] ?? -1;
    texts.push(`${cpu < 0 ? 'every CPU' : `CPU ${cpu}`} takes order ${map.current[i + 1]} from it`);
  }
  return texts.length === 0 ? '' : `; ${texts.join(', ')}`;
}

/** One sentence about a cell. */
export function cellText(map: ClusterMap, index: number): string {
  const cell = map.cells[index];
  const stretch = stretchOfCell(map, index);
  if (cell === undefined || !stretch) return '';
  const { from: first, to } = clustersOfCell(map, stretch, index);
  const whose = stretch.total !== map.total ? `${shortName(stretch.name)}: ` : '';
  const count = countOfCell(cell);
  if (map.perCell === 1) {
    const slots = `slots ${formatCount(first * CLUSTER_SLOTS)} to ${formatCount(first * CLUSTER_SLOTS + CLUSTER_SLOTS - 1)}`;
    return `${whose}Cluster ${formatCount(first)} (${slots}): ${codeText(codeOfCell(cell))}; ${count} of 512 slots in use${currentText(map, stretch.base + first)}.`;
  }
  const mask = map.masks[index] ?? 0;
  const lists = LISTS.filter((entry) => (mask & entry.mask) !== 0).map((entry) => entry.label);
  return `${whose}Clusters ${formatCount(first)} to ${formatCount(to - 1)}: most are ${codeText(codeOfCell(cell))}; `
    + `${((count / CLUSTER_SLOTS) * 100).toFixed(1)} % of slots in use; lists: ${lists.join(', ')}.`;
}

export interface ListSum {
  readonly code: number;
  readonly text: string;
  readonly clusters: number;
  readonly used: number;
}

/** Rows of the table form: every list and order that has a cluster. */
export function listSums(map: ClusterMap): ListSum[] {
  const rows: ListSum[] = [];
  map.clusters.forEach((clusters, code) => {
    if (clusters > 0) rows.push({ code, text: codeText(code), clusters, used: map.used[code] ?? 0 });
  });
  const rank = (row: ListSum): number => LISTS.findIndex((entry) => entry.list === listOfCode(row.code)) * 100 + orderOfCode(row.code);
  return rows.sort((a, b) => rank(a) - rank(b));
}

/** Clusters by entry of the legend. */
export function legendCounts(map: ClusterMap): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of listSums(map)) {
    const id = entryOfList(listOfCode(row.code))?.id ?? '';
    counts.set(id, (counts.get(id) ?? 0) + row.clusters);
  }
  const current = new Set<number>();
  for (let i = 2; i < map.current.length; i += 3) current.add(map.current[i] ?? -1);
  counts.set('cpu', current.size);
  return counts;
}

/** The whole map in a sentence, for who does not see it. */
export function mapText(map: ClusterMap): string {
  const lists = LISTS.map((entry) => ({ label: entry.label, clusters: legendCounts(map).get(entry.id) ?? 0 })).filter((entry) => entry.clusters > 0);
  const [only] = map.stretches;
  return `${only?.total === map.total ? only.name : 'All devices'}: ${formatCount(map.total)} clusters; ${lists.map((entry) => `${entry.label} ${formatCount(entry.clusters)}`).join(', ')}.`;
}
