/** `lab://app/…`: the built window, with its security headers. Nothing else is served. */
import { readFile } from 'node:fs/promises';
import { protocol, type Session } from 'electron';
import { APP_SCHEME, CONTENT_SECURITY_POLICY, resolveAppFile } from './app-file';

/** Before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

export function serveWindow(session: Session, root: string): void {
  session.protocol.handle(APP_SCHEME, async (request) => {
    const found = resolveAppFile(root, request.url);
    if (request.method !== 'GET' || found === undefined) return new Response('Not found', { status: 404 });
    try {
      return new Response(await readFile(found.file), {
        headers: {
          'content-type': found.contentType,
          'content-security-policy': CONTENT_SECURITY_POLICY,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cache-control': 'no-store',
        },
      });
    } catch {
      return new Response('Not found', { status: 404 });
    }
  });
}
