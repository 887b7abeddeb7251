/** Puts the main process together: stores, window, menu, messages. */
import { app, BrowserWindow, nativeTheme, session, shell } from 'electron';
import { DOCUMENTATION_LINKS, type AppInfo } from '../contract/app-api';
import { CALL, PUSH, TELL } from '../contract/app-channels';
import { APP_ORIGIN } from './app-file';
import { AppStores } from './app-stores';
import { parseCommandLine, type CommandLine } from './command-line';
import { electronBackend } from './electron-backend';
import { IpcGate } from './ipc';
import { installMenu } from './menu';
import { Notices } from './notices';
import { OpenQueue } from './open-queue';
import { PRELOAD_FILE, WINDOW_FOLDER } from './paths';
import { serveWindow } from './protocol';
import { hardenSession } from './security';
import { createWindow } from './window';

export interface ApplicationOptions {
  readonly commandLine: CommandLine;
  readonly devServer: string | undefined;
}

export async function startApplication({ commandLine, devServer }: ApplicationOptions): Promise<void> {
  let window: BrowserWindow | undefined;
  const queue = new OpenQueue();
  const enqueue = (given: CommandLine): void => given.files.forEach((file) => queue.push({ file, run: given.run }));
  enqueue(commandLine);
  app.on('open-file', (event, file) => {
    event.preventDefault();
    queue.push({ file, run: false });
  });
  app.on('second-instance', (_event, argv, folder) => {
    enqueue(parseCommandLine(argv, process.defaultApp === true, folder));
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
  });
  app.on('window-all-closed', () => app.quit());

  await app.whenReady();
  const notices = new Notices();
  const stores = new AppStores(app.getPath('userData'), electronBackend, notices);
  nativeTheme.themeSource = stores.settings.theme;
  serveWindow(session.defaultSession, WINDOW_FOLDER);
  hardenSession(session.defaultSession, devServer);

  const push = (channel: string, ...data: unknown[]): void => {
    if (window !== undefined && !window.isDestroyed()) window.webContents.send(channel, ...data);
  };
  notices.onAdded((notice) => push(PUSH.notice, notice));
  installMenu({ appName: app.name, send: (id) => push(PUSH.menuCommand, id), developer: !app.isPackaged });

  const gate = new IpcGate({ contents: () => (window === undefined || window.isDestroyed() ? undefined : window.webContents), devServer });
  gate.handle(CALL.appInfo, appInfo);
  gate.handle(CALL.appNotices, () => notices.all());
  gate.handle(CALL.appOpenDocumentation, (link) => shell.openExternal(DOCUMENTATION_LINKS[link]));
  gate.handle(CALL.settingsGet, () => stores.settings);
  gate.handle(CALL.settingsSet, (patch) => {
    const settings = stores.changeSettings(patch);
    nativeTheme.themeSource = settings.theme;
    push(PUSH.settingsChanged, settings);
    return settings;
  });
  gate.listen(TELL.windowReady, () => undefined);

  window = createWindow({
    state: stores.window,
    preload: PRELOAD_FILE,
    title: app.name,
    show: true,
    onStateChanged: (state) => {
      stores.window = state;
    },
    mayClose: () => Promise.resolve(true),
  });
  await window.loadURL(devServer ?? `${APP_ORIGIN}/`);
}

function appInfo(): AppInfo {
  return {
    version: app.getVersion(),
    electron: process.versions.electron,
    chrome: process.versions.chrome,
    node: process.versions.node,
    platform: process.platform,
    testBuild: app.isPackaged && app.getVersion().includes('test'),
  };
}
