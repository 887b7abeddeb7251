/** What the window may not do: reach a network, go elsewhere, open windows, get permissions. */
import { app, type Session, type WebContents } from 'electron';
import { APP_SCHEME, isAppAddress } from './app-file';

/** Before the app is ready. */
export function hardenProcess(devServer: string | undefined): void {
  // Chromium has no sandbox for root and then wants --no-sandbox; forcing one there ends every child process at once.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  // A second wall behind the blocked requests: no name is ever looked up.
  if (devServer === undefined) app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  app.on('web-contents-created', (_event, contents) => hardenContents(contents, devServer));
}

export function hardenSession(session: Session, devServer: string | undefined): void {
  const devHost = devServer === undefined ? undefined : new URL(devServer).host;
  session.webRequest.onBeforeRequest((details, callback) => {
    callback({ cancel: !mayLoad(details.url, devHost) });
  });
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}

/** Addresses that hold their own content, the app itself, and the built-in developer tools. */
function mayLoad(address: string, devHost: string | undefined): boolean {
  try {
    const url = new URL(address);
    if (devHost !== undefined && url.host === devHost) return true;
    return [`${APP_SCHEME}:`, 'blob:', 'data:', 'devtools:'].includes(url.protocol);
  } catch {
    return false;
  }
}

function hardenContents(contents: WebContents, devServer: string | undefined): void {
  const stayInside = (event: { preventDefault: () => void }, address: string): void => {
    if (!isAppAddress(address, devServer)) event.preventDefault();
  };
  contents.on('will-navigate', (event, address) => stayInside(event, address));
  contents.on('will-redirect', (event, address) => stayInside(event, address));
  contents.on('will-frame-navigate', (event) => stayInside(event, event.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
