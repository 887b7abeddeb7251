/** The engine process is killed in the middle of a run: it comes back, and the run ends as if nothing had been. */
import { expect, test } from '@playwright/test';
import { XSWAP, writeExperiment } from './experiments';
import { launch, processIds, removeTemporaryFolders, temporaryFolder } from './launch';
import { banner, clock, digestAtEnd, expectReady, setSpeed, toggleRun } from './window';

test.afterAll(removeTemporaryFolders);

test('killed in mid-run, it replays and goes on; the digest at the end is that of an undisturbed run', async () => {
  const running = await launch({ args: [writeExperiment(temporaryFolder(), 'run.swaplab.json', XSWAP)] });
  const { app, window } = running;
  await expectReady(window, XSWAP.title);
  await toggleRun(window);
  const undisturbed = await digestAtEnd(window);

  await window.keyboard.press('Control+R');
  await expectReady(window, XSWAP.title);
  // Slow enough to be in mid-run still when a new engine has replayed.
  await setSpeed(window, 0.005);
  await toggleRun(window);
  await expect.poll(() => clock(window)).toBeGreaterThan(0.005);
  const before = await clock(window);
  const [pid] = await processIds(app, 'Swaplab engine');
  expect(pid).toBeGreaterThan(0);
  process.kill(pid ?? 0, 'SIGKILL');

  await expect(banner(window)).toContainText('Engine recovered', { timeout: 30_000 });
  const [newPid] = await processIds(app, 'Swaplab engine');
  expect(newPid).not.toBe(pid);
  // It goes on by itself, from where it was.
  await expect.poll(() => clock(window)).toBeGreaterThan(before);
  await expect(window.getByTestId('run-toggle')).toContainText('Pause');
  await banner(window).getByRole('button', { name: 'Close' }).click();
  await window.evaluate(() => undefined);
  for (let i = 0; i < 40; i += 1) await window.keyboard.press(']');
  expect(await digestAtEnd(window)).toBe(undisturbed);
  await running.quit();
});

test('an engine that dies again and again is given up with a message, and can be started by hand', async () => {
  test.setTimeout(120_000);
  const running = await launch({ args: [writeExperiment(temporaryFolder(), 'run.swaplab.json', XSWAP)] });
  const { app, window } = running;
  await expectReady(window, XSWAP.title);
  let last = 0;
  for (let i = 0; i < 4; i += 1) {
    let pid: number | undefined;
    await expect.poll(async () => {
      [pid] = await processIds(app, 'Swaplab engine');
      return pid !== undefined && pid !== last && (await window.evaluate(async () => (await self.swaplab.engine.status()).state)) === 'ready';
    }, { timeout: 20_000 }).toBe(true);
    last = pid ?? 0;
    process.kill(last, 'SIGKILL');
  }
  await expect(banner(window)).toContainText('restarted 3 times', { timeout: 20_000 });
  await banner(window).getByRole('button', { name: 'Try again' }).click();
  await expect(banner(window)).toContainText(/Engine recovered|Ready/, { timeout: 20_000 });
  await running.quit();
});

test('a window whose process dies comes back and offers the unsaved work', async () => {
  const running = await launch({ args: [writeExperiment(temporaryFolder(), 'run.swaplab.json', XSWAP)] });
  const { app, window } = running;
  await expectReady(window, XSWAP.title);
  await window.getByTestId('limit-input').fill('80000');
  await window.getByTestId('limit-input').press('Enter');
  await expect(window.getByTestId('event-count')).toBeVisible();
  // The page object of a dead process is dead, too: from here on the window is asked through main.
  await app.evaluate(({ BrowserWindow }) => new Promise<void>((resolve) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.once('did-finish-load', () => resolve());
    contents?.forcefullyCrashRenderer();
  }));
  const shown = (): Promise<string> => app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined || contents.isLoading() || contents.isCrashed()) return '';
    return String(await contents.executeJavaScript('document.body.innerText'));
  });
  await expect.poll(shown, { timeout: 30_000 }).toContain('Restore unsaved work?');
  expect(await shown()).toContain(XSWAP.title);
  const closed = app.waitForEvent('close');
  await app.evaluate(({ app: electronApp }) => electronApp.exit(0));
  await closed;
});
