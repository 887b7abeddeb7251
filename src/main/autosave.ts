/**
 * The copy to the side of what is at work. It is there only while there are unsaved changes: found at a start, the last
 * session did not end properly, and the window offers it.
 */
import path from 'node:path';
import { z } from 'zod';
import type { RecoverableDraft } from '../contract/app-api';
import type { GateVerdict } from '../contract/host-messages';
import { GuardedStore, type StoreBackendFactory } from './guarded-store';
import type { Notices } from './notices';

const LEAST_INTERVAL_MS = 2000;

const draftSchema = z.strictObject({
  draft: z
    .strictObject({
      title: z.string().max(500),
      /** Milliseconds since 1970, UTC. */
      savedAt: z.number().int(),
      /** File it was opened from or last saved to. */
      file: z.string().max(4096).optional(),
      /** The experiment as JSON; the gate judges it before it is offered. */
      text: z.string(),
    })
    .nullable(),
});
type Draft = NonNullable<z.infer<typeof draftSchema>['draft']>;

export interface AutosaveOptions {
  readonly folder: string;
  readonly backend: StoreBackendFactory;
  readonly notices: Notices;
  readonly judge: (text: string) => Promise<GateVerdict>;
  readonly registerFile: (file: string) => string;
  readonly now: () => number;
}

export class Autosave {
  readonly #options: AutosaveOptions;
  readonly #store: GuardedStore<z.infer<typeof draftSchema>>;
  /** Of the last session, until the window took it up or threw it away. */
  #found: Draft | undefined;
  #waiting: (() => Draft) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastWrite = -Infinity;

  constructor(options: AutosaveOptions) {
    this.#options = options;
    const { folder, backend, notices } = options;
    this.#store = new GuardedStore({
      folder, name: 'autosave', schema: draftSchema, version: 1, migrations: [], initial: { draft: null }, backend, notify: notices.add.bind(notices),
    });
    this.#found = this.#store.get().draft ?? undefined;
  }

  async recoverable(): Promise<RecoverableDraft | undefined> {
    const found = this.#found;
    if (found === undefined) return undefined;
    const verdict = await this.#options.judge(found.text);
    if (verdict.kind === 'refused') {
      this.#options.notices.add('warning', `The autosaved copy of “${found.title}” cannot be restored: ${verdict.message}`);
      return undefined;
    }
    const draft = { title: found.title, spec: verdict.spec, savedAt: found.savedAt };
    return found.file === undefined ? draft : { ...draft, documentId: this.#options.registerFile(found.file), name: path.basename(found.file) };
  }

  /** Writes at once when the last write is old enough, else when it will be; the newest state wins. */
  save(spec: unknown, title: string, file: string | undefined): void {
    this.#found = undefined;
    this.#waiting = () => ({
      title: title.slice(0, 500), savedAt: this.#options.now(), text: JSON.stringify(spec) ?? '', ...(file === undefined ? {} : { file }),
    });
    const wait = this.#lastWrite + LEAST_INTERVAL_MS - this.#options.now();
    if (wait <= 0) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const draft = this.#waiting?.();
    this.#waiting = undefined;
    if (draft === undefined) return;
    this.#lastWrite = this.#options.now();
    this.#set(draft);
  }

  /** The window was lost: what was at work in it is offered to the next, as after a crash of the whole app. */
  offerAgain(): void {
    this.flush();
    this.#found = this.#store.get().draft ?? undefined;
  }

  /** Saved, or thrown away on purpose. */
  discard(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = undefined;
    this.#found = undefined;
    if (this.#store.get().draft !== null) this.#set(null);
  }

  /** A proper end of the app. A draft that was offered and not answered is kept for the next start. */
  close(): void {
    if (this.#found === undefined) this.discard();
  }

  #set(draft: Draft | null): void {
    try {
      this.#store.set({ draft });
    } catch (error) {
      this.#options.notices.add('warning', `The copy to the side could not be written: ${String(error)}`);
    }
  }
}
