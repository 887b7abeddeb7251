import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Conf from 'conf';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { GuardedStore, type GuardedStoreOptions, type StoreBackendFactory } from './guarded-store';

let folder: string;
let notices: string[];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'swaplab-store-'));
  notices = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// electron-store's base class: the same code that writes in the app, which needs no Electron.
const backend: StoreBackendFactory = (cwd, configName) =>
  new Conf({ cwd, configName, projectName: 'swaplab', accessPropertiesByDotNotation: false });

const schema = z.strictObject({ count: z.number().int() });
type Data = z.infer<typeof schema>;

function openStore(options: Partial<GuardedStoreOptions<Data>> = {}): GuardedStore<Data> {
  return new GuardedStore<Data>({
    folder, name: 'box', schema, version: 1, migrations: [], initial: { count: 0 }, backend,
    notify: (_level, message) => notices.push(message), ...options,
  });
}

const file = (name: string): string => path.join(folder, name);
const read = (name: string): unknown => JSON.parse(readFileSync(file(name), 'utf8'));

describe('a guarded store', () => {
  it('starts with its initial value, keeps what is set, and writes nothing before', () => {
    const store = openStore();
    expect(store.get()).toEqual({ count: 0 });
    expect(readdirSync(folder)).toEqual([]);
    store.set({ count: 3 });
    expect(openStore().get()).toEqual({ count: 3 });
    expect(notices).toEqual([]);
  });

  it('refuses data of another shape and holds what it held', () => {
    const store = openStore();
    store.set({ count: 1 });
    expect(() => store.set({ count: 1.5 })).toThrow();
    expect(store.get()).toEqual({ count: 1 });
    expect(openStore().get()).toEqual({ count: 1 });
  });

  it.each([
    ['text that is no JSON', '{"version":1,"data":{"cou', /not JSON/],
    ['an empty file', '', /not JSON/],
    ['another shape', '{"version":1,"data":{"count":"three"}}', /count/],
    ['an unknown key', '{"version":1,"data":{"count":1,"extra":1}}', /extra/],
    ['no version', '{"count":1}', /version/],
  ])('sets a broken file aside and takes the backup: %s', (_name, text, reason) => {
    openStore().set({ count: 7 });
    openStore();
    writeFileSync(file('box.json'), text);
    const store = openStore();
    expect(store.get()).toEqual({ count: 7 });
    expect(readFileSync(file('box.corrupt-1.json'), 'utf8')).toBe(text);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(reason);
    expect(openStore().get()).toEqual({ count: 7 });
  });

  it('without a backup starts anew, says so, and never overwrites an older set-aside file', () => {
    writeFileSync(file('box.json'), 'first');
    expect(openStore().lost).toBe(true);
    writeFileSync(file('box.json'), 'second');
    expect(openStore().get()).toEqual({ count: 0 });
    expect(readFileSync(file('box.corrupt-1.json'), 'utf8')).toBe('first');
    expect(readFileSync(file('box.corrupt-2.json'), 'utf8')).toBe('second');
    expect(notices).toHaveLength(2);
  });

  it('keeps two generations and survives when the newest backup is broken too', () => {
    openStore().set({ count: 1 });
    openStore().set({ count: 2 });
    openStore().set({ count: 3 });
    expect(read('box.backup-1.json')).toMatchObject({ data: { count: 2 } });
    expect(read('box.backup-2.json')).toMatchObject({ data: { count: 1 } });
    writeFileSync(file('box.json'), '[');
    writeFileSync(file('box.backup-1.json'), '[');
    expect(openStore().get()).toEqual({ count: 1 });
  });

  it('migrates step by step, with the old file as backup', () => {
    writeFileSync(file('box.json'), JSON.stringify({ version: 1, data: { n: 4 } }));
    const store = openStore({
      version: 3,
      migrations: [(old) => ({ number: (old as { n: number }).n }), (old) => ({ count: (old as { number: number }).number })],
    });
    expect(store.get()).toEqual({ count: 4 });
    expect(read('box.json')).toEqual({ version: 3, data: { count: 4 } });
    expect(read('box.backup-1.json')).toEqual({ version: 1, data: { n: 4 } });
  });

  it('a migration that throws leaves the file set aside, not wiped', () => {
    writeFileSync(file('box.json'), JSON.stringify({ version: 1, data: {} }));
    const store = openStore({ version: 2, migrations: [() => { throw new Error('no n'); }] });
    expect(store.get()).toEqual({ count: 0 });
    expect(existsSync(file('box.corrupt-1.json'))).toBe(true);
  });

  it('leaves the file of a newer version alone', () => {
    const text = JSON.stringify({ version: 9, data: { future: true } });
    writeFileSync(file('box.json'), text);
    const store = openStore();
    expect(store.readOnly).toBe(true);
    store.set({ count: 5 });
    expect(store.get()).toEqual({ count: 5 });
    expect(readFileSync(file('box.json'), 'utf8')).toBe(text);
    expect(notices[0]).toMatch(/newer version/);
  });
});
