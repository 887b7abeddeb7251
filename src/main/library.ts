/**
 * The user's saved experiments. Folder layout:
 *
 *   library/index.json              the entries as the list shows them, in a guarded store
 *   library/<id>/experiment.json    one guarded store an experiment: {spec, digest, savedAt}
 *   library/<id>/series.bin         recorded columns of its last saved run, if any
 *   library/<id>.deleted/           deleted in this session; gone at the next start
 *
 * The index is a convenience: whatever it lacks is found again in the folders.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { LibraryEntry, LibraryItem, LibraryOutcome, StoredSeries } from '../contract/app-api';
import type { GateVerdict } from '../contract/host-messages';
import { writeFileAtomic } from './atomic-file';
import { reasonOf } from './bounded-read';
import { GuardedStore, type StoreBackendFactory } from './guarded-store';
import type { Notices } from './notices';
import { decodeSeries, encodeSeries } from './series-file';

const entrySchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  title: z.string().max(500),
  kernel: z.string().max(200),
  ramPages: z.number().int().min(0),
  devices: z.number().int().min(0),
  events: z.number().int().min(0),
  claims: z.number().int().min(0),
  savedAt: z.number().int(),
  digest: z.string().optional(),
  hasSeries: z.boolean(),
});
const indexSchema = z.strictObject({ entries: z.array(entrySchema).max(10_000) });

/** The experiment itself is judged by the gate, as a file is: what an old version wrote must still be understood. */
const itemSchema = z.strictObject({ savedAt: z.number().int(), digest: z.string().optional(), spec: z.record(z.string(), z.unknown()) });
type Item = z.infer<typeof itemSchema>;

export interface LibraryOptions {
  /** userData/library */
  readonly folder: string;
  readonly backend: StoreBackendFactory;
  readonly notices: Notices;
  readonly judge: (text: string) => Promise<GateVerdict>;
  readonly now: () => number;
  readonly onChanged: () => void;
}

type Taken = Extract<GateVerdict, { kind: 'taken' }>;

export class Library {
  readonly #options: LibraryOptions;
  readonly #index: GuardedStore<z.infer<typeof indexSchema>>;

