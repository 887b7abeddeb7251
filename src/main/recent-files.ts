/** The files opened or saved last. A file that vanished stays in the list, greyed, until the user takes it off. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { RecentFile } from '../contract/app-api';
import { GuardedStore, type StoreBackendFactory } from './guarded-store';
import type { Notices } from './notices';

const MOST = 20;

const recentSchema = z.strictObject({
  files: z.array(z.strictObject({ path: z.string().min(1).max(4096), title: z.string().max(500) })).max(MOST),
});

export class RecentFiles {
  readonly #store: GuardedStore<z.infer<typeof recentSchema>>;

  /** @param folder userData */
  constructor(folder: string, backend: StoreBackendFactory, notices: Notices) {
    this.#store = new GuardedStore({
      folder, name: 'recent', schema: recentSchema, version: 1, migrations: [], initial: { files: [] }, backend, notify: notices.add.bind(notices),
    });
  }

  add(file: string, title: string): void {
    const others = this.#store.get().files.filter((known) => known.path !== file);
    this.#store.set({ files: [{ path: file, title: title.slice(0, 500) }, ...others].slice(0, MOST) });
  }

  forget(id: string): void {
    this.#store.set({ files: this.#store.get().files.filter((known) => idOf(known.path) !== id) });
  }

  list(): RecentFile[] {
    return this.#store.get().files.map(({ path: file, title }) => ({
      id: idOf(file), name: path.basename(file), path: file, title, exists: existsSync(file),
    }));
  }

  pathOf(id: string): string | undefined {
    return this.#store.get().files.find((known) => idOf(known.path) === id)?.path;
  }
}

function idOf(file: string): string {
  return createHash('sha256').update(file).digest('hex').slice(0, 32);
}
