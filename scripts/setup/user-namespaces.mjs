import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from '../lib/stop.mjs';
import { isRoot } from './apt.mjs';

function readNumber(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Electron's own helper makes the sandbox without user namespaces, if it belongs to root and is set-user-ID. */
function hasSetuidHelper(dist) {
  try {
    const { mode, uid } = statSync(join(dist, 'chrome-sandbox'));
    return uid === 0 && (mode & 0o4000) !== 0;
  } catch {
    return false;
  }
}

/**
 * Why a user who is not root cannot make user namespaces, and the command that allows it; undefined if they can.
 * @param {string} sys the folder of sysctl files, for tests
 */
export function restriction(sys = '/proc/sys') {
  if (readNumber(join(sys, 'kernel/apparmor_restrict_unprivileged_userns')) === 1) {
    return { why: 'AppArmor keeps programs from making user namespaces', setting: 'kernel.apparmor_restrict_unprivileged_userns=0' };
  }
  if (readNumber(join(sys, 'kernel/unprivileged_userns_clone')) === 0) {
    return { why: 'this kernel keeps users from making user namespaces', setting: 'kernel.unprivileged_userns_clone=1' };
  }
  if (readNumber(join(sys, 'user/max_user_namespaces')) === 0) {
    return { why: 'this kernel allows no user namespaces', setting: 'user.max_user_namespaces=10000' };
  }
  return undefined;
}

/**
 * Electron's sandbox needs user namespaces (root runs without the sandbox).
 * @throws {Stop} with the explanation and the command
 */
export function checkUserNamespaces(electron) {
  if (process.platform !== 'linux' || isRoot() || hasSetuidHelper(electron.dist)) return;
  const found = restriction();
  if (!found) return;
  throw new Stop(`Electron's sandbox needs user namespaces, and ${found.why}: allow them until the next start of this machine with\n  `
    + `sudo sysctl ${found.setting}\nand run the command again (in /etc/sysctl.d to keep it).`);
}
