/** The life of the app: what arrives from outside, the window, the services, and the end. */
import { app, nativeTheme, session, type BrowserWindow } from 'electron';
import { PUSH } from '../contract/app-channels';
import { APP_ORIGIN } from './app-file';
import { registerCalls } from './calls';
import { CloseQuestion } from './close-question';
import { parseCommandLine, type CommandLine } from './command-line';
import { systemDialogs } from './dialogs';
import { IpcGate } from './ipc';
import { installMenu } from './menu';
import { OpenQueue } from './open-queue';
import { PRELOAD_FILE, WINDOW_FOLDER } from './paths';
import { serveWindow } from './protocol';
import { hardenSession } from './security';
import { createServices } from './services';
import { createWindow } from './window';

export interface ApplicationOptions {
  readonly commandLine: CommandLine;
  readonly devServer: string | undefined;
  /** False: nothing appears on the screen. */
  readonly show: boolean;
  /** The window is up and has asked for the files it is to open. */
  readonly onWindowReady?: () => void;
}

export async function startApplication({ commandLine, devServer, show, onWindowReady }: ApplicationOptions): Promise<void> {
  const shown: { window?: BrowserWindow } = {};
  const alive = (): BrowserWindow | undefined => (shown.window?.isDestroyed() === false ? shown.window : undefined);
  const push = (channel: string, ...data: unknown[]): void => {
    const contents = alive()?.webContents;
    if (contents?.isCrashed() === false) contents.send(channel, ...data);
  };

  const queue = new OpenQueue();
  const enqueue = ({ files, run }: CommandLine): void => files.forEach((file) => queue.push({ file, run }));
  enqueue(commandLine);
  app.on('open-file', (event, file) => {
    event.preventDefault();
    queue.push({ file, run: false });
  });
  app.on('second-instance', (_event, argv, folder) => {
    enqueue(parseCommandLine(argv, process.defaultApp === true, folder));
    const window = alive();
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
  });
  app.on('window-all-closed', () => app.quit());

  await app.whenReady();
  const dialogs = systemDialogs(alive);
  const services = createServices({
    folder: app.getPath('userData'),
    dialogs,
    onEngineStatus: (status) => {
      push(PUSH.engineStatus, status);
      // It lives again, but the run could not be brought back: the window loads it anew.
      if (status.state === 'ready' && status.message !== undefined) notices.add('error', status.message);
    },
    onLibraryChanged: () => push(PUSH.libraryChanged),
  });
  const { autosave, engine, files, judge, notices, stores } = services;
  const question = new CloseQuestion({ ask: dialogs.askClose, requestSave: () => push(PUSH.saveBeforeClose) });
  notices.onAdded((notice) => push(PUSH.notice, notice));
  app.on('will-quit', () => {
    autosave.close();
    engine.stop();
    judge.stop();
  });

  nativeTheme.themeSource = stores.settings.theme;
  serveWindow(session.defaultSession, WINDOW_FOLDER);
  hardenSession(session.defaultSession, devServer);
  installMenu({ appName: app.name, send: (id) => push(PUSH.menuCommand, id), developer: !app.isPackaged });
  registerCalls({
    gate: new IpcGate({ contents: () => alive()?.webContents, devServer }),
    services,
    question,
    push,
    onWindowReady: () => {
      queue.start(async ({ file, run }) => push(PUSH.fileOpened, await files.openPath(file, run)));
      judge.warmUp();
      onWindowReady?.();
    },
    onConnect: () => {
      const contents = alive()?.webContents;
      if (contents !== undefined) engine.connect(contents);
    },
    runAtStart: commandLine.run && commandLine.files.length === 0,
    onTitle: () => alive()?.setTitle(windowTitle(question)),
  });

  engine.start();
  const window = createWindow({
    state: stores.window,
    preload: PRELOAD_FILE,
    title: app.name,
    show,
    onStateChanged: (state) => {
      stores.window = state;
    },
    mayClose: () => question.mayClose(),
  });
  shown.window = window;
  window.webContents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) queue.stop();
  });
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    // The copy to the side stands; the window is loaded anew and offers it.
    if (reason === 'clean-exit') return;
    question.abandon();
    autosave.offerAgain();
    notices.add('error', `The window's process ended (${reason}) and was started again.`);
    // Not from within the event: the dead process is still being cleared away.
    setImmediate(() => void alive()?.webContents.loadURL(devServer ?? `${APP_ORIGIN}/`));
  });
  await window.loadURL(devServer ?? `${APP_ORIGIN}/`);
}

function windowTitle({ title, unsaved }: CloseQuestion): string {
  return title === '' ? app.name : `${unsaved ? '● ' : ''}${title} – ${app.name}`;
}
