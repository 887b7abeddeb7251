/** What the main process consists of, built once the app is ready. */
import path from 'node:path';
import type { EngineStatus } from '../contract/app-api';
import { AppStores } from './app-stores';
import { Autosave } from './autosave';
import { electronBackend } from './electron-backend';
import { EngineLink } from './engine-link';
import { ExperimentFiles, type FileDialogs } from './experiment-files';
import { GateClient } from './gate-client';
import { spawnGate } from './gate-link';
import { Library } from './library';
import { Notices } from './notices';
import { RecentFiles } from './recent-files';

export interface Services {
  readonly notices: Notices;
  readonly stores: AppStores;
  readonly judge: GateClient;
  readonly recent: RecentFiles;
  readonly files: ExperimentFiles;
  readonly library: Library;
  readonly autosave: Autosave;
  readonly engine: EngineLink;
}

export interface ServicesOptions {
  /** userData */
  readonly folder: string;
  readonly dialogs: FileDialogs;
  readonly onEngineStatus: (status: EngineStatus) => void;
  readonly onLibraryChanged: () => void;
}

export function createServices({ folder, dialogs, onEngineStatus, onLibraryChanged }: ServicesOptions): Services {
  const notices = new Notices();
  const backend = electronBackend;
  const gate = new GateClient(spawnGate);
  const judge = gate.judge.bind(gate);
  const now = (): number => Date.now();
  const recent = new RecentFiles(folder, backend, notices);
  const files = new ExperimentFiles({ judge, dialogs, recent });
  return {
    notices,
    stores: new AppStores(folder, backend, notices),
    judge: gate,
    recent,
    files,
    library: new Library({ folder: path.join(folder, 'library'), backend, notices, judge, now, onChanged: onLibraryChanged }),
    autosave: new Autosave({ folder, backend, notices, judge, now, registerFile: files.register.bind(files) }),
    engine: new EngineLink(onEngineStatus),
  };
}
