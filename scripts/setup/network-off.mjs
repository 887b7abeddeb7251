import { run } from '../lib/run.mjs';
import { isRoot } from './apt.mjs';

/** Brings the loopback interface up (Playwright talks to Electron over it) and becomes the program. */
const ONLY_LOOPBACK = 'ip link set lo up && exec "$@"';

/**
 * The command that runs a program in a network namespace of its own, in which there is nothing but the loopback interface.
 * @returns {[string, string[]]}
 */
export function withoutNetwork(file, args) {
  return ['unshare', ['--net', 'sh', '-c', ONLY_LOOPBACK, 'sh', file, ...args]];
}

/** Why the network cannot be switched off for a program here; undefined if it can. */
export async function whyNotWithoutNetwork() {
  if (process.platform !== 'linux') return 'network namespaces are Linux\'s';
  if (!isRoot()) return 'only root may make a network namespace';
  const { code, out, err, missing } = await run(...withoutNetwork('ip', ['-oneline', 'link']));
  if (missing) return 'there is no program unshare';
  if (code !== 0) return err.trim().split('\n')[0] || `unshare ended with ${code}`;
  const links = out.trim().split('\n');
  return links.every((line) => /: lo:/.test(line) || /state DOWN/.test(line)) ? undefined : 'the namespace has a network of its own';
}
