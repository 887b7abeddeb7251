import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { StoredSeries } from '../../contract/app-api';
import type { ExperimentSpec, WorkloadEvent } from '../../engine/experiment/spec';

/** Where the experiment on the bench came from; save() goes back there. */
export type DocumentSource =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'file'; readonly documentId: string; readonly name: string; readonly path: string }
  | { readonly kind: 'library'; readonly id: string }
  | { readonly kind: 'new' };

export type LeaveAnswer = 'save' | 'discard' | 'cancel';

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The experiment on the bench with its live changes, and whether they are saved. */
export const useDocument = defineStore('document', () => {
  const spec = shallowRef<ExperimentSpec>();
  const source = shallowRef<DocumentSource>({ kind: 'new' });
  /** All events: those of the file and the live changes made since. */
  const events = shallowRef<readonly WorkloadEvent[]>([]);
  /** Rises with each open(): who follows it loads the machine anew. */
  const opened = ref(0);
  const saved = ref('');
  /** The question “save first?” while it is open. */
  const asking = shallowRef<((answer: LeaveAnswer) => void) | null>(null);

  const current = computed<ExperimentSpec | undefined>(() => spec.value && {
    ...spec.value, workload: { ...spec.value.workload, events: events.value },
  });
  const text = computed(() => (current.value ? JSON.stringify(current.value) : ''));
  const unsaved = computed(() => text.value !== saved.value);
  const title = computed(() => spec.value?.title ?? '');

  /** Puts an experiment on the bench. Call mayLeave() before. */
  function open(next: ExperimentSpec, from: DocumentSource, options: { unsaved?: boolean } = {}): void {
    const own = plain(next);
    spec.value = own;
    events.value = own.workload.events ?? [];
    source.value = from;
    saved.value = options.unsaved ?? from.kind === 'new' ? '' : text.value;
    opened.value += 1;
  }
  function markSaved(to: DocumentSource): void { source.value = to; saved.value = text.value; }
  function setEvents(next: readonly WorkloadEvent[]): void {
    if (JSON.stringify(next) !== JSON.stringify(events.value)) events.value = plain(next);
  }

  /** Asks when there are unsaved changes. @returns false: stay. */
  async function mayLeave(): Promise<boolean> {
    if (!spec.value || !unsaved.value) return true;
    const answer = await new Promise<LeaveAnswer>((resolve) => { asking.value = resolve; });
    asking.value = null;
    if (answer === 'save') return save();
    return answer === 'discard';
  }

  /** Back to where it came from; built-in and new ones ask for a place. @returns whether it was saved. */
  async function save(): Promise<boolean> {
    if (!current.value) return false;
    if (source.value.kind === 'library') return saveToLibrary();
    const id = source.value.kind === 'file' ? source.value.documentId : undefined;
    return take(await window.swaplab.files.save(plain(current.value), id));
  }
  async function saveAs(): Promise<boolean> {
    if (!current.value) return false;
    return take(await window.swaplab.files.saveAs(plain(current.value), title.value));
  }
  async function saveToLibrary(extra: { digest?: string; series?: StoredSeries } = {}): Promise<boolean> {
    if (!current.value) return false;
    const id = source.value.kind === 'library' ? source.value.id : undefined;
    const outcome = await window.swaplab.library.save(plain(current.value), { ...extra, ...(id ? { id } : {}) });
    if (outcome.kind === 'refused') { failure.value = outcome.refusal.message; return false; }
    markSaved({ kind: 'library', id: outcome.value.id });
    window.swaplab.draft.discard();
    return true;
  }
  /** The sentence of the last save that failed; whoever shows it clears it. */
  const failure = ref('');
  function take(outcome: Awaited<ReturnType<typeof window.swaplab.files.save>>): boolean {
    if (outcome.kind === 'failed') failure.value = outcome.message;
    if (outcome.kind !== 'saved') return false;
    markSaved({ kind: 'file', documentId: outcome.documentId, name: outcome.name, path: outcome.path });
    window.swaplab.draft.discard();
    return true;
  }

  /** Keeps main informed: the dot in the title, the question on close, the copy to the side. */
  function start(): void {
    watch([unsaved, title], () => { window.swaplab.draft.setState({ unsaved: unsaved.value, title: title.value }); }, { immediate: true });
    watch(text, () => {
      if (!current.value || !unsaved.value) return;
      window.swaplab.draft.autosave(plain(current.value), source.value.kind === 'file' ? source.value.documentId : undefined);
    });
    window.swaplab.draft.onSaveBeforeClose(save);
  }

  return {
    spec, source, events, opened, current, unsaved, title, asking, failure,
    open, markSaved, setEvents, mayLeave, save, saveAs, saveToLibrary, start,
  };
});
