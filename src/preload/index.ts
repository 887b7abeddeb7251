/**
 * The bridge between window and main process: one small frozen object, `window.swaplab`. Listeners get data, never the event.
 * The engine's port cannot cross the context bridge; it goes on as a message of the window.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { ENGINE_PORT_MESSAGE, type AppApi, type DroppedFile, type EnginePortMessage } from '../contract/app-api';
import { CALL, PUSH, TELL } from '../contract/app-channels';

function subscribe<T>(channel: string, listener: (data: T) => void): () => void {
  const forward = (_event: unknown, data: T): void => listener(data);
  ipcRenderer.on(channel, forward);
  return () => ipcRenderer.removeListener(channel, forward);
}

/** Electron 32 and later tell a dropped file's path through webUtils; before that it is a property of the file. */
function pathOf(file: DroppedFile): string {
  const utils = webUtils as typeof webUtils | undefined;
  if (utils !== undefined) return utils.getPathForFile(file as File);
  return 'path' in file && typeof file.path === 'string' ? file.path : '';
}

const api: AppApi = {
  info: () => ipcRenderer.invoke(CALL.appInfo),
  files: Object.freeze({
    open: () => ipcRenderer.invoke(CALL.filesOpen),
    openDropped: (file: DroppedFile) => ipcRenderer.invoke(CALL.filesOpenPath, pathOf(file)),
    openRecent: (id) => ipcRenderer.invoke(CALL.filesOpenRecent, id),
    recent: () => ipcRenderer.invoke(CALL.filesRecent),
    forgetRecent: (id) => ipcRenderer.invoke(CALL.filesForgetRecent, id),
    save: (spec, documentId) => ipcRenderer.invoke(CALL.filesSave, spec, documentId),
    saveAs: (spec, suggestedName) => ipcRenderer.invoke(CALL.filesSaveAs, spec, suggestedName),
    exportFile: (request) => ipcRenderer.invoke(CALL.filesExport, request),
    onOpened: (listener) => subscribe(PUSH.fileOpened, listener),
  } satisfies AppApi['files']),
  library: Object.freeze({
    list: () => ipcRenderer.invoke(CALL.libraryList),
    read: (id) => ipcRenderer.invoke(CALL.libraryRead, id),
    save: (spec, options) => ipcRenderer.invoke(CALL.librarySave, spec, options),
    rename: (id, title) => ipcRenderer.invoke(CALL.libraryRename, id, title),
    duplicate: (id) => ipcRenderer.invoke(CALL.libraryDuplicate, id),
    delete: (id) => ipcRenderer.invoke(CALL.libraryDelete, id),
    undelete: (id) => ipcRenderer.invoke(CALL.libraryUndelete, id),
    readSeries: (id) => ipcRenderer.invoke(CALL.libraryReadSeries, id),
    onChanged: (listener) => subscribe<undefined>(PUSH.libraryChanged, () => listener()),
  } satisfies AppApi['library']),
  draft: Object.freeze({
    setState: (state) => ipcRenderer.send(TELL.draftState, state),
    autosave: (spec, documentId) => ipcRenderer.send(TELL.draftAutosave, spec, documentId),
    discard: () => ipcRenderer.send(TELL.draftDiscard),
    recoverable: () => ipcRenderer.invoke(CALL.draftRecoverable),
    onSaveBeforeClose: (handler) =>
      subscribe<undefined>(PUSH.saveBeforeClose, () => {
        handler().then(
          (saved) => ipcRenderer.send(TELL.draftSavedBeforeClose, saved),
          () => ipcRenderer.send(TELL.draftSavedBeforeClose, false),
        );
      }),
  } satisfies AppApi['draft']),
  settings: Object.freeze({
    get: () => ipcRenderer.invoke(CALL.settingsGet),
    set: (patch) => ipcRenderer.invoke(CALL.settingsSet, patch),
    onChanged: (listener) => subscribe(PUSH.settingsChanged, listener),
  } satisfies AppApi['settings']),
  engine: Object.freeze({
    onStatus: (listener) => subscribe(PUSH.engineStatus, listener),
    status: () => ipcRenderer.invoke(CALL.engineStatus),
    connect: () => ipcRenderer.send(TELL.engineConnect),
    restart: () => ipcRenderer.send(TELL.engineRestart),
  } satisfies AppApi['engine']),
  openDocumentation: (link) => ipcRenderer.invoke(CALL.appOpenDocumentation, link),
  notices: () => ipcRenderer.invoke(CALL.appNotices),
  onNotice: (listener) => subscribe(PUSH.notice, listener),
  onMenuCommand: (listener) => subscribe(PUSH.menuCommand, listener),
  windowReady: () => ipcRenderer.send(TELL.windowReady),
};

contextBridge.exposeInMainWorld('swaplab', Object.freeze(api));

ipcRenderer.on(PUSH.enginePort, (event, generation: number) => {
  const message: EnginePortMessage = { type: ENGINE_PORT_MESSAGE, generation };
  window.postMessage(message, window.location.origin, event.ports);
});
