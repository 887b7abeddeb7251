/** Wizard → a new machine with three devices of mixed priority → run → the fill order is the one that the preview said. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, type Locator } from '@playwright/test';
import { answerDialogs, launch, removeTemporaryFolders, temporaryFolder } from './launch';
import { digestAtEnd, expectReady, setSpeed, toggleRun } from './window';

test.afterAll(removeTemporaryFolders);

async function describeDevice(row: Locator, size: string, priority: string): Promise<void> {
  await row.getByLabel('size', { exact: true }).fill(size);
  await row.getByLabel('priority', { exact: true }).fill(priority);
}

/** Per device the time at which it was first used and the time at which it was full, from the exported columns. */
function fillTimes(csv: string): { device: string; first: number; full: number }[] {
  const lines = csv.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const head = lines[0]?.split(',') ?? [];
  const rows = lines.slice(1).map((line) => line.split(','));
  return head.flatMap((name, column) => {
    const device = /^swaps\.(.*)\.used_kB\.max$/.exec(name)?.[1];
    if (device === undefined) return [];
    const values = rows.map((row) => Number(row[column] ?? 0));
    const most = Math.max(...values);
    const timeOf = (index: number): number => Number(rows[index]?.[0]);
    return [{ device, first: timeOf(values.findIndex((value) => value > 0)), full: timeOf(values.findIndex((value) => value === most)) }];
  });
}

test('three devices fill in the order of the preview', async () => {
  test.setTimeout(120_000);
  const running = await launch();
  const { app, window } = running;
  await expectReady(window, 'xswap');
  await window.keyboard.press('Control+N');
  await window.getByTestId('step-swap').click();
  await describeDevice(window.getByTestId('device-0'), '48 MiB', '10');
  await describeDevice(window.getByTestId('device-1'), '64 MiB', '100');
  await window.getByRole('button', { name: 'Add device' }).click();
  await window.getByRole('menuitem', { name: /zram/ }).click();
  // Typed wrong it is told in place; another step and back, and what was typed is still there.
  await describeDevice(window.getByTestId('device-2'), '96 bananas', '50');
  await window.getByTestId('step-kernel').click();
  await window.getByTestId('step-swap').click();
  await expect(window.getByTestId('device-2').getByLabel('size', { exact: true })).toHaveValue('96 bananas');
  await expect(window.getByTestId('device-2').getByLabel('size', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await describeDevice(window.getByTestId('device-2'), '96 MiB', '50');

  const preview = await window.getByTestId('fill-device').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-device') ?? ''));
  expect(preview).toHaveLength(3);
  const names = await Promise.all([0, 1, 2].map((i) => window.getByTestId(`device-${i}`).getByLabel('name', { exact: true }).inputValue()));
  expect(preview).toEqual([names[1], names[2], names[0]]);

  await window.getByTestId('step-review').click();
  await window.getByRole('button', { name: 'Open in the run screen' }).click();
  await expectReady(window, 'New experiment');
  await setSpeed(window, 'max');
  await toggleRun(window);
  await digestAtEnd(window);

  const file = path.join(temporaryFolder(), 'use.csv');
  await answerDialogs(app, file);
  await window.getByRole('button', { name: 'More for Use by device' }).click();
  await window.getByRole('menuitem', { name: /CSV/ }).click();
  await expect.poll(() => { try { return readFileSync(file, 'utf8').length; } catch { return 0; } }).toBeGreaterThan(0);
  const times = fillTimes(readFileSync(file, 'utf8'));
  expect(times).toHaveLength(3);
  const byFirst = [...times].sort((a, b) => a.first - b.first).map(({ device }) => device);
  const byFull = [...times].sort((a, b) => a.full - b.full).map(({ device }) => device);
  const short = preview.map((name) => name.replace(/^\/dev\//, ''));
  expect(byFirst.map((name) => name.replace(/^\/dev\//, ''))).toEqual(short);
  expect(byFull.map((name) => name.replace(/^\/dev\//, ''))).toEqual(short);
  expect(running.complaints).toEqual([]);
  await running.quit();
});
