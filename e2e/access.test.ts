/** Every screen in both themes: axe finds nothing serious; everything is reached by keyboard, and the focus is seen. */
import { expect, test, type Page } from '@playwright/test';
import { serious } from './axe';
import { XSWAP, writeExperiment } from './experiments';
import { launch, removeTemporaryFolders, temporaryFolder, type RunningApp } from './launch';
import { digestAtEnd, expectReady, setSpeed, toggleRun } from './window';

let running: RunningApp;
test.beforeAll(async () => {
  running = await launch({ args: [writeExperiment(temporaryFolder(), 'run.swaplab.json', XSWAP)] });
  await expectReady(running.window, XSWAP.title);
  await setSpeed(running.window, 'max');
  await toggleRun(running.window);
  await digestAtEnd(running.window);
});
test.afterAll(async () => {
  await running.quit();
  removeTemporaryFolders();
});

const SCREENS: Readonly<Record<string, (window: Page) => Promise<void>>> = {
  gallery: (window) => window.keyboard.press('Control+1'),
  library: (window) => window.keyboard.press('Control+2'),
  run: (window) => window.keyboard.press('Control+3'),
  compare: (window) => window.keyboard.press('Control+4'),
  kernels: (window) => window.keyboard.press('Control+5'),
  wizard: (window) => window.keyboard.press('Control+N'),
};
const DIALOGS: Readonly<Record<string, (window: Page) => Promise<void>>> = {
  palette: (window) => window.keyboard.press('Control+K'),
  keys: (window) => window.keyboard.press('?'),
};

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious: ${theme}`, async () => {
    test.setTimeout(120_000);
    const { window } = running;
    await window.evaluate((value) => self.swaplab.settings.set({ theme: value }), theme);
    await window.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const found: string[] = [];
    for (const [name, go] of Object.entries(SCREENS)) {
      await go(window);
      await window.waitForTimeout(300);
      found.push(...(await serious(window)).map((line) => `${name}: ${line}`));
      if (name !== 'wizard') continue;
      for (const step of ['machine', 'kernel', 'swap', 'memory', 'cgroup', 'workload', 'review']) {
        await window.getByTestId(`step-${step}`).click();
        await window.waitForTimeout(100);
        found.push(...(await serious(window)).map((line) => `wizard ${step}: ${line}`));
      }
    }
    await SCREENS['run']?.(window);
    for (const [name, open] of Object.entries(DIALOGS)) {
      await open(window);
      await expect(window.getByRole('dialog')).toBeVisible();
      await window.waitForTimeout(200);
      found.push(...(await serious(window)).map((line) => `${name}: ${line}`));
      await window.keyboard.press('Escape');
      await expect(window.getByRole('dialog')).toHaveCount(0);
    }
    expect(found).toEqual([]);
  });
}

/** Walks with Tab until it comes round. @returns what had the focus, and what of it showed no focus */
async function tabThrough(window: Page): Promise<{ reached: string[]; unseen: string[] }> {
  const reached: string[] = [];
  const unseen: string[] = [];
  await window.evaluate(() => { if (document.activeElement instanceof HTMLElement) document.activeElement.blur(); });
  for (let i = 0; i < 300; i += 1) {
    await window.keyboard.press('Tab');
    const focused = await window.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return undefined;
      const mark = element.getAttribute('data-e2e-tab');
      element.setAttribute('data-e2e-tab', '1');
      const style = getComputedStyle(element);
      const ring = (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none'
        || getComputedStyle(element, '::after').content !== 'none';
      const label = element.getAttribute('aria-label') ?? element.getAttribute('data-testid');
      const name = label ?? element.textContent?.trim().slice(0, 40) ?? element.tagName;
      return { again: mark !== null, ring, name };
    });
    if (focused === undefined) continue;
    if (focused.again) break;
    reached.push(focused.name);
    if (!focused.ring) unseen.push(focused.name);
  }
  return { reached, unseen };
}

/** Controls that a mouse can use and Tab does not reach, roving ones (one of a group has the tab stop) apart. */
function unreached(window: Page): Promise<string[]> {
  return window.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, [role="slider"], [role="tab"]')]
      .filter((element) => {
        const style = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        if (element.closest('[aria-hidden="true"], [inert]') !== null || style.visibility === 'hidden' || box.width === 0) return false;
        if (element.matches(':disabled, [aria-disabled="true"], [data-disabled]') || element.hasAttribute('data-e2e-tab')) return false;
        // Of a tab list, a list that arrow keys walk, or a radio group one is enough; hints in the status bar name keys.
        const group = element.closest('[role="tablist"], [role="radiogroup"], ul[aria-label], [role="group"][aria-label], footer.status, .status');
        return group === null || group.querySelector('[data-e2e-tab]') === null && !group.matches('.status');
      })
      .map((element) => element.getAttribute('aria-label') ?? element.getAttribute('data-testid') ?? element.outerHTML.slice(0, 120)),
  );
}

for (const [name, go] of Object.entries(SCREENS)) {
  test(`by keyboard: ${name}`, async () => {
    const { window } = running;
    await go(window);
    await window.waitForTimeout(300);
    await window.evaluate(() => document.querySelectorAll('[data-e2e-tab]').forEach((element) => element.removeAttribute('data-e2e-tab')));
    const { reached, unseen } = await tabThrough(window);
    expect(reached.length).toBeGreaterThan(5);
    expect(unseen).toEqual([]);
    expect(await unreached(window)).toEqual([]);
  });
}

test('run, pause, step and speed by their keys alone', async () => {
  const { window } = running;
  await window.keyboard.press('Control+3');
  await window.keyboard.press('Control+R');
  await expectReady(window, XSWAP.title);
  await window.evaluate(() => { if (document.activeElement instanceof HTMLElement) document.activeElement.blur(); });
  await setSpeed(window, 0.01);
  await window.keyboard.press('Space');
  await expect(window.getByTestId('run-toggle')).toContainText('Pause');
  await window.keyboard.press('Space');
  await expect(window.getByTestId('run-toggle')).toContainText('Run');
  const before = await window.getByTestId('run-clock').textContent();
  // An operation takes microseconds, the clock shows milliseconds, and a press while a step is under way is no step.
  await expect.poll(async () => {
    for (let i = 0; i < 50; i += 1) await window.keyboard.press('.');
    return window.getByTestId('run-clock').textContent();
  }, { timeout: 60_000, intervals: [50] }).not.toBe(before);
  for (let i = 0; i < 60; i += 1) await window.keyboard.press(']');
  await window.keyboard.press('Space');
  await digestAtEnd(window);
});
