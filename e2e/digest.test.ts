/** The same run gives the same digest in Node, in the engine process, in the window's renderer and in Debian's Chromium. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, expect, test } from '@playwright/test';
import { build } from 'vite';
import { createMachine } from '../src/engine/create-machine';
import { digestProbe } from '../src/engine/digest-probe';
import { XSWAP, writeExperiment } from './experiments';
import { ROOT, launch, removeTemporaryFolders, temporaryFolder } from './launch';
import { digestAtEnd, expectReady, setSpeed, toggleRun } from './window';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
let probe: string;
let bundleFolder: string;
let inNode: string;

test.beforeAll(async () => {
  bundleFolder = mkdtempSync(path.join(os.tmpdir(), 'swaplab-probe-'));
  await build({
    configFile: false, logLevel: 'error', root: ROOT,
    build: {
      outDir: bundleFolder, target: 'chrome114', minify: false,
      lib: { entry: path.join(ROOT, 'src/engine/digest-probe.ts'), formats: ['iife'], name: 'swaplabProbe', fileName: () => 'probe.js' },
    },
  });
  probe = readFileSync(path.join(bundleFolder, 'probe.js'), 'utf8');
  inNode = digestProbe();
});
test.afterAll(() => {
  rmSync(bundleFolder, { recursive: true, force: true });
  removeTemporaryFolders();
});

/** To be evaluated in a page; past the policy of the page, as developer tools are. */
const inPage = (): string => `${probe}\n;swaplabProbe.digestProbe(777)`;

test('in Node, whatever the slices', () => {
  expect(inNode).toMatch(/^[0-9a-f]{32}$/);
  expect(digestProbe(1)).toBe(inNode);
  expect(digestProbe(1_000_000)).toBe(inNode);
});

test('in the engine process and in the renderer of the app', async () => {
  const machine = createMachine(XSWAP);
  while (!machine.advance(Infinity, 10_000).done);
  const running = await launch({ args: [writeExperiment(temporaryFolder(), 'x.swaplab.json', XSWAP)] });
  await expectReady(running.window, XSWAP.title);
  expect(await running.window.evaluate(inPage())).toBe(inNode);
  await setSpeed(running.window, 'max');
  await toggleRun(running.window);
  expect(await digestAtEnd(running.window)).toBe(machine.digest());
  await running.quit();
});

test('in Chromium', async () => {
  test.skip(CHROMIUM === undefined, 'no chromium is installed on this machine');
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '' });
  const page = await browser.newPage();
  expect(await page.evaluate(inPage())).toBe(inNode);
  await browser.close();
});
