/** Half a million clusters on four devices in one map, as large as a machine may be. Work is counted, not timed. */
import { expect, test } from '@playwright/test';
import type { ExperimentSpec } from '../src/engine/experiment/spec';
import { writeExperiment } from './experiments';
import { launch, removeTemporaryFolders, temporaryFolder } from './launch';
import { digestAtEnd, expectReady, setSpeed, toggleRun } from './window';

test.afterAll(removeTemporaryFolders);

const SPEC: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'A terabyte on four devices', notes: '',
  machine: {
    ram_pages: 131072, cpus: 4, nodes: 1, cgroups: [{ path: '/app', set: { 'memory.max': '67108864' } }],
    // 4 × 2^26 slots: 524288 clusters, the most that a machine may have.
    swap: ['b', 'c', 'd', 'e'].map((letter) => ({ kind: 'partition', name: `/dev/vd${letter}`, size_pages: 2 ** 26, priority: 10 })),
  },
  kernel: 'linux-6.18',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'usemem', size_pages: 200000, fill: 'random', cgroup: '/app', hold_s: 1 } },
      { wait: 'hog', until: 'ended' },
      { swapoff: '/dev/vde' },
      { sleep: 1 },
    ],
  },
  arms: [], measure: {}, seeds: [1], claims: [],
};

test('all devices in one map, one of them off at the end and still there in the past', async () => {
  const { window, complaints, quit } = await launch({ args: [writeExperiment(temporaryFolder(), 'wide.swaplab.json', SPEC)] });
  await expectReady(window, SPEC.title);
  await setSpeed(window, 'max');
  const card = window.getByTestId('clusters');
  const state = window.getByTestId('cluster-state');
  await window.keyboard.press('m');
  await card.getByRole('combobox', { name: 'Device' }).selectOption('all devices');
  await expect(card).toContainText(/524.288 clusters of 512 slots, \d+ a cell/);
  await toggleRun(window);
  await digestAtEnd(window);
  await expect(card).toContainText(/393.216 clusters of 512 slots/);
  const cells = window.getByTestId('cluster-cells');
  await cells.focus();
  await window.keyboard.press('End');
  await expect(state).toContainText(/^vdd: Clusters .* to 131.071: most are free; 0\.0 % of slots in use/);
  const first = /Clusters (.+?) to/.exec((await state.textContent()) ?? '')?.[1] ?? '';
  // Closer, until a cell is a cluster: the mark stays on it. Then along.
  for (let i = 0; i < 14; i += 1) await window.keyboard.press('+');
  await expect(state).toContainText(`vdd: Cluster ${first} (slots`);
  const part = /clusters .* of 393.216/.exec((await card.textContent()) ?? '')?.[0] ?? '';
  expect(part).not.toBe('');
  await window.keyboard.press('PageUp');
  await expect(card).not.toContainText(part);
  await window.keyboard.press('Escape');
  await expect(card).toContainText(/393.216 clusters of 512 slots/);
  const time = window.getByRole('slider', { name: 'Recorded time' });
  await time.focus();
  for (let i = 0; i < 60; i += 1) await window.keyboard.press('PageDown');
  await expect(state).toContainText('So it stood from');
  await expect(card).toContainText(/524.288 clusters of 512 slots/);
  const device = card.getByRole('combobox', { name: 'Device' });
  await device.selectOption('vde (off)');
  await expect(card).toContainText(/131.072 clusters of 512 slots/);
  await window.getByTestId('clusters').getByRole('button', { name: 'Now' }).click();
  await expect(state).toContainText('vde is off now; what was recorded of it lies back in time.');
  await device.selectOption('vdb');
  await expect(card).toContainText(/131.072 clusters of 512 slots/);
  expect(complaints).toEqual([]);
  await quit();
});
