/**
 * What the window may ask of the main process: `window.swaplab`, put there by the preload, frozen.
 * The window never names a path. A file that main opened or saved is known by a document id; paths are shown, not sent back.
 * Calls do not reject for anything a user can cause: they answer with an outcome that says what happened.
 */
import type { ExperimentSpec } from '../engine/experiment/spec';
import type { Settings } from './settings';

/** Why a file was not taken. Nothing was changed. */
export interface Refusal {
  /** File name without its folder. */
  readonly file: string;
  /** One sentence. */
  readonly message: string;
  /** The places and what was expected there: `machine.swap[1].priority: expected a whole number from 0 to 32767, got "ten"`. */
  readonly problems: readonly string[];
}

export interface OpenedDocument {
  /** Handle for save(). */
  readonly documentId: string;
  /** File name without its folder. */
  readonly name: string;
  /** Folder and name, for display only. */
  readonly path: string;
  readonly spec: ExperimentSpec;
  /** Page operations that the run is expected to take, an upper estimate. */
  readonly estimatedOps: number;
}

export type OpenOutcome =
  | { readonly kind: 'opened'; readonly document: OpenedDocument; /** `--run` was given: start at once. */ readonly run: boolean }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'cancelled' };

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly documentId: string; readonly name: string; readonly path: string }
  | { readonly kind: 'failed'; /** One sentence: what went wrong and that the old file is untouched. */ readonly message: string }
  | { readonly kind: 'cancelled' };

export interface RecentFile {
  readonly id: string;
  readonly name: string;
  /** For display only. */
  readonly path: string;
  readonly title: string;
  /** False: it is not there any more; show it greyed. */
  readonly exists: boolean;
}

/** A `File` of the DOM, as a drop event carries it; only the preload can tell its path. */
export interface DroppedFile {
  readonly name: string;
  readonly size: number;
}

export interface FilesApi {
  open(): Promise<OpenOutcome>;
  /** A file dropped on the window. */
  openDropped(file: DroppedFile): Promise<OpenOutcome>;
  openRecent(id: string): Promise<OpenOutcome>;
  recent(): Promise<readonly RecentFile[]>;
  forgetRecent(id: string): Promise<void>;
  /** Saves to the file of `documentId`; asks for a place when there is none yet. */
  save(spec: ExperimentSpec, documentId: string | undefined): Promise<SaveOutcome>;
  saveAs(spec: ExperimentSpec, suggestedName: string): Promise<SaveOutcome>;
  /** Writes an export (chart picture, CSV, result) where the user says. */
  exportFile(request: ExportRequest): Promise<SaveOutcome>;
  /** Files that arrive from outside: command line, double click, second start, macOS open-file. Returns the way to stop listening. */
  onOpened(listener: (outcome: OpenOutcome) => void): () => void;
}

export interface ExportRequest {
  readonly kind: 'png' | 'csv' | 'json';
  /** Without extension; main builds a safe file name from it. */
  readonly suggestedName: string;
  readonly bytes: Uint8Array;
}

/** A saved experiment in the list of the library. */
export interface LibraryEntry {
  readonly id: string;
  readonly title: string;
  readonly kernel: string;
  readonly ramPages: number;
  readonly devices: number;
  /** Live changes stored with it. */
  readonly events: number;
  readonly claims: number;
  /** Milliseconds since 1970, UTC. */
  readonly savedAt: number;
  /** Digest of the last finished run that was saved with it, if any. */
  readonly digest?: string;
  /** Recorded series are stored beside it. */
  readonly hasSeries: boolean;
}

export interface LibraryItem {
  readonly entry: LibraryEntry;
  readonly spec: ExperimentSpec;
  readonly estimatedOps: number;
}

/** Recorded columns of a run, stored as a file of doubles beside the experiment. All columns are of equal length. */
export interface StoredSeries {
  /** Simulated ns. */
  readonly start: number;
  readonly bucketNs: number;
  readonly columns: readonly { readonly metric: string; readonly min: Float64Array; readonly max: Float64Array; readonly last: Float64Array }[];
}

export type LibraryOutcome<T> = { readonly kind: 'ok'; readonly value: T } | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface LibraryApi {
  list(): Promise<readonly LibraryEntry[]>;
  read(id: string): Promise<LibraryOutcome<LibraryItem>>;
  /** New when `id` is absent, else replaces that one. */
  save(spec: ExperimentSpec, options: { id?: string; digest?: string; series?: StoredSeries }): Promise<LibraryOutcome<LibraryEntry>>;
  rename(id: string, title: string): Promise<LibraryOutcome<LibraryEntry>>;
  duplicate(id: string): Promise<LibraryOutcome<LibraryEntry>>;
  /** Moved aside, not wiped: `undelete` brings it back until the app is closed. */
  delete(id: string): Promise<LibraryOutcome<null>>;
  undelete(id: string): Promise<LibraryOutcome<LibraryEntry>>;
  readSeries(id: string): Promise<StoredSeries | undefined>;
  onChanged(listener: () => void): () => void;
}

/** What was at work when the app ended without a proper close. */
export interface RecoverableDraft {
  readonly title: string;
  readonly spec: ExperimentSpec;
  readonly savedAt: number;
  /** The file it came from, if any: save() goes there again. */
  readonly documentId?: string;
  readonly name?: string;
}

