import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';
import { isRoot } from '../setup/apt.mjs';
import { hasDisplay } from '../setup/display.mjs';
import { startXvfb } from '../setup/xvfb.mjs';

const LIMIT_MS = 60_000;

/**
 * Starts a packaged program with `--smoke`: it answers with one line of JSON, `{"ok": true, …}`, and its exit code.
 * @returns {Promise<{ok: boolean, answer?: Record<string, unknown>, why?: string}>}
 */
export async function smokeTest(program) {
  const userData = mkdtempSync(join(tmpdir(), 'swaplab-smoke-'));
  const xvfb = hasDisplay() ? undefined : await startXvfb();
  try {
    const { code, signal, out, err } = await run(program, ['--smoke', `--user-data-dir=${userData}`, ...(isRoot() ? ['--no-sandbox'] : [])], {
      env: { ...process.env, ...(xvfb && { DISPLAY: xvfb.display }) }, timeoutMs: LIMIT_MS,
    });
    const line = out.split('\n').findLast((text) => text.startsWith('{'));
    if (line === undefined) return { ok: false, why: `it said no JSON and ended with ${signal ?? code}\n${err.slice(-2000)}` };
    const answer = JSON.parse(line);
    if (answer.ok === true && code === 0) return { ok: true, answer };
    return { ok: false, answer, why: `it ended with ${signal ?? code} and said ${line}` };
  } finally {
    await xvfb?.stop();
    rmSync(userData, { recursive: true, force: true });
  }
}
