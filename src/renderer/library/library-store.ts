import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { LibraryEntry, LibraryOutcome, Notice, RecentFile } from '../../contract/app-api';
import { putOnBench, copyIntoWizard } from '../gallery/bench';
import { useFiles } from '../stores/files';
import { useToasts } from '../stores/toasts';
import { arrange } from './arrange';
import type { SortKey } from './arrange';

/** The user's saved experiments and recent files, as main lists them. */
export const useLibrary = defineStore('library', () => {
  const files = useFiles();
  const toasts = useToasts();
  const entries = shallowRef<readonly LibraryEntry[]>([]);
  const recent = shallowRef<readonly RecentFile[]>([]);
  const notices = shallowRef<readonly Notice[]>([]);
  const closedNotices = ref<readonly string[]>([]);
  const loaded = ref(false);
  const search = ref('');
  const sortKey = ref<SortKey>('savedAt');
  const ascending = ref(false);

  const shown = computed(() => arrange(entries.value, search.value, sortKey.value, ascending.value));
  /** Trouble with stored data that has not been closed. */
  const trouble = computed(() => notices.value.filter((notice) => notice.level !== 'info' && !closedNotices.value.includes(notice.id)));

  async function refresh(): Promise<void> {
    [entries.value, recent.value, notices.value] = await Promise.all([
      window.swaplab.library.list(), window.swaplab.files.recent(), window.swaplab.notices(),
    ]);
    loaded.value = true;
  }
  function sortBy(key: SortKey): void {
    ascending.value = sortKey.value === key ? !ascending.value : key === 'title' || key === 'kernel';
    sortKey.value = key;
  }
  function closeNotice(id: string): void { closedNotices.value = [...closedNotices.value, id]; }

  /** The value, or undefined after showing why not. */
  function take<T>(outcome: LibraryOutcome<T>): T | undefined {
    if (outcome.kind === 'ok') return outcome.value;
    files.refusal = outcome.refusal;
    return undefined;
  }

  async function open(id: string, run = false): Promise<void> {
    const item = take(await window.swaplab.library.read(id));
    if (item) await putOnBench(item.spec, { kind: 'library', id }, { run });
  }
  async function copy(id: string): Promise<void> {
    const item = take(await window.swaplab.library.read(id));
    if (item) copyIntoWizard(item.spec);
  }
  async function rename(id: string, title: string): Promise<void> {
    take(await window.swaplab.library.rename(id, title));
    await refresh();
  }
  async function duplicate(id: string): Promise<void> {
    const entry = take(await window.swaplab.library.duplicate(id));
    await refresh();
    if (entry) toasts.show('Duplicated', { text: entry.title, tone: 'ok' });
  }
  /** No question: what is deleted can be had back from the message. */
  async function remove(entry: LibraryEntry): Promise<void> {
    const outcome = await window.swaplab.library.delete(entry.id);
    take(outcome);
    await refresh();
    if (outcome.kind !== 'ok') return;
    toasts.show('Deleted', { text: entry.title, action: { label: 'Undo', run: () => { void restore(entry.id); } } });
  }
  async function restore(id: string): Promise<void> {
    take(await window.swaplab.library.undelete(id));
    await refresh();
  }
  async function share(id: string): Promise<void> {
    const item = take(await window.swaplab.library.read(id));
    if (!item) return;
    const outcome = await window.swaplab.files.saveAs(item.spec, item.entry.title);
    if (outcome.kind === 'failed') toasts.show('Not exported', { text: outcome.message, tone: 'bad' });
    if (outcome.kind === 'saved') toasts.show('Exported', { text: outcome.path, tone: 'ok' });
    await refresh();
  }
  async function openRecent(id: string): Promise<void> {
    await files.openRecent(id);
    await refresh();
  }
  async function forget(id: string): Promise<void> {
    await window.swaplab.files.forgetRecent(id);
    await refresh();
  }

  return {
    entries, recent, loaded, search, sortKey, ascending, shown, trouble,
    refresh, sortBy, closeNotice, open, copy, rename, duplicate, remove, share, openRecent, forget,
  };
});
