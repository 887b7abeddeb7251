/** Starts the built app in a real Electron, with a data folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

export const ROOT = path.resolve(__dirname, '..');

export interface RunningApp {
  readonly app: ElectronApplication;
  readonly window: Page;
  readonly userData: string;
  /** What the window wrote to its console as error, and what it threw. A sound window says nothing. */
  readonly complaints: string[];
  /** Closes the window as a user would; unsaved changes are thrown away. */
  quit(): Promise<void>;
}

export interface LaunchOptions {
  readonly userData?: string;
  /** Files and switches for the app itself. */
  readonly args?: readonly string[];
}

/** The Electron that the set-up found; `npm test` and `npm run e2e` say where. */
function electronProgram(): string {
  const program = process.env['ELECTRON_EXEC_PATH'];
  if (program === undefined) throw new Error('ELECTRON_EXEC_PATH is not set. Start these tests by `npm run e2e` or `npm test`.');
  return program;
}

const folders: string[] = [];

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'swaplab-e2e-'));
  folders.push(folder);
  return folder;
}

/** After the tests of a file. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function launchArguments(userData: string, args: readonly string[] = []): string[] {
  return [ROOT, `--user-data-dir=${userData}`, ...args];
}

export async function launch({ userData = temporaryFolder(), args = [] }: LaunchOptions = {}): Promise<RunningApp> {
  const app = await _electron.launch({
    executablePath: electronProgram(), args: launchArguments(userData, args), env: cleanEnv(), colorScheme: null,
  });
  const window = await app.firstWindow();
  const complaints: string[] = [];
  window.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  window.on('pageerror', (error) => complaints.push(error.message));
  await window.waitForLoadState('domcontentloaded');
  return {
    app, window, userData, complaints,
    quit: async () => {
      await answerClose(app, 'discard');
      await app.close();
    },
  };
}

function cleanEnv(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  // With either of these set the program would not be Electron, or not the built app.
  delete env['ELECTRON_RUN_AS_NODE'];
  delete env['ELECTRON_RENDERER_URL'];
  return env;
}

/** The system's file dialogs answer with this path (undefined: cancelled) until told otherwise. */
export async function answerDialogs(app: ElectronApplication, file: string | undefined): Promise<void> {
  await app.evaluate(({ dialog }, answer) => {
    const filePaths = answer === undefined ? [] : [answer];
    dialog.showOpenDialog = () => Promise.resolve({ canceled: answer === undefined, filePaths });
    dialog.showSaveDialog = () => Promise.resolve({ canceled: answer === undefined, filePath: answer ?? '' });
  }, file);
}

/** The answer to the question about unsaved changes. */
export async function answerClose(app: ElectronApplication, answer: 'save' | 'discard' | 'cancel'): Promise<void> {
  await app.evaluate(({ dialog }, response) => {
    dialog.showMessageBox = () => Promise.resolve({ response, checkboxChecked: false });
  }, ['save', 'discard', 'cancel'].indexOf(answer));
}

/** Process ids of the app's utility processes of this name. */
export async function processIds(app: ElectronApplication, serviceName: string): Promise<number[]> {
  return app.evaluate(({ app: electronApp }, wanted) => {
    const metrics = electronApp.getAppMetrics().filter(({ name, serviceName: service }) => name === wanted || service === wanted);
    return metrics.map(({ pid }) => pid);
  }, serviceName);
}