  constructor(options: LibraryOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true });
    this.#index = this.#store(options.folder, 'index', indexSchema, { entries: [] });
    this.#sweepDeleted();
    this.#findUnlisted();
  }

  /** Newest first. */
  list(): readonly LibraryEntry[] {
    return [...this.#index.get().entries].sort((a, b) => b.savedAt - a.savedAt);
  }

  async read(id: string): Promise<LibraryOutcome<LibraryItem>> {
    const entry = this.#entry(id);
    if (entry === undefined) return refusal(id, 'It is not in the library any more.');
    const item = this.#openItem(id);
    if (item === undefined) return refusal(entry.title, 'Its store could not be read and was set aside; there was no backup.');
    const verdict = await this.#options.judge(JSON.stringify(item.spec));
    if (verdict.kind === 'refused') return { kind: 'refused', refusal: { file: entry.title, message: verdict.message, problems: verdict.problems } };
    return { kind: 'ok', value: { entry, spec: verdict.spec, estimatedOps: verdict.estimatedOps } };
  }

  async save(
    spec: unknown, { id, digest, series }: { id?: string; digest?: string; series?: StoredSeries },
  ): Promise<LibraryOutcome<LibraryEntry>> {
    const verdict = await this.#options.judge(JSON.stringify(spec) ?? '');
    if (verdict.kind === 'refused') {
      return { kind: 'refused', refusal: { file: 'The experiment', message: verdict.message, problems: verdict.problems } };
    }
    const known = id === undefined ? undefined : this.#entry(id);
    return this.#write(known?.id ?? randomUUID(), verdict, digest, series);
  }

  async rename(id: string, title: string): Promise<LibraryOutcome<LibraryEntry>> {
    const read = await this.read(id);
    if (read.kind === 'refused') return read;
    const { digest } = read.value.entry;
    return this.save({ ...read.value.spec, title }, digest === undefined ? { id } : { id, digest });
  }

  async duplicate(id: string): Promise<LibraryOutcome<LibraryEntry>> {
    const read = await this.read(id);
    if (read.kind === 'refused') return read;
    const { spec } = read.value;
    return this.save({ ...spec, title: copyTitle(spec.title, this.list().map((entry) => entry.title)) }, {});
  }

  delete(id: string): LibraryOutcome<null> {
    const entry = this.#entry(id);
    if (entry === undefined) return refusal(id, 'It is not in the library any more.');
    try {
      rmSync(this.#deletedFolder(id), { recursive: true, force: true });
      if (existsSync(this.#itemFolder(id))) renameSync(this.#itemFolder(id), this.#deletedFolder(id));
    } catch (error) {
      return refusal(entry.title, `It was not deleted: ${reasonOf(error)}.`);
    }
    this.#setEntries(this.#index.get().entries.filter((other) => other.id !== id));
    return { kind: 'ok', value: null };
  }

  undelete(id: string): LibraryOutcome<LibraryEntry> {
    if (!existsSync(this.#deletedFolder(id)) || this.#entry(id) !== undefined) return refusal(id, 'There is nothing to bring back.');
    renameSync(this.#deletedFolder(id), this.#itemFolder(id));
    const entry = this.#entryFromFolder(id);
    if (entry === undefined) return refusal(id, 'Its store could not be read.');
    this.#setEntries([...this.#index.get().entries, entry]);
    return { kind: 'ok', value: entry };
  }

  readSeries(id: string): StoredSeries | undefined {
    if (this.#entry(id) === undefined) return undefined;
    const file = this.#seriesFile(id);
    if (!existsSync(file)) return undefined;
    const series = decodeSeries(readFileSync(file));
    if (series === undefined) {
      this.#options.notices.add('warning', `${file} is torn; the recorded series of this experiment cannot be shown. A new run makes them anew.`);
    }
    return series;
  }

  async #write(id: string, verdict: Taken, digest: string | undefined, series: StoredSeries | undefined): Promise<LibraryOutcome<LibraryEntry>> {
    const savedAt = this.#options.now();
    const item: Item = { savedAt, ...(digest === undefined ? {} : { digest }), spec: JSON.parse(verdict.text) as Record<string, unknown> };
    try {
      const fresh = !existsSync(this.#itemFolder(id));
      mkdirSync(this.#itemFolder(id), { recursive: true });
      try {
        if (series !== undefined) await writeFileAtomic(this.#seriesFile(id), encodeSeries(series));
        this.#store(this.#itemFolder(id), 'experiment', itemSchema, item).set(item);
      } catch (error) {
        if (fresh) rmSync(this.#itemFolder(id), { recursive: true, force: true });
        throw error;
      }
      const entry = entryOf(id, item, existsSync(this.#seriesFile(id)));
      this.#setEntries([...this.#index.get().entries.filter((other) => other.id !== id), entry]);
      return { kind: 'ok', value: entry };
    } catch (error) {
      return refusal(verdict.spec.title, `It was not saved: ${reasonOf(error)}.`);
    }
  }

  #setEntries(entries: readonly LibraryEntry[]): void {
    this.#index.set({ entries: [...entries] });
    this.#options.onChanged();
  }

  #entry(id: string): LibraryEntry | undefined {
    return this.#index.get().entries.find((entry) => entry.id === id);
  }

  #openItem(id: string): Item | undefined {
    if (!existsSync(this.#itemFolder(id))) return undefined;
    const initial: Item = { savedAt: 0, spec: {} };
    const data = this.#store(this.#itemFolder(id), 'experiment', itemSchema, initial).get();
    return data === initial ? undefined : data;
  }

  #entryFromFolder(id: string): LibraryEntry | undefined {
    const item = this.#openItem(id);
    return item === undefined ? undefined : entryOf(id, item, existsSync(this.#seriesFile(id)));
  }

  #sweepDeleted(): void {
    for (const name of readdirSync(this.#options.folder)) {
      if (name.endsWith('.deleted')) rmSync(path.join(this.#options.folder, name), { recursive: true, force: true });
    }
  }

  /** Folders that the index does not know: it was lost, or a crash came between the two writes. */
  #findUnlisted(): void {
    const found: LibraryEntry[] = [];
    for (const name of readdirSync(this.#options.folder)) {
      if (!/^[A-Za-z0-9-]{1,64}$/.test(name) || this.#entry(name) !== undefined) continue;
      if (!statSync(path.join(this.#options.folder, name)).isDirectory()) continue;
      const entry = this.#entryFromFolder(name);
      if (entry !== undefined) found.push(entry);
    }
    if (found.length > 0) this.#index.set({ entries: [...this.#index.get().entries, ...found] });
  }

  #store<T>(folder: string, name: string, schema: z.ZodType<T>, initial: T): GuardedStore<T> {
    const { backend, notices } = this.#options;
    return new GuardedStore({ folder, name, schema, version: 1, migrations: [], initial, backend, notify: notices.add.bind(notices) });
  }

  #itemFolder(id: string): string {
    return path.join(this.#options.folder, id);
  }

  #deletedFolder(id: string): string {
    return path.join(this.#options.folder, `${id}.deleted`);
  }

  #seriesFile(id: string): string {
    return path.join(this.#itemFolder(id), 'series.bin');
  }
}

/** What the list shows, read with care: the gate judges a stored experiment only when it is opened. */
function entryOf(id: string, { spec, savedAt, digest }: Item, hasSeries: boolean): LibraryEntry {
  const object = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});
  const count = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
  const text = (value: unknown, most: number): string => (typeof value === 'string' ? value.slice(0, most) : '');
  const machine = object(spec['machine']);
  const { kernel } = spec;
  const ram = machine['ram_pages'];
  return {
    id,
    title: text(spec['title'], 500),
    kernel: text(typeof kernel === 'string' ? kernel : object(kernel)['base'], 200),
    ramPages: typeof ram === 'number' && Number.isInteger(ram) && ram > 0 ? ram : 0,
    devices: count(machine['swap']),
    events: count(object(spec['workload'])['events']),
    claims: count(spec['claims']),
    savedAt,
    ...(digest === undefined ? {} : { digest }),
    hasSeries,
  };
}

/** `Title (copy)`, `Title (copy 2)` … the first that is free. */
function copyTitle(title: string, taken: readonly string[]): string {
  const base = title.slice(0, 180);
  for (let n = 1; ; n += 1) {
    const copy = `${base} (copy${n === 1 ? '' : ` ${n}`})`;
    if (!taken.includes(copy)) return copy;
  }
}

function refusal<T>(file: string, message: string): LibraryOutcome<T> {
  return { kind: 'refused', refusal: { file, message, problems: [] } };
}
