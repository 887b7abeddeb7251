/**
 * A small JSON store that loses nothing: electron-store writes it (atomically), and around it stands what electron-store leaves out:
 * validation with zod, versions with migrations, two generations of backup, and a broken file that is set aside instead of wiped.
 *
 * Files of a store `name` in its folder:
 *   name.json                 {version, data}
 *   name.backup-1.json        as it was last loaded soundly; name.backup-2.json: the one before
 *   name.corrupt-<n>.json     what could not be read, kept for the user
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Of electron-store and of its base class conf, what is used here. */
export interface StoreBackend {
  store: Record<string, unknown>;
}
export type StoreBackendFactory = (folder: string, name: string) => StoreBackend;

export interface GuardedStoreOptions<T> {
  readonly folder: string;
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** Version of `schema`, from 1 on. */
  readonly version: number;
  /** migrations[k] makes data of version k + 2 from data of version k + 1; pure. */
  readonly migrations: readonly ((old: unknown) => unknown)[];
  readonly initial: T;
  readonly backend: StoreBackendFactory;
  /** Tells the user, in one sentence, what was set aside or brought back. */
  readonly notify: (level: 'warning' | 'error', message: string) => void;
  readonly maxBytes?: number;
}

const envelopeSchema = z.object({ version: z.number().int().positive(), data: z.unknown() });

type Loaded<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'sound'; readonly data: T; readonly migrated: boolean }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'broken'; readonly reason: string };

export class GuardedStore<T> {
  readonly #options: GuardedStoreOptions<T>;
  readonly #file: string;
  #backend: StoreBackend | undefined;
  #data: T;
  /** Made by a newer version of the app: used as it can be, never written. */
  readonly readOnly: boolean;
  /** Nothing sound was found, neither the file nor a backup, though there had been one. */
  readonly lost: boolean;

  constructor(options: GuardedStoreOptions<T>) {
    this.#options = options;
    this.#file = path.join(options.folder, `${options.name}.json`);
    mkdirSync(options.folder, { recursive: true });
    const loaded = this.#load(this.#file);
    this.readOnly = loaded.kind === 'newer';
    this.lost = false;
    if (loaded.kind === 'sound') {
      // The file as it stands is sound: it becomes the newest backup before anything, a migration too, writes over it.
      this.#rotateBackups();
      this.#data = loaded.data;
      if (loaded.migrated) this.set(loaded.data);
    } else if (loaded.kind === 'broken') {
      const recovered = this.#recover(loaded.reason);
      this.lost = recovered === undefined;
      this.#data = recovered ?? options.initial;
    } else {
      this.#data = options.initial;
      if (loaded.kind === 'newer') {
        options.notify('warning', `${this.#file} was written by a newer version of Swaplab (store version ${loaded.version}); it is left as it is and changes are not kept.`);
      }
    }
  }

  get(): T {
    return this.#data;
  }

  /** @throws when the data is not of the schema, or the disk refuses. The store then holds what it held. */
  set(data: T): void {
    const checked = this.#options.schema.parse(data);
    if (!this.readOnly) {
      this.#backend ??= this.#options.backend(this.#options.folder, this.#options.name);
      this.#backend.store = { version: this.#options.version, data: checked };
    }
    this.#data = checked;
  }

  #load(file: string): Loaded<T> {
    if (!existsSync(file)) return { kind: 'absent' };
    const maxBytes = this.#options.maxBytes ?? 16 * 1024 * 1024;
    try {
      if (statSync(file).size > maxBytes) return { kind: 'broken', reason: `it is larger than ${maxBytes} bytes` };
      const envelope = envelopeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      if (envelope.version > this.#options.version) return { kind: 'newer', version: envelope.version };
      let data = envelope.data;
      for (let version = envelope.version; version < this.#options.version; version += 1) {
        const migrate = this.#options.migrations[version - 1];
        if (migrate === undefined) return { kind: 'broken', reason: `there is no way from store version ${version} on` };
        data = migrate(data);
      }
      return { kind: 'sound', data: this.#options.schema.parse(data), migrated: envelope.version < this.#options.version };
    } catch (error) {
      return { kind: 'broken', reason: brokenReason(error) };
    }
  }

  #rotateBackups(): void {
    const first = this.#backupFile(1);
    try {
      if (existsSync(first)) {
        if (readFileSync(first).equals(readFileSync(this.#file))) return;
        renameSync(first, this.#backupFile(2));
      }
      copyFileSync(this.#file, first);
    } catch (error) {
      this.#options.notify('warning', `No backup of ${this.#file} could be made: ${String(error)}`);
    }
  }

  /** Sets the broken file aside and takes the newest sound backup. */
  #recover(reason: string): T | undefined {
    const aside = this.#setAside();
    for (const generation of [1, 2]) {
      const backup = this.#load(this.#backupFile(generation));
      if (backup.kind === 'sound') {
        this.#options.notify('warning', `${this.#file} could not be read (${reason}); it was set aside as ${aside} and the backup of the last good state was taken.`);
        copyFileSync(this.#backupFile(generation), this.#file);
        return backup.data;
      }
    }
    this.#options.notify('error', `${this.#file} could not be read (${reason}); it was set aside as ${aside}, and there is no backup.`);
    return undefined;
  }

  #setAside(): string {
    for (let n = 1; ; n += 1) {
      const aside = path.join(this.#options.folder, `${this.#options.name}.corrupt-${n}.json`);
      if (!existsSync(aside)) {
        renameSync(this.#file, aside);
        return path.basename(aside);
      }
    }
  }

  #backupFile(generation: number): string {
    return path.join(this.#options.folder, `${this.#options.name}.backup-${generation}.json`);
  }
}

function brokenReason(error: unknown): string {
  if (error instanceof z.ZodError) {
    const issue = error.issues[0];
    return issue === undefined ? 'it does not have the expected shape' : `${issue.path.map(String).join('.') || 'file'}: ${issue.message}`;
  }
  return error instanceof SyntaxError ? 'it is not JSON' : String(error);
}
