/** The job that the app is for: gallery → run → change the limit → see SwapTotal change → save → quit → reopen → the same digest. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { answerDialogs, launch, removeTemporaryFolders, temporaryFolder } from './launch';
import { digestAtEnd, expectReady, meminfo, setSpeed, toggleRun } from './window';

test.afterAll(removeTemporaryFolders);

const TITLE = 'xswap: the cap holds, raise it, lower it';

test('the cap of xswap, raised while it runs, saved and opened again', async () => {
  test.setTimeout(300_000);
  const userData = temporaryFolder();
  const file = path.join(temporaryFolder(), 'raised.swaplab.json');
  const first = await launch({ userData });
  const { app, window } = first;
  await window.getByTestId('nav-gallery').click();
  await window.getByTestId('builtin-xswap-cap').click();
  await setSpeed(window, 1);
  await window.getByRole('article').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(window.getByRole('heading', { level: 1 })).toContainText(TITLE);
  await expect.poll(() => meminfo(window, 'SwapTotal'), { timeout: 20_000 }).toBe(8140796);
  // The cover letter's own numbers: a limit of 3052543 pages is a SwapTotal of 12210172 kB.
  await window.getByTestId('limit-input').fill('3052543');
  await window.getByTestId('limit-input').press('Enter');
  await expect(window.getByTestId('limit-answer')).toContainText('3052543');
  await expect.poll(() => meminfo(window, 'SwapTotal')).toBe(12210172);
  // Typed wrong, it is refused in place with the kernel's reason, and nothing changes.
  await window.getByTestId('limit-input').fill('a lot');
  await window.getByTestId('limit-input').press('Enter');
  await expect(window.getByTestId('limit-xswap0')).toContainText('EINVAL (Invalid argument)');
  expect(await meminfo(window, 'SwapTotal')).toBe(12210172);
  await window.getByTestId('limit-input').press('Escape');
  await expect(window.getByTestId('event-count')).toContainText('1 live change');

  await window.locator('body').click({ position: { x: 5, y: 5 } });
  for (let i = 0; i < 60; i += 1) await window.keyboard.press(']');
  const digest = await digestAtEnd(window, 120_000);
  await answerDialogs(app, file);
  await window.keyboard.press('Control+S');
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())).not.toContain('●');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ workload: { events: [{ step: { text: '3052543' } }] } });
  expect(first.complaints).toEqual([]);
  await first.quit();

  const second = await launch({ userData });
  await answerDialogs(second.app, file);
  await second.window.keyboard.press('Control+O');
  // The default experiment, which stands ready at the start, has the same title, but no live change.
  await expect(second.window.getByTestId('event-count')).toContainText('1 live change');
  await expectReady(second.window, TITLE);
  await setSpeed(second.window, 'max');
  await toggleRun(second.window);
  expect(await digestAtEnd(second.window, 120_000)).toBe(digest);
  await second.quit();
});