export interface DraftApi {
  /** Tells main whether there are unsaved changes (question on close, dot in the title). */
  setState(state: { readonly unsaved: boolean; readonly title: string }): void;
  /** Autosave to the side; call it when something changed, main writes at most every 2 s. */
  autosave(spec: ExperimentSpec, documentId: string | undefined): void;
  /** Drops the autosaved copy (saved, or thrown away on purpose). */
  discard(): void;
  /** The draft of a session that crashed; undefined after a proper close. */
  recoverable(): Promise<RecoverableDraft | undefined>;
  /** Main asks to save before it closes. Answer true when saved; false keeps the window open. */
  onSaveBeforeClose(handler: () => Promise<boolean>): () => void;
}

export interface SettingsApi {
  get(): Promise<Settings>;
  /** Changes the given keys; answers with all settings. */
  set(patch: Partial<Settings>): Promise<Settings>;
  onChanged(listener: (settings: Settings) => void): () => void;
}

/** Trouble with stored data and the like, to be shown once: `library entry "x" could not be read and was set aside as …`. */
export interface Notice {
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
}

export type EngineStatusState = 'starting' | 'ready' | 'lost' | 'backing-off' | 'failed';

/** How the engine process fares. `ready` with `recovered` follows a crash. */
export interface EngineStatus {
  readonly state: EngineStatusState;
  /** Counts the engine processes of this window: ports and frames of another generation are to be dropped. */
  readonly generation: number;
  /** One sentence when it is not ready: why it was lost, how long until the next try. */
  readonly message?: string;
  readonly retryInMs?: number;
  readonly recovered?: {
    /** Simulated ns that the run stands at again. */
    readonly at: number;
    /** The replayed state had the digest that was acknowledged before the loss; null: none had been taken yet. */
    readonly digestMatches: boolean | null;
  };
}

export interface EngineLink {
  /** The status now, and each change. The port itself comes as a window message: see ENGINE_PORT_MESSAGE. */
  onStatus(listener: (status: EngineStatus) => void): () => void;
  status(): Promise<EngineStatus>;
  /** Asks for a port to the engine process of today; the last port is closed. */
  connect(): void;
  /** After `failed`: try again from the start. */
  restart(): void;
}

export interface AppInfo {
  readonly version: string;
  readonly electron: string;
  readonly chrome: string;
  readonly node: string;
  readonly platform: string;
  readonly testBuild: boolean;
  /** `--run` was given without a file: the experiment that stands ready is to start at once. */
  readonly runAtStart: boolean;
}

/** `window.swaplab` */
export interface AppApi {
  info(): Promise<AppInfo>;
  readonly files: FilesApi;
  readonly library: LibraryApi;
  readonly draft: DraftApi;
  readonly settings: SettingsApi;
  readonly engine: EngineLink;
  /** The system's documentation links only; anything else is refused. */
  openDocumentation(link: DocumentationLink): Promise<void>;
  notices(): Promise<readonly Notice[]>;
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Menu items are commands of the window: main only passes the id on. */
  onMenuCommand(listener: (id: MenuCommandId) => void): () => void;
  /** The window is up and listens: files given on the command line are sent now. */
  windowReady(): void;
}

/**
 * The message that hands over the engine's port: `event.data` is {type, generation}, `event.ports[0]` the port.
 * Calls on it: EngineApi by birpc. Frames: TelemetryFrame. Credit: CreditMessage.
 */
export const ENGINE_PORT_MESSAGE = 'swaplab:engine-port';
export interface EnginePortMessage {
  readonly type: typeof ENGINE_PORT_MESSAGE;
  readonly generation: number;
}

/** Calls that wait for an engine process that is gone are rejected with this. */
export class EngineLostError extends Error {
  readonly generation: number;
  constructor(generation: number) {
    super('The engine process was lost; it is being restarted.');
    this.name = 'EngineLostError';
    this.generation = generation;
  }
}

/** Commands of the menu; each is a registered command of the window with the same id. */
export const MENU_COMMANDS = [
  'file.new', 'file.open', 'file.save', 'file.saveAs', 'file.saveToLibrary',
  'run.toggle', 'run.step', 'run.restart', 'run.cancel', 'run.faster', 'run.slower',
  'view.gallery', 'view.library', 'view.run', 'view.palette', 'view.theme.system', 'view.theme.light', 'view.theme.dark',
  'help.keys', 'help.about',
] as const;
export type MenuCommandId = (typeof MENU_COMMANDS)[number];

export const DOCUMENTATION_LINKS = {
  'admin-guide/mm': 'https://docs.kernel.org/admin-guide/mm/index.html',
  'zswap': 'https://docs.kernel.org/admin-guide/mm/zswap.html',
  'zram': 'https://docs.kernel.org/admin-guide/blockdev/zram.html',
  'cgroup-v2': 'https://docs.kernel.org/admin-guide/cgroup-v2.html',
  'swapon': 'https://man7.org/linux/man-pages/man8/swapon.8.html',
} as const;
export type DocumentationLink = keyof typeof DOCUMENTATION_LINKS;

declare global {
  interface Window {
    readonly swaplab: AppApi;
  }
}
