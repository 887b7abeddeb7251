/** What the tests read off the window, and how they drive it: by role and label where there is one. */
import { speedText } from '../src/renderer/stores/speed';
import { expect, type Locator, type Page } from '@playwright/test';

export const banner = (window: Page): Locator => window.getByTestId('run-banner');

/** Simulated seconds on the clock. */
export async function clock(window: Page): Promise<number> {
  return Number.parseFloat((await window.getByTestId('run-clock').textContent())?.replace(/[^0-9.]/g, '') ?? 'NaN');
}

/** The machine is built and stands at the start of the experiment of this title. */
export async function expectReady(window: Page, title: string): Promise<void> {
  await expect(window.getByRole('heading', { level: 1 })).toContainText(title);
  await expect(banner(window)).toContainText('Ready');
}

/** A number of /proc/meminfo as the run screen shows it, in kB. */
export async function meminfo(window: Page, name: string): Promise<number> {
  const text = (await window.getByTestId('devices').textContent()) ?? '';
  return Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(text)?.[1] ?? NaN);
}

/** Waits for the end of the run. @returns the digest that the run screen shows */
export async function digestAtEnd(window: Page, timeout = 60_000): Promise<string> {
  await expect(banner(window)).toContainText(/Digest [0-9a-f]{32}/, { timeout });
  return /Digest ([0-9a-f]{32})/.exec((await banner(window).textContent()) ?? '')?.[1] ?? '';
}

/** Simulated seconds a second; `max`: as fast as possible. */
export async function setSpeed(window: Page, speed: number | 'max'): Promise<void> {
  await window.evaluate((value) => self.swaplab.settings.set({ speed: value }), speed);
  // The window hears of it from the main process: a run begun before that would go at the old speed.
  const shown = window.getByTestId('speed').locator('output');
  if (await shown.count() > 0) await expect(shown).toHaveText(speedText(speed === 'max' ? Infinity : speed));
}

export const toggleRun = (window: Page): Promise<void> => window.getByTestId('run-toggle').click();
