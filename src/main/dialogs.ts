/** The system's own dialogs. */
import path from 'node:path';
import { app, dialog, type BrowserWindow, type FileFilter } from 'electron';
import type { CloseAnswer } from './close-question';
import type { FileDialogs } from './experiment-files';

const EXPERIMENTS: FileFilter = { name: 'Swaplab experiment', extensions: ['swaplab.json', 'json'] };
const FILTERS = {
  experiment: EXPERIMENTS,
  png: { name: 'PNG picture', extensions: ['png'] },
  csv: { name: 'CSV table', extensions: ['csv'] },
  json: { name: 'JSON', extensions: ['json'] },
} satisfies Record<string, FileFilter>;

export function systemDialogs(window: () => BrowserWindow | undefined): FileDialogs & { askClose: (title: string) => Promise<CloseAnswer> } {
  const need = (): BrowserWindow => {
    const now = window();
    if (now === undefined) throw new Error('There is no window to ask in.');
    return now;
  };
  return {
    askOpen: async () => {
      const filters = [EXPERIMENTS, { name: 'All files', extensions: ['*'] }];
      const { canceled, filePaths } = await dialog.showOpenDialog(need(), { properties: ['openFile'], filters });
      return canceled ? undefined : filePaths[0];
    },
    askSave: async ({ suggestedName, kind }) => {
      const defaultPath = path.join(app.getPath('documents'), suggestedName);
      const { canceled, filePath } = await dialog.showSaveDialog(need(), { defaultPath, filters: [FILTERS[kind]] });
      return canceled || filePath === undefined || filePath === '' ? undefined : filePath;
    },
    askClose: async (title) => {
      const { response } = await dialog.showMessageBox(need(), {
        type: 'question',
        message: `Save the changes to “${title}”?`,
        detail: 'Live changes of the run are stored with the experiment.',
        buttons: ['Save', 'Do not save', 'Cancel'],
        defaultId: 0,
        cancelId: 2,
        noLink: true,
      });
      return response === 0 ? 'save' : response === 1 ? 'discard' : 'stay';
    },
  };
}
