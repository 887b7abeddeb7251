/** Files from every side, saving, and what happens to unsaved work. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { XSWAP, writeExperiment } from './experiments';
import { answerClose, answerDialogs, launch, launchArguments, removeTemporaryFolders, temporaryFolder } from './launch';
import { banner, digestAtEnd, expectReady, setSpeed, toggleRun } from './window';

test.afterAll(removeTemporaryFolders);
// Some start the app three times.
test.setTimeout(120_000);

test('a file on the command line opens, with --run it runs; a relative name is meant from where the start was made', async () => {
  const folder = temporaryFolder();
  const file = writeExperiment(folder, 'given.swaplab.json', XSWAP);
  const running = await launch({ args: [path.relative(process.cwd(), file), '--run'] });
  await expect(running.window.getByRole('heading', { level: 1 })).toContainText(XSWAP.title);
  expect(await digestAtEnd(running.window)).toMatch(/^[0-9a-f]{32}$/);
  expect(running.complaints).toEqual([]);
  await running.quit();
});

test('a second start hands its file over to the app that runs, and ends', async () => {
  const folder = temporaryFolder();
  const running = await launch();
  const file = writeExperiment(folder, 'second.swaplab.json', { ...XSWAP, title: 'From the second start' });
  const program = process.env['ELECTRON_EXEC_PATH'] ?? '';
  const second = spawn(program, ['--no-sandbox', ...launchArguments(running.userData, [file])], { stdio: 'ignore' });
  await new Promise((resolve) => second.on('exit', resolve));
  await expectReady(running.window, 'From the second start');
  await running.quit();
});

test('a dropped file opens', async () => {
  const folder = temporaryFolder();
  const file = writeExperiment(folder, 'dropped.swaplab.json', { ...XSWAP, title: 'Dropped' });
  const running = await launch();
  await expectReady(running.window, 'xswap');
  // A file chosen in an input carries its path as a dropped one does.
  await running.window.evaluate(() => {
    const input = document.createElement('input');
    input.type = 'file';
    input.id = 'test-drop';
    document.body.append(input);
  });
  await running.window.setInputFiles('#test-drop', file);
  await running.window.evaluate(() => {
    const [dropped] = document.querySelector<HTMLInputElement>('#test-drop')?.files ?? [];
    const data = new DataTransfer();
    if (dropped) data.items.add(dropped);
    document.querySelector('#test-drop')?.remove();
    const target = document.querySelector('main') ?? document.body;
    for (const type of ['dragenter', 'dragover', 'drop']) {
      target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  });
  await expectReady(running.window, 'Dropped');
  await running.quit();
});

test('open by dialog, change live, save by key, and the recent list', async () => {
  const folder = temporaryFolder();
  const file = writeExperiment(folder, 'open.swaplab.json', XSWAP);
  const running = await launch();
  const { app, window } = running;
  await answerDialogs(app, file);
  await window.keyboard.press('Control+O');
  await expectReady(window, XSWAP.title);

  await window.getByTestId('limit-input').fill('80000');
  await window.getByTestId('limit-input').press('Enter');
  await expect(window.getByTestId('event-count')).toContainText('1 live change');
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())).toContain('●');
  await window.keyboard.press('Control+S');
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())).not.toContain('●');
  const saved = JSON.parse(readFileSync(file, 'utf8')) as typeof XSWAP;
  expect(saved.workload.events).toEqual([{ at: 0, step: { write: '/sys/kernel/mm/xswap/type0/limit', text: '80000' } }]);

  const recent = await window.evaluate(() => self.swaplab.files.recent());
  expect(recent).toMatchObject([{ name: 'open.swaplab.json', title: XSWAP.title, exists: true }]);
  rmSync(file);
  expect(await window.evaluate(() => self.swaplab.files.recent())).toMatchObject([{ exists: false }]);
  await running.quit();
});

test('closing with unsaved changes asks: stay, or save first', async () => {
  const folder = temporaryFolder();
  const file = writeExperiment(folder, 'ask.swaplab.json', XSWAP);
  const running = await launch({ args: [file] });
  const { app, window } = running;
  await expectReady(window, XSWAP.title);
  await window.getByTestId('limit-input').fill('80000');
  await window.getByTestId('limit-input').press('Enter');
  await expect(window.getByTestId('event-count')).toBeVisible();

  await answerClose(app, 'cancel');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await window.waitForTimeout(300);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);

  await answerClose(app, 'save');
  const closed = app.waitForEvent('close');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await closed;
  expect(readFileSync(file, 'utf8')).toContain('80000');
});

test('after a crash the unsaved work is offered again, and after a proper end it is not', async () => {
  const folder = temporaryFolder();
  const userData = temporaryFolder();
  const file = writeExperiment(folder, 'crash.swaplab.json', XSWAP);
  const first = await launch({ userData, args: [file] });
  await expectReady(first.window, XSWAP.title);
  await first.window.getByTestId('limit-input').fill('90000');
  await first.window.getByTestId('limit-input').press('Enter');
  const aside = path.join(userData, 'autosave.json');
  await expect.poll(() => existsSync(aside) && readFileSync(aside, 'utf8').includes('90000')).toBe(true);
  const gone = first.app.waitForEvent('close');
  first.app.process().kill('SIGKILL');
  await gone;
  expect(readFileSync(file, 'utf8')).not.toContain('90000');

  const second = await launch({ userData });
  const offer = second.window.getByRole('alertdialog').or(second.window.getByRole('dialog'));
  await expect(offer).toContainText(XSWAP.title);
  await offer.getByRole('button', { name: 'Restore' }).click();
  await expectReady(second.window, XSWAP.title);
  await expect(second.window.getByTestId('event-count')).toContainText('1 live change');
  await second.window.keyboard.press('Control+S');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('90000');
  await second.quit();

  const third = await launch({ userData });
  await expect(banner(third.window)).toBeVisible();
  await expect(third.window.getByRole('alertdialog')).toHaveCount(0);
  await third.quit();
});

test('the window comes back where it was, with its settings', async () => {
  const userData = temporaryFolder();
  const first = await launch({ userData });
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setBounds({ x: 60, y: 40, width: 1100, height: 720 }));
  await first.window.evaluate(() => self.swaplab.settings.set({ theme: 'dark' }));
  await setSpeed(first.window, 0.5);
  await first.quit();
  const second = await launch({ userData });
  expect(await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toMatchObject({ width: 1100, height: 720 });
  expect(await second.window.evaluate(() => self.swaplab.settings.get())).toMatchObject({ theme: 'dark', speed: 0.5 });
  expect(await second.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true);
  expect(await second.window.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
  await second.quit();
});

test('the library keeps an experiment between starts; a broken one is set aside with a message', async () => {
  const userData = temporaryFolder();
  const folder = temporaryFolder();
  const file = writeExperiment(folder, 'kept.swaplab.json', { ...XSWAP, title: 'Kept' });
  const first = await launch({ userData, args: [file] });
  await expectReady(first.window, 'Kept');
  await toggleRun(first.window);
  const digest = await digestAtEnd(first.window);
  await banner(first.window).getByRole('button', { name: 'Save to library' }).click();
  await expect.poll(() => first.window.evaluate(() => self.swaplab.library.list())).toMatchObject([{ title: 'Kept' }]);
  await first.quit();

  const second = await launch({ userData });
  await second.window.getByTestId('nav-library').click();
  await second.window.getByRole('button', { name: 'Kept', exact: true }).click();
  await expectReady(second.window, 'Kept');
  await toggleRun(second.window);
  expect(await digestAtEnd(second.window)).toBe(digest);
  const [entry] = await second.window.evaluate(() => self.swaplab.library.list());
  await second.quit();

  const stored = path.join(userData, 'library', entry?.id ?? '', 'experiment.json');
  writeFileSync(stored, readFileSync(stored, 'utf8').slice(0, 100));
  const third = await launch({ userData });
  await third.window.getByTestId('nav-library').click();
  await third.window.getByRole('button', { name: 'Kept', exact: true }).click();
  await expect(third.window.getByText(/set aside as experiment\.corrupt-1\.json/).first()).toBeVisible();
  // The backup of the last good state is what opened.
  await expectReady(third.window, 'Kept');
  expect(readFileSync(path.join(path.dirname(stored), 'experiment.corrupt-1.json'), 'utf8')).toHaveLength(100);
  await third.quit();
});
