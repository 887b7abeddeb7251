import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';

const temporary = [];

/** A temporary folder; gone after removeTemporary(). */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'swaplab-scripts-'));
  temporary.push(folder);
  return folder;
}

export function removeTemporary() {
  for (const folder of temporary.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Copies what a fresh clone has and the set-up reads; no node_modules. */
export function copyOfRepository(folder = temporaryFolder()) {
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'scripts']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (source) => !source.endsWith('.test.mjs') });
  }
  return folder;
}

/** Whether mounts of its own can be given to a program here: not for an ordinary user, nor in many containers. */
export function mayMount() {
  return process.platform === 'linux' && process.getuid() === 0 && say('unshare', ['--mount', 'true']).code === 0;
}

/** Environment without a display, with caches of its own, and a registry at which nobody answers. */
export function isolatedEnv(extra = {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|DISPLAY$|WAYLAND_DISPLAY$|INIT_CWD$|ELECTRON_)/i.test(name)));
  const cache = temporaryFolder();
  return {
    ...env, XDG_CACHE_HOME: cache, npm_config_cache: join(cache, 'npm'), npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0',
    ...extra,
  };
}

/** Runs a program and returns what it said. */
export function say(file, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', ...options });
  return { code: status, out: stdout, err: stderr };
}

/** Runs `entry.cjs` of a copy. */
export function entry(folder, args, env = isolatedEnv()) {
  return say(process.execPath, [join(folder, 'scripts', 'entry.cjs'), ...args], { cwd: folder, env });
}

/** Names in a folder, sorted. */
export function names(folder) {
  return readdirSync(folder).sort();
}
