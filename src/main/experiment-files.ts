/** Opens and saves experiment files. Paths stay here: the window knows a file by its document id. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { ExportRequest, OpenOutcome, Refusal, SaveOutcome } from '../contract/app-api';
import type { GateVerdict } from '../contract/host-messages';
import { writeFileAtomic } from './atomic-file';
import { FileRefused, readTextBounded, reasonOf } from './bounded-read';
import { EXPERIMENT_EXTENSION, safeBaseName, withExtension } from './file-names';
import type { RecentFiles } from './recent-files';

export interface FileDialogs {
  /** @returns undefined when cancelled */
  askOpen(): Promise<string | undefined>;
  askSave(options: { suggestedName: string; kind: 'experiment' | ExportRequest['kind'] }): Promise<string | undefined>;
}

export interface ExperimentFilesOptions {
  readonly judge: (text: string) => Promise<GateVerdict>;
  readonly dialogs: FileDialogs;
  readonly recent: RecentFiles;
}

export class ExperimentFiles {
  readonly #options: ExperimentFilesOptions;
  readonly #documents = new Map<string, string>();

  constructor(options: ExperimentFilesOptions) {
    this.#options = options;
  }

  async openByDialog(): Promise<OpenOutcome> {
    const file = await this.#options.dialogs.askOpen();
    return file === undefined ? { kind: 'cancelled' } : this.openPath(file);
  }

  async openRecent(id: string): Promise<OpenOutcome> {
    const file = this.#options.recent.pathOf(id);
    if (file === undefined) return refusedOutcome({ file: '', message: 'It is not in the list of recent files any more.', problems: [] });
    return this.openPath(file);
  }

  async openPath(file: string, run = false): Promise<OpenOutcome> {
    const name = path.basename(file);
    let text: string;
    try {
      text = await readTextBounded(file);
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      return refusedOutcome({ file: name, message: error.message, problems: [] });
    }
    const verdict = await this.#options.judge(text);
    if (verdict.kind === 'refused') return refusedOutcome({ file: name, message: verdict.message, problems: verdict.problems });
    const { spec, estimatedOps } = verdict;
    this.#options.recent.add(file, spec.title);
    return { kind: 'opened', run, document: { documentId: this.register(file), name, path: file, spec, estimatedOps } };
  }

  async save(spec: unknown, documentId: string | undefined): Promise<SaveOutcome> {
    const file = documentId === undefined ? undefined : this.#documents.get(documentId);
    if (file === undefined) return this.saveAs(spec, titleOf(spec));
    return this.#write(spec, () => Promise.resolve(file));
  }

  async saveAs(spec: unknown, suggestedName: string): Promise<SaveOutcome> {
    const suggestion = withExtension(safeBaseName(suggestedName, 'experiment'), EXPERIMENT_EXTENSION);
    return this.#write(spec, async () => {
      const file = await this.#options.dialogs.askSave({ suggestedName: suggestion, kind: 'experiment' });
      return file === undefined || path.extname(file) !== '' ? file : `${file}${EXPERIMENT_EXTENSION}`;
    });
  }

  async export({ kind, suggestedName, bytes }: ExportRequest): Promise<SaveOutcome> {
    const suggestion = withExtension(safeBaseName(suggestedName, 'swaplab'), `.${kind}`);
    const file = await this.#options.dialogs.askSave({ suggestedName: suggestion, kind });
    if (file === undefined) return { kind: 'cancelled' };
    return this.#writeBytes(file, bytes);
  }

  /** @returns the handle by which the window may save to this file */
  register(file: string): string {
    for (const [id, known] of this.#documents) if (known === file) return id;
    const id = randomUUID();
    this.#documents.set(id, file);
    return id;
  }

  pathOf(documentId: string): string | undefined {
    return this.#documents.get(documentId);
  }

  /** The gate first: what could not be opened again is not written. */
  async #write(spec: unknown, place: () => Promise<string | undefined>): Promise<SaveOutcome> {
    const verdict = await this.#options.judge(JSON.stringify(spec) ?? '');
    if (verdict.kind === 'refused') return { kind: 'failed', message: `It was not saved: ${verdict.message}` };
    const file = await place();
    if (file === undefined) return { kind: 'cancelled' };
    const outcome = await this.#writeBytes(file, verdict.text);
    if (outcome.kind === 'saved') this.#options.recent.add(file, verdict.spec.title);
    return outcome;
  }

  async #writeBytes(file: string, content: string | Uint8Array): Promise<SaveOutcome> {
    const name = path.basename(file);
    try {
      await writeFileAtomic(file, content);
    } catch (error) {
      return { kind: 'failed', message: `${name} was not saved: ${reasonOf(error)}. What was there before is untouched.` };
    }
    return { kind: 'saved', documentId: this.register(file), name, path: file };
  }
}

function refusedOutcome(refusal: Refusal): OpenOutcome {
  return { kind: 'refused', refusal };
}

function titleOf(spec: unknown): string {
  const title = typeof spec === 'object' && spec !== null ? (spec as { title?: unknown }).title : undefined;
  return typeof title === 'string' ? title : '';
}
