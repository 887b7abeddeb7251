import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Folder for what is fetched once and used by every copy of Swaplab of this user. */
export function cacheFolder(env = process.env, platform = process.platform) {
  if (env.XDG_CACHE_HOME) return join(resolve(env.XDG_CACHE_HOME), 'swaplab');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'swaplab');
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'swaplab', 'cache');
  return join(homedir(), '.cache', 'swaplab');
}

/** A file name from the command line, relative to where the user typed it: npm changes to the repository before it runs a script. */
export function fromUser(path, env = process.env) {
  return path.startsWith('builtin:') ? path : resolve(env.INIT_CWD ?? process.cwd(), path);
}
