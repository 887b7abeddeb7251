/** What a window, taken over by hostile content, could reach: nothing. */
import { expect, test } from '@playwright/test';
import { launch, removeTemporaryFolders, type RunningApp } from './launch';

let running: RunningApp;

test.beforeAll(async () => {
  running = await launch();
});
test.afterAll(async () => {
  await running.quit();
  removeTemporaryFolders();
});

test('the window is sandboxed, isolated and without Node', async () => {
  const preferences = await running.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    // Not in Electron's types, but there since its first versions: the preferences a window was really made with.
    return (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences();
  });
  expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true });
  expect(preferences['webviewTag']).not.toBe(true);
  expect(await running.window.evaluate(() => ['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis))).toEqual([]);
});

test('the bridge is frozen and small', async () => {
  const bridge = await running.window.evaluate(() => {
    const api = window.swaplab as unknown as Record<string, unknown>;
    const before = api['info'];
    try {
      api['info'] = () => 'replaced';
    } catch {
      // A frozen object throws in strict code; both ways nothing changes.
    }
    return { unchanged: api['info'] === before, keys: Object.keys(api).sort() };
  });
  expect(bridge.unchanged).toBe(true);
  expect(bridge.keys).toEqual([
    'draft', 'engine', 'files', 'info', 'library', 'notices', 'onMenuCommand', 'onNotice', 'openDocumentation', 'settings', 'windowReady',
  ]);
});

test('the page comes from lab:// with the strict policy', async () => {
  expect(running.window.url()).toMatch(/^lab:\/\/app\//);
  const policy = await running.window.evaluate(async () => (await fetch('lab://app/index.html')).headers.get('content-security-policy'));
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|https?:/);
});

test('no file outside the window folder is served', async () => {
  const statuses = await running.window.evaluate(async () => {
    const addresses = ['lab://app/..%2fmain%2findex.js', 'lab://app/%2e%2e/%2e%2e/package.json', 'lab://app/..%5cmain%5cindex.js', 'lab://app/nothing.js'];
    return Promise.all(addresses.map(async (address) => (await fetch(address)).status));
  });
  expect(statuses).toEqual([404, 404, 404, 404]);
});

test('eval, inline script and inline style do nothing', async () => {
  const outcome = await running.window.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.head.append(script);
    const style = document.createElement('style');
    style.textContent = 'body { color: rgb(1, 2, 3) !important }';
    document.head.append(style);
    const coloured = getComputedStyle(document.body).color === 'rgb(1, 2, 3)';
    script.remove();
    style.remove();
    return { injected: 'injected' in window, coloured };
  });
  expect(outcome).toEqual({ injected: false, coloured: false });
});

test('no network', async () => {
  const reached = await running.window.evaluate(async () => {
    const tries = ['http://127.0.0.1:9/', 'https://example.org/', 'file:///etc/passwd'].map((address) => fetch(address).then(() => true, () => false));
    const socket = new Promise<boolean>((resolve) => {
      try {
        const ws = new WebSocket('ws://127.0.0.1:9/');
        ws.onopen = () => resolve(true);
        ws.onerror = () => resolve(false);
      } catch {
        resolve(false);
      }
    });
    return Promise.all([...tries, socket]);
  });
  expect(reached).toEqual([false, false, false, false]);
  const direct = await running.app.evaluate(
    ({ session }) => session.defaultSession.resolveProxy('https://example.org/').then(() => new Promise<string>((resolve) => {
      // A request of the session itself, past the page's policy.
      const fetchOfSession = (session.defaultSession as unknown as { fetch(address: string): Promise<unknown> }).fetch('http://127.0.0.1:9/');
      fetchOfSession.then(() => resolve('reached'), (error: unknown) => resolve(String(error)));
    })),
  );
  expect(direct).toContain('ERR_BLOCKED_BY_CLIENT');
});

test('no new windows, no navigation away', async () => {
  const address = running.window.url();
  const opened = await running.window.evaluate(() => window.open('https://example.org/') !== null);
  expect(opened).toBe(false);
  expect(await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  await running.window.evaluate(() => {
    window.location.href = 'https://example.org/';
  });
  await running.window.waitForTimeout(300);
  expect(running.window.url()).toBe(address);
});

test('permissions are denied', async () => {
  const outcome = await running.window.evaluate(async () => ({
    notifications: await Notification.requestPermission(),
    clipboard: await navigator.clipboard.readText().then(() => 'granted', (error: Error) => error.name),
    midi: (await navigator.permissions.query({ name: 'midi' })).state,
    position: await new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('granted'), (error) => resolve(error.code))),
  }));
  expect(outcome).toEqual({ notifications: 'denied', clipboard: 'NotAllowedError', midi: 'denied', position: 1 });
});

test('payloads of another shape are refused', async () => {
  const answers = await running.window.evaluate(async () => {
    const api = window.swaplab as unknown as {
      settings: { set(patch: unknown): Promise<unknown> };
      library: { read(id: unknown): Promise<unknown> };
      openDocumentation(link: unknown): Promise<unknown>;
    };
    const tries = [
      api.settings.set({ theme: 'pink' }), api.settings.set({ extra: 1 }), api.library.read('../../etc/passwd'), api.library.read({}),
      api.openDocumentation('https://example.org/'),
    ];
    return Promise.all(tries.map((attempt) => attempt.then(() => 'taken', (error: Error) => error.message)));
  });
  for (const answer of answers) expect(answer).toContain('refused');
});

test('messages of a frame inside the page are refused', async () => {
  const answer = await running.app.evaluate(async ({ BrowserWindow, ipcMain }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined) return 'no window';
    type Handlers = Map<string, (event: unknown, ...args: unknown[]) => unknown>;
    const handler = (ipcMain as unknown as { _invokeHandlers: Handlers })._invokeHandlers.get('settings.get');
    if (handler === undefined) return 'no handler';
    const inner = { sender: contents, senderFrame: { url: 'lab://app/', parent: contents.mainFrame } };
    try {
      await handler(inner);
      return 'taken';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  });
  expect(answer).toContain('not the window');
});
