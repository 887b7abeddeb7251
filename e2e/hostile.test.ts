/** Files that mean harm, or were broken: each is refused with its reason, and nothing changes. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { XSWAP, writeExperiment } from './experiments';
import { answerDialogs, launch, removeTemporaryFolders, temporaryFolder, type RunningApp } from './launch';
import { expectReady } from './window';

let running: RunningApp;
let folder: string;

test.beforeAll(async () => {
  folder = temporaryFolder();
  running = await launch({ args: [writeExperiment(folder, 'good.swaplab.json', { ...XSWAP, title: 'The one that stays' })] });
  await expectReady(running.window, 'The one that stays');
});
test.afterAll(async () => {
  await running.quit();
  removeTemporaryFolders();
});

const text = (change: (spec: Record<string, unknown>) => void): string => {
  const spec = JSON.parse(JSON.stringify(XSWAP)) as Record<string, unknown>;
  change(spec);
  return JSON.stringify(spec);
};
const machine = (spec: Record<string, unknown>): Record<string, unknown> => spec['machine'] as Record<string, unknown>;
const workload = (steps: unknown): string => text((spec) => (spec['workload'] = { steps }));

const FILES: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['10-MB', text((spec) => (spec['notes'] = 'x'.repeat(10 * 1024 * 1024))), /notes.*at most/],
  ['17-MB', ' '.repeat(17 * 1024 * 1024), /16 MiB/],
  ['20000-deep', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, /more than 32 deep/],
  ['proto', text(() => undefined).replace('"machine":{', '"machine":{"__proto__":{"cpus":4},'), /__proto__/],
  ['constructor', text((spec) => (machine(spec)['constructor'] = { prototype: {} })), /constructor/],
  ['nan', text(() => undefined).replace('"ram_pages":65536', '"ram_pages":NaN'), /NaN/],
  ['infinity', text(() => undefined).replace('"ram_pages":65536', '"ram_pages":1e999'), /ram_pages/],
  ['wrong-type', text((spec) => (machine(spec)['cpus'] = 'four')), /machine\.cpus.*whole number.*"four"/],
  ['wrong-list', text((spec) => (machine(spec)['swap'] = { length: 1e9 })), /machine\.swap.*list/],
  ['unknown-key', text((spec) => (spec['run_this'] = 'rm -rf /')), /run_this/],
  ['newer', text((spec) => (spec['version'] = 99)), /version 99.*newer/],
  // 128 GiB of memory to fill, a thousand seeds of it; and a script that sleeps for eight months.
  ['week-of-work', text((spec) => {
    machine(spec)['ram_pages'] = 2 ** 28;
    spec['seeds'] = Array.from({ length: 1000 }, (_, i) => i + 1);
    const start = { name: 'hog', program: 'memhog', size_pages: 2 ** 25, fill: 'pattern' };
    spec['workload'] = { steps: [{ start }, { wait: 'hog', until: 'ended' }] };
  }), /would take about .* of work/],
  ['months-asleep', workload([{ repeat: 20, steps: [{ sleep: 1e6 }] }]), /days of simulated time/],
  ['result', JSON.stringify({ format: 'swaplab/result', version: 1 }), /result, not an experiment/],
  ['binary', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0xff, 0xfe, 0x00]), /UTF-8/],
  ['empty', '', /empty/],
  ['torn', text(() => undefined).slice(0, 200), /ends too early|not JSON/],
];

const stored = (): Promise<unknown> => running.window.evaluate(async () => ({
  library: await self.swaplab.library.list(), recent: await self.swaplab.files.recent(),
}));

for (const [name, content, reason] of FILES) {
  test(`refused: ${name}`, async () => {
    const { app, window, userData } = running;
    const file = path.join(folder, `${name}.swaplab.json`);
    writeFileSync(file, content);
    const before = await stored();
    await answerDialogs(app, file);
    await window.keyboard.press('Control+O');
    const dialog = window.getByRole('dialog');
    await expect(dialog).toContainText(`${name}.swaplab.json was not opened`);
    await expect(dialog).toContainText(reason);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await expect(dialog).toHaveCount(0);
    await expectReady(window, 'The one that stays');
    expect(await stored()).toEqual(before);
    expect(readdirSync(path.join(userData, 'library'))).toEqual([]);
    expect(readFileSync(file).equals(Buffer.from(content))).toBe(true);
    expect(await window.evaluate(() => ({}))).toEqual({});
  });
}

test('the window said nothing in all of this', () => {
  expect(running.complaints).toEqual([]);
});
