/** Looking at slots: the cluster map through recorded time, the slots of a cluster, the mTHP table, the page of kernels. */
import { expect, test } from '@playwright/test';
import type { ExperimentSpec } from '../src/engine/experiment/spec';
import { writeExperiment } from './experiments';
import { launch, removeTemporaryFolders, temporaryFolder, type RunningApp } from './launch';
import { digestAtEnd, expectReady, setSpeed, toggleRun } from './window';

/** Large folios go to one of two equal devices and stay there for a while. */
const FOLIOS: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'Large folios on two devices', notes: '',
  machine: {
    ram_pages: 65536, cpus: 2, nodes: 1, thp: { '64kB': 'always' }, cgroups: [{ path: '/app', set: { 'memory.max': '67108864' } }],
    swap: [
      { kind: 'zram', name: '/dev/zram0', size_pages: 65536, priority: 5 },
      // A terabyte: half a million clusters between the two are one picture.
      { kind: 'partition', name: '/dev/vdb', size_pages: 134217728, priority: 4 },
    ],
  },
  kernel: 'linux-6.18',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'usemem', size_pages: 48000, fill: 'random', cgroup: '/app', hold_s: 2 } },
      { wait: 'hog', until: 'ended' },
      { sleep: 1 },
    ],
  },
  arms: [], measure: {}, seeds: [1], claims: [],
};

let running: RunningApp;
test.beforeAll(async () => {
  running = await launch({ args: [writeExperiment(temporaryFolder(), 'folios.swaplab.json', FOLIOS)] });
  await expectReady(running.window, FOLIOS.title);
  await setSpeed(running.window, 'max');
  await toggleRun(running.window);
  await digestAtEnd(running.window);
});
test.afterAll(async () => {
  expect(running.complaints).toEqual([]);
  await running.quit();
  removeTemporaryFolders();
});

test('the cluster map goes back and forth in recorded time', async () => {
  const { window } = running;
  const legend = (id: string) => window.getByTestId(`legend-${id}`);
  await expect(legend('free')).toContainText('127');
  await window.keyboard.press('m');
  const time = window.getByRole('slider', { name: 'Recorded time' });
  await time.focus();
  for (let i = 0; i < 50; i += 1) await window.keyboard.press('PageDown');
  // Half-way the program still had its pages on the device, 120 MiB of them.
  await expect(window.getByTestId('cluster-state')).toContainText('So it stood from');
  await expect.poll(async () => Number((await legend('full').textContent())?.replace(/\D/g, ''))).toBeGreaterThan(50);
  await window.getByTestId('clusters').getByRole('button', { name: 'Now' }).click();
  await expect(legend('full')).toHaveText(/full0$/);
  await expect(legend('free')).toContainText('127');
});

test('numbers by keyboard, slots of a cluster, one list alone, the table', async () => {
  const { window } = running;
  const cells = window.getByTestId('cluster-cells');
  await cells.focus();
  await window.keyboard.press('Home');
  await expect(window.getByTestId('cluster-state')).toContainText('Cluster 0 (slots 0 to 511)');
  await expect(window.getByTestId('cluster-state')).toContainText('1 of 512 slots in use');
  await window.keyboard.press('Enter');
  await expect(window.getByTestId('slots')).toContainText('Cluster 0');
  await expect(window.getByTestId('slots')).toContainText('header, bad, past the end1');
  await expect(window.getByTestId('slots')).toContainText('1…511 free');
  await window.getByTestId('legend-free').click();
  await expect(window.getByTestId('legend-free')).toHaveAttribute('aria-pressed', 'true');
  await window.getByTestId('legend-free').click();
  await window.getByTestId('clusters').getByRole('button', { name: 'Show as a table' }).click();
  await expect(window.getByTestId('cluster-table')).toContainText('free');
  await window.getByTestId('clusters').getByRole('button', { name: 'Show the map' }).click();
});

test('a quarter of a million clusters, closer and back', async () => {
  const { window } = running;
  await window.getByRole('combobox', { name: 'Device' }).selectOption('vdb');
  await expect(window.getByTestId('legend-free')).toContainText('262');
  await expect(window.getByTestId('clusters')).toContainText('a cell');
  const cells = window.getByTestId('cluster-cells');
  await cells.focus();
  await window.keyboard.press('Home');
  for (let i = 0; i < 20; i += 1) await window.keyboard.press('+');
  await expect(window.getByTestId('cluster-state')).toContainText('Cluster 0 (slots 0 to 511)');
  await window.keyboard.press('Escape');
  await expect(window.getByTestId('clusters')).toContainText('a cell');
  await window.keyboard.press('m');
});

test('large folios by size', async () => {
  const { window } = running;
  await window.getByRole('tab', { name: 'mTHP' }).click();
  await expect(window.getByTestId('mthp').getByRole('row').nth(1)).toContainText(/64kB.*\d.*0\.00%/);
});

test('a kernel of the page goes into a changed copy', async () => {
  const { window } = running;
  await window.getByTestId('nav-kernels').click();
  await expect(window.getByTestId('kernel-table')).toContainText('linux-7.3-free-first');
  await window.getByRole('button', { name: 'clusterPreference' }).click();
  const policy = window.getByTestId('policy-clusterPreference');
  await expect(policy).toContainText('Holes are filled before a free cluster is begun.');
  await policy.getByRole('button', { name: 'clusterPreference = free-first-nonsync' }).click();
  await window.getByTestId('step-kernel').click();
  await expect(window.getByText('clusterPreference = free-first-nonsync')).toBeVisible();
  await expect(window.getByRole('radio', { name: /^linux-6\.18/ })).toBeChecked();
});
