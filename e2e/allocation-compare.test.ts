/** One allocation step by step; arms side by side. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { ExperimentSpec } from '../src/engine/experiment/spec';
import { serious } from './axe';
import { writeExperiment } from './experiments';
import { answerDialogs, launch, removeTemporaryFolders, temporaryFolder } from './launch';
import { digestAtEnd, expectReady, setSpeed, toggleRun } from './window';

test.afterAll(removeTemporaryFolders);

/** Two zram devices under the default priority: 6.18 counts down, 7.3 takes turns. */
const SPEC: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'Two devices', notes: '',
  machine: {
    ram_pages: 65536, cpus: 1, nodes: 1,
    swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 8192 }, { kind: 'zram', name: '/dev/zram1', size_pages: 8192 }],
    cgroups: [{ path: '/app', set: { 'memory.max': '3145728' } }],
  },
  kernel: 'linux-6.18',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'usemem', size_pages: 6000, fill: 'pattern', cgroup: '/app', hold_s: 1 } },
      { wait: 'hog', until: 'ended' },
    ],
  },
  arms: [], measure: {}, seeds: [1], claims: [],
};

test('one allocation after the other, a breakpoint, and the same digest at the end', async () => {
  const { window, complaints, quit } = await launch({ args: [writeExperiment(temporaryFolder(), 'two.swaplab.json', SPEC)] });
  await expectReady(window, SPEC.title);
  await setSpeed(window, 'max');
  await window.keyboard.press('a');
  const moment = window.getByTestId('moment');
  await expect(moment).toHaveText('Order 0 → zram0, slot 1, cluster 0');
  await expect(window.getByTestId('decisions').locator('li')).toHaveText([
    'CPU 0 remembers no cluster of order 0',
    'asked /dev/zram0 (priority -2, 0 of 8191 pages in use)',
    'took slot 1 in cluster 0 of /dev/zram0, from nonfull[0]; the cluster is on frag[0] now',
  ]);
  await window.getByTestId('run.seek.allocation').click();
  await expect(moment).toHaveText('Order 0 → zram0, slot 2, cluster 0');
  await expect(window.getByTestId('decisions')).toContainText("took slot 2 in per-CPU cluster 0 of order 0 on /dev/zram0");
  await window.getByLabel('Breakpoint: cluster').fill('3');
  await window.getByLabel('Breakpoint: priority').fill('-2');
  await window.getByTestId('run.seek.breakpoint').click();
  await expect(moment).toHaveText('Order 0 → zram0, slot 1536, cluster 3');
  await expect(window.getByTestId('lists').locator('tr.changed')).not.toHaveCount(0);
  await window.getByRole('button', { name: 'Clear the breakpoint' }).click();
  // No large folio is asked for: the run goes to its end without a fallback.
  await window.getByTestId('run.seek.fallback').click();
  await expect(window.getByTestId('allocation')).toContainText('Nothing found');
  const digest = await digestAtEnd(window);
  await window.keyboard.press('Control+R');
  await expectReady(window, SPEC.title);
  await toggleRun(window);
  expect(await digestAtEnd(window)).toBe(digest);
  expect(complaints).toEqual([]);
  await quit();
});

test('two kernels and a policy side by side, and where they part', async () => {
  const { app, window, complaints, quit } = await launch({ args: [writeExperiment(temporaryFolder(), 'two.swaplab.json', SPEC)] });
  await expectReady(window, SPEC.title);
  await window.getByTestId('nav-compare').click();
  await expect(window.getByTestId('compare-arm')).toHaveText(['as it is', 'linux-7.3']);
  await window.getByTestId('compare-add-policy').click();
  await expect(window.getByTestId('compare-arm')).toHaveCount(3);
  await window.getByTestId('compare-start').click();
  await expect(window.getByTestId('compare')).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
  const partings = window.getByTestId('partings');
  // 6.18 fills zram0; 7.3 turns to zram1 once the 511 slots of the first cluster are taken.
  await expect(partings).toContainText('linux-7.3 at request 512');
  await partings.getByRole('button', { name: /linux-7\.3/ }).click();
  await expect(partings).toContainText('asked /dev/zram1 (priority -1, 0 of 8191 pages in use)');
  await expect(window.getByTestId('compare-metrics')).toContainText('swaps.zram1.used_kB');
  const file = path.join(temporaryFolder(), 'table.csv');
  await answerDialogs(app, file);
  await window.getByTestId('compare-csv').click();
  const saved = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  await expect.poll(saved).toContain('metric,as it is (linux-6.18),linux-7.3 (linux-7.3)');
  // Called off, nothing stays under way.
  await window.getByTestId('compare-start').click();
  await window.getByTestId('compare-cancel').click();
  await expect(window.getByTestId('compare')).toHaveAttribute('data-state', /cancelled|done/);
  expect(complaints).toEqual([]);
  await quit();
});

test('arms side by side: charts over each other, the table, and where they part, in both themes', async () => {
  const { window, complaints, quit } = await launch({ args: [writeExperiment(temporaryFolder(), 'two.swaplab.json', SPEC)] });
  await expectReady(window, SPEC.title);
  await window.getByTestId('nav-compare').click();
  await window.getByTestId('compare-add-policy').click();
  await window.getByTestId('compare-start').click();
  await expect(window.getByTestId('compare')).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
  // One chart a metric, one line an arm.
  const metric = window.getByRole('combobox', { name: 'Metric of chart compare-0' });
  await metric.selectOption('swaps.zram1.used_kB');
  const chart = window.getByRole('region', { name: 'swaps.zram1.used_kB by arm' });
  for (const arm of ['as it is', 'linux-7.3', 'linux-6.18 with clusterPreference=free-first']) await expect(chart).toContainText(arm);
  // Under 6.18 zram1 stays empty, so the difference is the value itself, without a share of nothing.
  const table = window.getByTestId('compare-metrics');
  await window.getByRole('textbox', { name: 'Find a metric' }).fill('zram1.used');
  await expect(table.locator('tbody tr')).not.toHaveCount(0);
  const cells = table.locator('tbody tr', { hasText: 'always.max.swaps.zram1.used_kB' }).locator('td');
  await expect(cells.first()).toHaveText('0');
  await expect(cells.nth(1)).toHaveText(/^(.+)\+\1$/);
  // With the decisions of both opened.
  const partings = window.getByTestId('partings');
  await partings.getByRole('button', { name: /linux-7\.3/ }).click();
  for (const theme of ['light', 'dark'] as const) {
    await window.evaluate((value) => self.swaplab.settings.set({ theme: value }), theme);
    await window.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await window.waitForTimeout(300);
    expect(await serious(window), theme).toEqual([]);
  }
  expect(complaints).toEqual([]);
  await quit();
});
