/** Which service answers which message of the window. */
import { app, nativeTheme, shell } from 'electron';
import { DOCUMENTATION_LINKS, type AppInfo } from '../contract/app-api';
import { CALL, PUSH, TELL } from '../contract/app-channels';
import type { CloseQuestion } from './close-question';
import type { IpcGate } from './ipc';
import type { Services } from './services';

export interface CallsOptions {
  readonly gate: IpcGate;
  readonly services: Services;
  readonly question: CloseQuestion;
  readonly push: (channel: string, ...data: unknown[]) => void;
  readonly onWindowReady: () => void;
  readonly onConnect: () => void;
  readonly onTitle: () => void;
  readonly runAtStart: boolean;
}

export function registerCalls({ gate, services, question, push, onWindowReady, onConnect, onTitle, runAtStart }: CallsOptions): void {
  const { autosave, engine, files, library, notices, recent, stores } = services;

  gate.handle(CALL.appInfo, () => appInfo(runAtStart));
  gate.handle(CALL.appNotices, () => notices.all());
  gate.handle(CALL.appOpenDocumentation, (link) => shell.openExternal(DOCUMENTATION_LINKS[link]));
  gate.listen(TELL.windowReady, onWindowReady);

  gate.handle(CALL.engineStatus, () => engine.status);
  gate.listen(TELL.engineConnect, onConnect);
  gate.listen(TELL.engineRestart, () => engine.restart());

  gate.handle(CALL.filesOpen, () => files.openByDialog());
  gate.handle(CALL.filesOpenPath, (file) => files.openPath(file));
  gate.handle(CALL.filesOpenRecent, (id) => files.openRecent(id));
  gate.handle(CALL.filesRecent, () => recent.list());
  gate.handle(CALL.filesForgetRecent, (id) => recent.forget(id));
  gate.handle(CALL.filesSave, (spec, documentId) => files.save(spec, documentId));
  gate.handle(CALL.filesSaveAs, (spec, suggestedName) => files.saveAs(spec, suggestedName));
  gate.handle(CALL.filesExport, (request) => files.export(request));

  gate.handle(CALL.libraryList, () => library.list());
  gate.handle(CALL.libraryRead, (id) => library.read(id));
  gate.handle(CALL.librarySave, (spec, options) => library.save(spec, options));
  gate.handle(CALL.libraryRename, (id, title) => library.rename(id, title));
  gate.handle(CALL.libraryDuplicate, (id) => library.duplicate(id));
  gate.handle(CALL.libraryDelete, (id) => library.delete(id));
  gate.handle(CALL.libraryUndelete, (id) => library.undelete(id));
  gate.handle(CALL.libraryReadSeries, (id) => library.readSeries(id));

  gate.handle(CALL.draftRecoverable, () => autosave.recoverable());
  gate.listen(TELL.draftState, (state) => {
    question.setState(state);
    onTitle();
  });
  gate.listen(TELL.draftAutosave, (spec, documentId) => {
    autosave.save(spec, question.title, documentId === undefined ? undefined : files.pathOf(documentId));
  });
  gate.listen(TELL.draftDiscard, () => autosave.discard());
  gate.listen(TELL.draftSavedBeforeClose, (saved) => question.saved(saved));

  gate.handle(CALL.settingsGet, () => stores.settings);
  gate.handle(CALL.settingsSet, (patch) => {
    const settings = stores.changeSettings(patch);
    nativeTheme.themeSource = settings.theme;
    push(PUSH.settingsChanged, settings);
    return settings;
  });
}

function appInfo(runAtStart: boolean): AppInfo {
  return {
    version: app.getVersion(),
    electron: process.versions.electron,
    chrome: process.versions.chrome,
    node: process.versions.node,
    platform: process.platform,
    testBuild: app.isPackaged && app.getVersion().includes('test'),
    runAtStart,
  };
}
