/** The one window: where it stands, what it is shown with, and the question before it closes. */
import { BrowserWindow, nativeTheme, screen } from 'electron';
import { placeOnScreens, type WindowState } from './window-state';

export interface WindowOptions {
  readonly state: WindowState;
  readonly preload: string;
  readonly title: string;
  /** False in the smoke test. */
  readonly show: boolean;
  readonly onStateChanged: (state: WindowState) => void;
  /** Asked on close; true lets it close. */
  readonly mayClose: () => Promise<boolean>;
}

/** The window, still empty: the caller loads it once messages from it can be told. */
export function createWindow(options: WindowOptions): BrowserWindow {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== main.id);
  const { maximized, ...bounds } = placeOnScreens(options.state, [main, ...others].map((display) => display.workArea));
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 900,
    minHeight: 600,
    title: options.title,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14161a' : '#f6f7f9',
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      // The spell checker would fetch dictionaries.
      spellcheck: false,
    },
  });
  if (maximized) window.maximize();
  if (options.show) window.once('ready-to-show', () => window.show());
  window.on('page-title-updated', (event) => event.preventDefault());
  rememberPlace(window, options.onStateChanged);
  askBeforeClose(window, options.mayClose);
  return window;
}

function rememberPlace(window: BrowserWindow, onStateChanged: (state: WindowState) => void): void {
  const tell = (): void => {
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    const { x, y, width, height } = window.getNormalBounds();
    onStateChanged({ x, y, width: Math.max(width, 640), height: Math.max(height, 480), maximized: window.isMaximized() });
  };
  let timer: NodeJS.Timeout | undefined;
  const tellSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(tell, 500);
  };
  window.on('resize', tellSoon);
  window.on('move', tellSoon);
  window.on('close', () => {
    clearTimeout(timer);
    tell();
  });
}

function askBeforeClose(window: BrowserWindow, mayClose: () => Promise<boolean>): void {
  let asking = false;
  window.on('close', (event) => {
    event.preventDefault();
    if (asking) return;
    asking = true;
    mayClose().then(
      (may) => {
        asking = false;
        if (may) window.destroy();
      },
      (error: unknown) => {
        asking = false;
        console.error(error);
      },
    );
  });
}
