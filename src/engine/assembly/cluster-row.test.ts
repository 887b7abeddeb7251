import { describe, expect, it } from 'vitest';
import { codeOfCell, countOfCell } from '../kernel/swap/cluster-map';
import { ClusterMirrors } from '../kernel/swap/cluster-mirror';
import { policiesOf } from '../kernel/swap/registry';
import { SwapSystem } from '../kernel/swap/swap-system';
import type { SwapHost } from '../kernel/swap/types';
import type { ClusterQuery } from '../machine';
import { ClusterRow, type RowAnswer } from './cluster-row';

const HOST: SwapHost = { isCacheOnly: () => false, reclaimCacheOnly: () => false };
const ALL: ClusterQuery = { from: 0, to: Infinity, cells: Infinity };

interface Row {
  readonly swap: SwapSystem;
  readonly mirrors: ClusterMirrors;
  readonly row: ClusterRow;
  readonly ask: (query?: Partial<ClusterQuery>) => RowAnswer;
}
function rowOf(...clusters: number[]): Row {
  const swap = new SwapSystem(policiesOf('linux-6.18'), 2, 1, HOST);
  clusters.forEach((count, i) => {
    swap.swapon({
      kind: 'partition', name: `/dev/vd${'bcdefg'[i]}`, slots: count * 512, rotational: false, pageDiscard: false, node: -1, priority: 10 - i,
    });
  });
  const mirrors = new ClusterMirrors(swap, 2);
  let id = 0;
  const row = new ClusterRow(mirrors.pool, () => ++id);
  return { swap, mirrors, row, ask: (query = {}) => row.answer(mirrors.now(), { ...ALL, ...query }) };
}

/** What the asker holds after an answer. */
function apply(held: RowAnswer | undefined, answer: RowAnswer): RowAnswer {
  if (answer.changed === undefined) return answer;
  expect(answer.after).toBe(held?.id);
  const [cells, masks] = [held!.cells.slice(), held!.masks.slice()];
  answer.changed.forEach((cell, i) => { cells[cell] = answer.cells[i]; masks[cell] = answer.masks[i]; });
  return { ...answer, cells, masks, changed: undefined, after: undefined };
}

describe('a row of devices', () => {
  it('puts one device after the other, no cell reaching over the edge, never more cells than there are places', () => {
    const { swap, ask } = rowOf(100, 33, 7);
    for (let i = 0; i < 512 * 4; i++) swap.alloc(0, 0);
    const whole = ask();
    expect([whole.total, whole.perCell, whole.cells.length]).toEqual([140, 1, 140]);
    expect(whole.stretches.map(({ base, from, to, cell }) => [base, from, to, cell])).toEqual([[0, 0, 100, 0], [100, 0, 33, 100], [133, 0, 7, 133]]);
    for (let cells = 3; cells < 140; cells++) {
      const answer = ask({ cells });
      expect(answer.cells.length).toBeLessThanOrEqual(cells);
      const ends = [...answer.stretches.slice(1).map(({ cell }) => cell), answer.cells.length];
      answer.stretches.forEach(({ from, to, cell }, i) => {
        expect(ends[i] - cell).toBe(Math.ceil((to - from) / answer.perCell));
        for (let at = cell; at < ends[i]; at++) {
          const first = from + (at - cell) * answer.perCell;
          const clusters = whole.cells.subarray(answer.stretches[i].base + first, answer.stretches[i].base + Math.min(to, first + answer.perCell));
          const mean = clusters.reduce((sum, cluster) => sum + countOfCell(cluster), 0) / clusters.length;
          expect(countOfCell(answer.cells[at])).toBe(Math.floor(mean + 0.5));
        }
      });
    }
    const part = ask({ from: 95, to: 105 });
    expect(part.stretches.map(({ name, from, to }) => [name, from, to])).toEqual([['/dev/vdb', 95, 100], ['/dev/vdc', 0, 5]]);
    expect([...part.cells]).toEqual([...whole.cells.subarray(95, 105)]);
    // Beyond the end the last one is left, so that a view of a device that has shrunk shows something.
    expect(ask({ from: 500, to: 900 }).cells.length).toBe(1);
  });

  it('changes that are sent add up to the whole, at every scale', () => {
    for (const cells of [1000, 200, 60, 3]) {
      const { swap, mirrors, ask } = rowOf(300, 500);
      const fresh = new ClusterRow(mirrors.pool, () => 1);
      let held = ask({ cells });
      const entries: number[] = [];
      for (let round = 0; round < 40; round++) {
        for (let i = 0; i < 900; i++) entries.push(swap.alloc(i & 1, 0));
        if (round % 3 === 2) for (const entry of entries.splice(0, 1100)) swap.free(entry, 1);
        held = apply(held, ask({ cells, since: held.id }));
        const whole = fresh.answer(mirrors.now(), { ...ALL, cells });
        expect([...held.cells]).toEqual([...whole.cells]);
        expect([...held.masks]).toEqual([...whole.masks]);
        expect(held.clusters).toEqual(whole.clusters);
      }
    }
  });

  it('half a million clusters: all of them once, then what is touched; of a part, the part', () => {
    const { swap, mirrors, row, ask } = rowOf(131072, 131072, 131072, 131072);
    const all = ask({ cells: 60_000 });
    expect([all.total, all.perCell]).toEqual([524288, 9]);
    expect([mirrors.walked, row.work.clusters]).toEqual([524288, 524288]);
    const of = (work: () => RowAnswer): { walked: number; clusters: number; cells: number; sent: number } => {
      const before = { walked: mirrors.walked, ...row.work };
      const answer = work();
      return {
        walked: mirrors.walked - before.walked, clusters: row.work.clusters - before.clusters, cells: row.work.cells - before.cells,
        sent: answer.cells.length,
      };
    };
    let since = all.id;
    const still = of(() => {
      const answer = ask({ cells: 60_000, since });
      since = answer.id;
      return answer;
    });
    expect(still).toEqual({ walked: 0, clusters: 0, cells: 0, sent: 0 });
    for (let i = 0; i < 512 * 40; i++) swap.alloc(0, 0);
    const busy = of(() => ask({ cells: 60_000, since }));
    // Forty clusters lie in one or two blocks of 64.
    expect(busy.walked).toBeLessThanOrEqual(128);
    expect(busy.cells).toBeLessThanOrEqual(17);
    expect(busy.sent).toBeGreaterThan(3);
    expect(busy.sent).toBeLessThanOrEqual(6);
    const part = of(() => ask({ from: 300_000, to: 301_000, cells: 60_000 }));
    expect(part).toEqual({ walked: 0, clusters: 1000, cells: 1000, sent: 1000 });
  });

  it('CPUs stand where their cluster stands in the row', () => {
    const { swap, ask } = rowOf(1, 5);
    for (let i = 0; i < 520; i++) swap.alloc(0, 0);
    const { current, cells } = ask();
    expect([...current]).toEqual([0, 0, 1 + 0]);
    expect(codeOfCell(cells[1])).toBe(codeOfCell(ask({ from: 1, to: 2 }).cells[0]));
  });
});
