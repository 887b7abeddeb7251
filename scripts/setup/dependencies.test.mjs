import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { copyOfRepository, entry, isolatedEnv, mayMount, names, removeTemporary, say, temporaryFolder } from '../testing/in-a-copy.mjs';
import { dependenciesAreCurrent, npmSentence } from './dependencies.mjs';

afterAll(removeTemporary);

const NO_DISPLAY = 'No display here (neither DISPLAY nor WAYLAND_DISPLAY is set): running the experiment in Node, without the window.\n';
const FRESH = ['.npmrc', 'package-lock.json', 'package.json', 'scripts'];

/** One sentence that says what to do stands alone on stderr, and the folder is as it was. */
function expectOneSentence({ code, err }, pattern) {
  expect(err).toMatch(pattern);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
}

describe('a fresh copy that cannot be set up', () => {
  let folder;
  beforeEach(() => { folder = copyOfRepository(); });

  it('without network: says so, and leaves nothing', () => {
    const result = entry(folder, ['start']);
    expectOneSentence(result, /^The npm registry cannot be reached, .* run the command again\.$/m);
    expect(result.out).toBe(`${NO_DISPLAY}Installing packages from the lock file (once, about a minute) …\n`);
    expect(names(folder)).toEqual(FRESH);
  });

  it('without network: keeps the packages that were there', () => {
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'node_modules', 'old'), 'still here');
    expectOneSentence(entry(folder, ['start']), /registry cannot be reached/);
    expect(readFileSync(join(folder, 'node_modules', 'old'), 'utf8')).toBe('still here');
    expect(names(folder)).toEqual(['.npmrc', 'node_modules', 'package-lock.json', 'package.json', 'scripts']);
  });

  it.each([
    ['cut off', (text) => text.slice(0, 5000)],
    ['with a conflict in it', (text) => `<<<<<<< HEAD\n${text}`],
  ])('with a lock file that is %s', (_, change) => {
    const file = join(folder, 'package-lock.json');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    expectOneSentence(entry(folder, ['test']), /^package-lock\.json is broken .*git checkout package-lock\.json.* run the command again\.$/m);
    expect(names(folder)).toEqual(FRESH);
  });

  it('without a lock file', () => {
    rmSync(join(folder, 'package-lock.json'));
    expectOneSentence(entry(folder, ['start']), /^package-lock\.json is missing: /m);
  });

  it('with a lock file that does not fit package.json', () => {
    const file = join(folder, 'package.json');
    const description = JSON.parse(readFileSync(file, 'utf8'));
    description.devDependencies.vue = '2.7.16';
    writeFileSync(file, JSON.stringify(description));
    expectOneSentence(entry(folder, ['start']), /^package-lock\.json does not fit package\.json \(vue differs\): restore it /m);
    expect(names(folder)).toEqual(FRESH);
  });

  it.skipIf(!mayMount())('with no room on the disk', () => {
    const disk = temporaryFolder();
    const result = say('unshare', ['--mount', 'sh', '-c',
      `mount -t tmpfs -o size=30m none ${disk} && cp -a ${folder}/. ${disk} && cd ${disk} && ${process.execPath} scripts/entry.cjs start; `
      + 'code=$?; ls -A; exit $code'], { env: isolatedEnv() });
    expectOneSentence(result, /^There is no room left on the disk: .* free some space and run the command again\.$/m);
    expect(result.out).toBe(`${NO_DISPLAY}${FRESH.join('\n')}\n`);
  });

  it.skipIf(!mayMount())('in a read-only folder', () => {
    const result = say('unshare', ['--mount', 'sh', '-c',
      `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder} && cd ${folder} && ${process.execPath} scripts/entry.cjs start`],
    { env: isolatedEnv() });
    expectOneSentence(result, /^The folder .* cannot be written \(EROFS\), .*: use a copy in a folder of your own\.$/m);
    expect(names(folder)).toEqual(FRESH);
  });
});

describe('dependenciesAreCurrent', () => {
  /** A folder whose lock file and installed packages are these: path → entry. */
  function folderWith(wanted, installed) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...wanted } }));
    if (installed) {
      mkdirSync(join(folder, 'node_modules'));
      writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
    }
    return folder;
  }
  const vue = { 'node_modules/vue': { version: '3.5.45' } };

  it.each([
    ['nothing is installed', vue, undefined, false],
    ['all is installed', vue, vue, true],
    ['another version is installed', vue, { 'node_modules/vue': { version: '3.5.44' } }, false],
    ['a package is missing', { ...vue, 'node_modules/pinia': { version: '4.1.0' } }, vue, false],
    ['an optional package is missing', { ...vue, 'node_modules/fsevents': { version: '2.3.3', optional: true } }, vue, true],
  ])('%s', (_, wanted, installed, expected) => {
    expect(dependenciesAreCurrent(folderWith(wanted, installed))).toBe(expected);
  });
});

describe('npmSentence', () => {
  it.each([
    ['npm error code ENOSPC\nnpm error syscall write', /^There is no room left on the disk/],
    ['npm error code EROFS\nnpm error path /srv/x', /^\/srv\/x is on a read-only file system: /],
    ['npm error code EACCES\nnpm error path /srv/x', /^\/srv\/x may not be written by this user: /],
    ['npm error code EAI_AGAIN', /^The npm registry cannot be reached/],
    ['npm error code EINTEGRITY', /^package-lock\.json is broken/],
    ['npm error code E500\nnpm error 500 Internal Server Error', /^npm ci failed \(code E500; 500 Internal Server Error\): run "npm ci"/],
  ])('%j', (output, expected) => {
    expect(npmSentence(output)).toMatch(expected);
  });
});
