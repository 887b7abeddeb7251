import { readFileSync } from 'node:fs';
import { run } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { Stop } from '../lib/stop.mjs';

/** Whether packages come by apt here: Debian, Ubuntu and what is built on them. */
export function isDebianLike(osRelease = '/etc/os-release') {
  let text;
  try {
    text = readFileSync(osRelease, 'utf8');
  } catch {
    return false;
  }
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(text);
}

export function isRoot() {
  return process.getuid?.() === 0;
}

/**
 * A package that has another name on some releases is given as a list of names, the newest first.
 * @typedef {string | readonly string[]} PackageName
 */

/** Names of which apt knows one each; the last name where it knows none. */
async function resolveNames(packages) {
  const names = [];
  for (const wanted of packages) {
    const choices = Array.isArray(wanted) ? wanted : [wanted];
    let chosen = choices.at(-1);
    for (const name of choices) {
      const { code, out } = await run('apt-cache', ['policy', name]);
      // A virtual or unknown package has no candidate.
      if (code === 0 && /Candidate: (?!\(none\))\S/.test(out)) {
        chosen = name;
        break;
      }
    }
    if (!names.includes(chosen)) names.push(chosen);
  }
  return names;
}

/** The command that a user without root's rights is to run. */
export async function installCommand(packages) {
  return `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${(await resolveNames(packages)).join(' ')}`;
}

/**
 * Installs packages as root.
 * @param {readonly PackageName[]} packages
 * @param {string} what what they are for, in words
 * @throws {Stop}
 */
export async function aptInstall(packages, what) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const waitForLock = ['-o', 'DPkg::Lock::Timeout=180'];
  say(`Installing Debian packages for ${what} …`);
  const update = await run('apt-get', [...waitForLock, 'update', '-q'], { env });
  const names = await resolveNames(packages);
  const { code, out, err } = await run('apt-get', [...waitForLock, 'install', '-y', '-q', '--no-install-recommends', ...names], { env });
  if (code === 0) return;
  const output = update.err + out + err;
  const reason = /^E: (.*)$/m.exec(err)?.[1] ?? `code ${code}`;
  const advice = /Temporary failure resolving|Could not connect|Unable to locate|Failed to fetch/.test(output)
    ? 'connect this machine to the network'
    : /No space left/.test(output) ? 'free some space on the disk' : 'put that right';
  throw new Stop(`apt-get could not install ${names.join(' ')} for ${what} (${reason}): ${advice} and run the command again.`);
}
