import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { findElectron } from '../setup/electron.mjs';
import { removeTemporary, say, temporaryFolder } from '../testing/in-a-copy.mjs';
import { readFuses, splitFuses, wrongFuses } from './fuses.mjs';

afterAll(removeTemporary);

const require = createRequire(import.meta.url);
const config = require('js-yaml').load(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8'));
const has = (program) => say('sh', ['-c', `command -v ${program}`]).code === 0;

describe('fuses', () => {
  it('are set as the security baseline wants them', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      grantFileProtocolExtraPrivileges: false,
      onlyLoadAppFromAsar: true,
    });
  });

  it('that an Electron lacks are named, not set', () => {
    const { settable, lacking } = splitFuses(config.electronFuses, { runAsNode: true, onlyLoadAppFromAsar: false });
    expect(settable).toEqual({ runAsNode: false, onlyLoadAppFromAsar: true });
    expect(lacking).toEqual(['enableNodeOptionsEnvironmentVariable', 'enableNodeCliInspectArguments', 'grantFileProtocolExtraPrivileges']);
  });

  it('that are not as wanted are named', () => {
    expect(wrongFuses({ runAsNode: false, onlyLoadAppFromAsar: true }, { runAsNode: true, onlyLoadAppFromAsar: true }))
      .toEqual(['runAsNode is true, wanted false']);
  });

  it('are read from the Electron at hand, which is not yet hardened', async () => {
    const fuses = await readFuses(findElectron().executable, ROOT);
    expect(fuses).toMatchObject({ runAsNode: true, enableNodeCliInspectArguments: true, onlyLoadAppFromAsar: false });
  });
});

describe('the package', () => {
  it('takes in only what is built', () => {
    expect(config.files).toEqual(['package.json', 'out/main/**', 'out/preload/**', 'out/renderer/**']);
  });

  it('ships files that are there', () => {
    for (const { from } of config.linux.extraFiles) expect(existsSync(join(ROOT, from)), from).toBe(true);
  });
});

describe.skipIf(process.platform !== 'linux')('the install script', () => {
  /** What the archive unpacks to, as far as the script sees it. */
  function unpacked(name) {
    const folder = join(temporaryFolder(), name);
    cpSync(join(ROOT, 'resources/linux'), join(folder, 'desktop'), { recursive: true });
    cpSync(join(ROOT, 'resources/icon/swaplab.svg'), join(folder, 'desktop/swaplab.svg'));
    cpSync(join(ROOT, 'resources/icon/512x512.png'), join(folder, 'desktop/swaplab.png'));
    writeFileSync(join(folder, 'swaplab'), '#!/bin/sh\n');
    chmodSync(join(folder, 'swaplab'), 0o755);
    return folder;
  }

  function install(folder, data, ...args) {
    return say('sh', [join(folder, 'desktop/install.sh'), ...args], { env: { ...process.env, XDG_DATA_HOME: data } });
  }

  it.skipIf(!has('xdg-mime') || !has('update-mime-database') || !has('gio'))('gives *.swaplab.json its type', () => {
    const data = temporaryFolder();
    const result = install(unpacked('swaplab'), data);
    expect(result).toMatchObject({ code: 0, err: '' });
    const file = join(temporaryFolder(), 'my experiment.swaplab.json');
    writeFileSync(file, '{}');
    // GNOME: xdg-mime asks gio, which reads the database; on an unknown desktop it asks "file", which does not.
    const env = { ...process.env, XDG_DATA_HOME: data, XDG_CURRENT_DESKTOP: 'GNOME' };
    expect(say('xdg-mime', ['query', 'filetype', file], { env }).out.trim()).toBe('application/vnd.swaplab.experiment+json');
    const other = join(temporaryFolder(), 'other.json');
    writeFileSync(other, '{}');
    expect(say('xdg-mime', ['query', 'filetype', other], { env }).out.trim()).toBe('application/json');
  });

  it.skipIf(!has('desktop-file-validate'))('writes a valid desktop file, however the folder is named', () => {
    for (const name of ['swaplab', 'with space', 'a&b|c', 'a$b`c', 'hundred%', 'quote"d']) {
      const data = temporaryFolder();
      const folder = unpacked(name);
      expect(install(folder, data), name).toMatchObject({ code: 0 });
      const desktop = join(data, 'applications/swaplab.desktop');
      expect(say('desktop-file-validate', ['--no-hints', desktop]), name).toMatchObject({ code: 0, out: '', err: '' });
      const word = `${folder}/swaplab`.replace(/["`$]/g, '\\\\$&').replaceAll('%', '%%');
      expect(readFileSync(desktop, 'utf8'), name).toContain(`Exec="${word}" %F\n`);
    }
  });

  it('takes everything back', () => {
    const data = temporaryFolder();
    const folder = unpacked('swaplab');
    install(folder, data);
    const files = ['applications/swaplab.desktop', 'mime/packages/swaplab.xml', 'icons/hicolor/scalable/apps/swaplab.svg'];
    expect(files.map((file) => existsSync(join(data, file)))).toEqual([true, true, true]);
    expect(install(folder, data, '--remove').code).toBe(0);
    expect(files.map((file) => existsSync(join(data, file)))).toEqual([false, false, false]);
  });

  it('refuses where there is no program, and words that it does not know', () => {
    const folder = join(temporaryFolder(), 'empty');
    mkdirSync(folder);
    cpSync(join(ROOT, 'resources/linux'), join(folder, 'desktop'), { recursive: true });
    expect(install(folder, temporaryFolder())).toMatchObject({ code: 1, err: expect.stringMatching(/^There is no program .*unpacked\.\n$/) });
    expect(install(folder, temporaryFolder(), '--help')).toMatchObject({ code: 2, err: expect.stringMatching(/^usage: /) });
  });
});
