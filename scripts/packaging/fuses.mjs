import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Name in electron-builder.yml → name of @electron/fuses. */
const NAMES = {
  runAsNode: 'RunAsNode',
  enableCookieEncryption: 'EnableCookieEncryption',
  enableNodeOptionsEnvironmentVariable: 'EnableNodeOptionsEnvironmentVariable',
  enableNodeCliInspectArguments: 'EnableNodeCliInspectArguments',
  enableEmbeddedAsarIntegrityValidation: 'EnableEmbeddedAsarIntegrityValidation',
  onlyLoadAppFromAsar: 'OnlyLoadAppFromAsar',
  loadBrowserProcessSpecificV8Snapshot: 'LoadBrowserProcessSpecificV8Snapshot',
  grantFileProtocolExtraPrivileges: 'GrantFileProtocolExtraPrivileges',
};

/** '0' and '1' as characters of the fuse wire. */
const DISABLED = 0x30;
const ENABLED = 0x31;

async function loadFuses(root) {
  const path = createRequire(join(root, 'package.json')).resolve('@electron/fuses');
  return import(pathToFileURL(path).href);
}

/**
 * The fuses of an Electron.
 * @param {string} executable
 * @returns {Promise<Record<string, boolean>>} by the names of electron-builder.yml; only those that this Electron has
 */
export async function readFuses(executable, root) {
  const { FuseV1Options, getCurrentFuseWire } = await loadFuses(root);
  const wire = await getCurrentFuseWire(executable);
  const found = {};
  for (const [ours, theirs] of Object.entries(NAMES)) {
    const state = wire[FuseV1Options[theirs]];
    if (state === DISABLED || state === ENABLED) found[ours] = state === ENABLED;
  }
  return found;
}

/** Wanted fuses that an Electron has, and the names of those that it lacks. */
export function splitFuses(wanted, present) {
  const lacking = Object.keys(wanted).filter((name) => !(name in present));
  return { settable: Object.fromEntries(Object.entries(wanted).filter(([name]) => name in present)), lacking };
}

/** Fuses that are not as wanted, in words. */
export function wrongFuses(settable, actual) {
  return Object.entries(settable)
    .filter(([name, value]) => actual[name] !== value)
    .map(([name, value]) => `${name} is ${actual[name]}, wanted ${value}`);
}
