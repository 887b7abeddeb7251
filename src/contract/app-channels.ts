/** Names of the messages between window and main process. Payloads: app-api.ts; their checks: src/main/ipc-schemas.ts. */

/** Window asks, main answers. */
export const CALL = {
  appInfo: 'app.info',
  appOpenDocumentation: 'app.openDocumentation',
  appNotices: 'app.notices',
  engineStatus: 'engine.status',
  filesOpen: 'files.open',
  filesOpenPath: 'files.openPath',
  filesOpenRecent: 'files.openRecent',
  filesRecent: 'files.recent',
  filesForgetRecent: 'files.forgetRecent',
  filesSave: 'files.save',
  filesSaveAs: 'files.saveAs',
  filesExport: 'files.export',
  libraryList: 'library.list',
  libraryRead: 'library.read',
  librarySave: 'library.save',
  libraryRename: 'library.rename',
  libraryDuplicate: 'library.duplicate',
  libraryDelete: 'library.delete',
  libraryUndelete: 'library.undelete',
  libraryReadSeries: 'library.readSeries',
  draftRecoverable: 'draft.recoverable',
  settingsGet: 'settings.get',
  settingsSet: 'settings.set',
} as const;
export type CallName = (typeof CALL)[keyof typeof CALL];

/** Window tells, main does not answer. */
export const TELL = {
  windowReady: 'window.ready',
  engineConnect: 'engine.connect',
  engineRestart: 'engine.restart',
  draftState: 'draft.state',
  draftAutosave: 'draft.autosave',
  draftDiscard: 'draft.discard',
  draftSavedBeforeClose: 'draft.savedBeforeClose',
} as const;
export type TellName = (typeof TELL)[keyof typeof TELL];

/** Main tells the window. */
export const PUSH = {
  enginePort: 'push.enginePort',
  engineStatus: 'push.engineStatus',
  fileOpened: 'push.fileOpened',
  libraryChanged: 'push.libraryChanged',
  menuCommand: 'push.menuCommand',
  notice: 'push.notice',
  saveBeforeClose: 'push.saveBeforeClose',
  settingsChanged: 'push.settingsChanged',
} as const;
