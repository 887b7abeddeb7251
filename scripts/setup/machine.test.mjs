import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cacheFolder, fromUser } from '../lib/paths.mjs';
import { electronSwitches } from '../tasks/start.mjs';
import { removeTemporary, temporaryFolder } from '../testing/in-a-copy.mjs';
import { isDebianLike } from './apt.mjs';
import { hasDisplay } from './display.mjs';
import { missingIn, packagesFor } from './shared-libraries.mjs';
import { restriction } from './user-namespaces.mjs';
import { startXvfb } from './xvfb.mjs';

afterAll(removeTemporary);

function fileWith(text, name = 'file') {
  const file = join(temporaryFolder(), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('hasDisplay', () => {
  it.each([
    [{}, 'linux', false],
    [{ DISPLAY: '' }, 'linux', false],
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{}, 'darwin', true],
    [{}, 'win32', true],
  ])('%j on %s: %s', (env, platform, expected) => expect(hasDisplay(env, platform)).toBe(expected));
});

describe('electronSwitches', () => {
  it.each([
    [{ root: true, env: { DISPLAY: ':0' }, platform: 'linux' }, ['--no-sandbox']],
    [{ root: false, env: { DISPLAY: ':0' }, platform: 'linux' }, []],
    [{ root: false, env: { WAYLAND_DISPLAY: 'w' }, platform: 'linux' }, ['--ozone-platform-hint=auto']],
    [{ root: true, env: {}, platform: 'darwin' }, []],
  ])('%j: %j', (machine, expected) => expect(electronSwitches(machine)).toEqual(expected));
});

describe('paths', () => {
  it('keeps the cache where the system has caches', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: '/c' }, 'linux')).toBe('/c/swaplab');
    expect(cacheFolder({}, 'linux')).toMatch(/\/\.cache\/swaplab$/);
    expect(cacheFolder({}, 'darwin')).toMatch(/Library\/Caches\/swaplab$/);
  });

  it('takes file names from where the user typed them', () => {
    expect(fromUser('x.swaplab.json', { INIT_CWD: '/home/u' })).toBe('/home/u/x.swaplab.json');
    expect(fromUser('/x.swaplab.json', { INIT_CWD: '/home/u' })).toBe('/x.swaplab.json');
    expect(fromUser('builtin:xswap-cap', { INIT_CWD: '/home/u' })).toBe('builtin:xswap-cap');
  });
});

describe('isDebianLike', () => {
  it.each([
    ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n', true],
    ['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', true],
    ['ID=linuxmint\nID_LIKE="ubuntu debian"\n', true],
    ['ID=fedora\n', false],
    ['ID=alpine\nHOME_URL="https://debian.example/"\n', false],
  ])('%j: %s', (text, expected) => expect(isDebianLike(fileWith(text))).toBe(expected));

  it('a system that does not say', () => expect(isDebianLike('/nowhere/os-release')).toBe(false));
});

describe('shared libraries', () => {
  // As ldd prints it for Electron 25 on a bare Debian 12.
  const LDD = `
\tlinux-vdso.so.1 (0x00007ffd2b5f2000)
\tlibffmpeg.so => /opt/electron/libffmpeg.so (0x00007f2f1de00000)
\tlibnss3.so => not found
\tlibnssutil3.so => not found
\tlibgtk-3.so.0 => not found
\tlibasound.so.2 => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f2f1dc1f000)
`;

  it('finds those that are missing', () => {
    expect(missingIn(LDD)).toEqual(['libnss3.so', 'libnssutil3.so', 'libgtk-3.so.0', 'libasound.so.2']);
  });

  it('names each package once, with both names where it has two', () => {
    expect(packagesFor(missingIn(LDD))).toEqual([['libgtk-3-0t64', 'libgtk-3-0'], 'libnss3', ['libasound2t64', 'libasound2']]);
  });

  it('has nothing to say where nothing is missing', () => {
    expect(packagesFor(missingIn('\tlibc.so.6 => /lib/libc.so.6 (0x00007f2f1dc1f000)\n'))).toEqual([]);
  });
});

describe('user namespaces', () => {
  const sysctl = (values) => {
    const folder = temporaryFolder();
    for (const [name, value] of Object.entries(values)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), `${value}\n`);
    }
    return restriction(folder)?.setting;
  };

  it.each([
    [{}, undefined],
    [{ 'kernel/apparmor_restrict_unprivileged_userns': 1 }, 'kernel.apparmor_restrict_unprivileged_userns=0'],
    [{ 'kernel/apparmor_restrict_unprivileged_userns': 0, 'user/max_user_namespaces': 15000 }, undefined],
    [{ 'kernel/unprivileged_userns_clone': 0 }, 'kernel.unprivileged_userns_clone=1'],
    [{ 'user/max_user_namespaces': 0 }, 'user.max_user_namespaces=10000'],
  ])('%j: %s', (values, expected) => expect(sysctl(values)).toBe(expected));
});

describe('startXvfb', () => {
  it('says what is missing where there is no such program', async () => {
    await expect(startXvfb('no-such-x-server')).rejects.toThrow(
      /^The virtual display cannot be started \(there is no no-such-x-server\): install the package xvfb and run the command again\.$/);
  });

  it('says why a server did not start', async () => {
    await expect(startXvfb('false')).rejects.toThrow(/cannot be started \(false ended with 1: /);
  });

  it.skipIf(process.platform !== 'linux')('starts two on different displays, and stops them', async () => {
    const [one, two] = await Promise.all([startXvfb(), startXvfb()]);
    expect(one.display).toMatch(/^:\d+$/);
    expect(two.display).not.toBe(one.display);
    await Promise.all([one.stop(), two.stop()]);
  });
});
