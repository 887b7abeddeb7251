import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LibraryEntry } from '../../contract/app-api';
import { useFiles } from '../stores/files';
import { useToasts } from '../stores/toasts';
import { arrange, matches, savedText } from './arrange';
import { useLibrary } from './library-store';

const entry = (id: string, title: string, more: Partial<LibraryEntry> = {}): LibraryEntry => ({
  id, title, kernel: 'linux-6.18', ramPages: 1024, devices: 1, events: 0, claims: 0, savedAt: 0, hasSeries: false, ...more,
});
const a = entry('a', 'zram 10', { savedAt: 30, ramPages: 512 });
const b = entry('b', 'Zram 9', { savedAt: 10, kernel: 'xswap', ramPages: 4096 });
const c = entry('c', 'disk only', { savedAt: 20, ramPages: 4096 });
const ids = (entries: readonly LibraryEntry[]): string => entries.map((one) => one.id).join('');

describe('arranging the library', () => {
  it('sorts titles as people read them, and keeps equal rows in one order both ways', () => {
    expect(ids(arrange([a, b, c], '', 'title', true))).toBe('cba');
    expect(ids(arrange([a, b, c], '', 'savedAt', false))).toBe('acb');
    expect(ids(arrange([b, c, a], '', 'ramPages', true))).toBe('acb');
    expect(ids(arrange([c, a, b], '', 'ramPages', false))).toBe('cba');
  });

  it('finds every word in title or kernel, letters in either case', () => {
    expect(matches(b, 'ZRAM xsw')).toBe(true);
    expect(matches(a, 'zram xsw')).toBe(false);
    expect(ids(arrange([a, b, c], '6.18 disk', 'title', true))).toBe('c');
  });

  it('prints the time of saving in a form that sorts', () => {
    expect(savedText(new Date(2026, 0, 5, 7, 9).getTime())).toBe('2026-01-05 07:09');
  });
});

/** The part of window.swaplab that the library uses: a list in memory that answers as main does. */
function installApi(entries: LibraryEntry[]): { entries: LibraryEntry[] } {
  const state = { entries, gone: [] as LibraryEntry[] };
  const refusal = { kind: 'refused', refusal: { file: 'x', message: 'It is not there any more.', problems: [] } } as const;
  vi.stubGlobal('swaplab', {
    library: {
      list: () => Promise.resolve(state.entries),
      read: () => Promise.resolve(refusal),
      rename: (id: string, title: string) => {
        state.entries = state.entries.map((one) => (one.id === id ? { ...one, title } : one));
        return Promise.resolve({ kind: 'ok', value: state.entries.find((one) => one.id === id) });
      },
      delete: (id: string) => {
        state.gone.push(...state.entries.filter((one) => one.id === id));
        state.entries = state.entries.filter((one) => one.id !== id);
        return Promise.resolve({ kind: 'ok', value: null });
      },
      undelete: (id: string) => {
        state.entries = [...state.entries, ...state.gone.filter((one) => one.id === id)];
        return Promise.resolve({ kind: 'ok', value: state.entries.at(-1) });
      },
    },
    files: { recent: () => Promise.resolve([]) },
    notices: () => Promise.resolve([{ id: '1', level: 'warning', message: 'set aside' }, { id: '2', level: 'info', message: 'hello' }]),
  });
  return state;
}

describe('the library', () => {
  beforeEach(() => { setActivePinia(createPinia()); });

  it('brings a deleted experiment back from the message', async () => {
    const state = installApi([a, b]);
    const library = useLibrary();
    await library.refresh();
    await library.remove(a);
    expect(library.entries.map((one) => one.id)).toEqual(['b']);
    const toasts = useToasts();
    const toast = toasts.items.at(-1)!;
    expect(toast.action?.label).toBe('Undo');
    toasts.act(toast.id);
    await vi.waitFor(() => { expect(library.entries.map((one) => one.id)).toEqual(['b', 'a']); });
    expect(state.entries).toHaveLength(2);
  });

  it('renames in place', async () => {
    installApi([a]);
    const library = useLibrary();
    await library.refresh();
    await library.rename('a', 'another name');
    expect(library.entries[0]?.title).toBe('another name');
  });

  it('shows the reason when an experiment cannot be read, and opens nothing', async () => {
    installApi([a]);
    const library = useLibrary();
    await library.open('a');
    expect(useFiles().refusal?.message).toBe('It is not there any more.');
  });

  it('shows trouble with stored data until it is closed', async () => {
    installApi([]);
    const library = useLibrary();
    await library.refresh();
    expect(library.trouble.map((notice) => notice.message)).toEqual(['set aside']);
    library.closeNotice('1');
    expect(library.trouble).toEqual([]);
  });
});
