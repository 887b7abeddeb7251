/** Which file of the built window a `lab://app/…` address means. Pure, so that hostile addresses can be tested without Electron. */
import path from 'node:path';

export const APP_SCHEME = 'lab';
export const APP_HOST = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.map': 'application/json; charset=utf-8',
};

/** The policy of practice for a local window: nothing from outside, no inline script or style, no eval. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

export interface AppFile {
  readonly file: string;
  readonly contentType: string;
}

/**
 * @param root folder of the built window
 * @param address as the window asked for it
 * @returns undefined when the address is not of this app, leaves the root, or names a kind of file that the window has none of
 */
export function resolveAppFile(root: string, address: string): AppFile | undefined {
  let url: URL;
  let pathname: string;
  try {
    url = new URL(address);
    pathname = decodeURIComponent(url.pathname);
  } catch {
    return undefined;
  }
  if (url.protocol !== `${APP_SCHEME}:` || url.host !== APP_HOST || url.username !== '' || url.password !== '') return undefined;
  // A backslash is a separator on Windows, a colon a drive or a stream, a NUL ends a C string; no file of ours has any.
  if (/[\\:\0]/.test(pathname)) return undefined;
  const relative = pathname === '/' || pathname === '' ? 'index.html' : pathname.replace(/^\/+/, '');
  const file = path.resolve(root, relative);
  const inside = path.relative(root, file);
  if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) return undefined;
  const contentType = CONTENT_TYPES[path.extname(file)];
  return contentType === undefined ? undefined : { file, contentType };
}

/** Whether an address belongs to the app's own window: the only place messages are taken from. */
export function isAppAddress(address: string, devServer: string | undefined): boolean {
  try {
    const url = new URL(address);
    if (devServer !== undefined && url.origin !== 'null' && url.origin === new URL(devServer).origin) return true;
    return url.protocol === `${APP_SCHEME}:` && url.host === APP_HOST;
  } catch {
    return false;
  }
}
