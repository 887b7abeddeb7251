/** What the program was started with. Pure; Chromium's own switches are passed over. */
import path from 'node:path';

export interface CommandLine {
  /** Absolute paths of the files given. */
  readonly files: readonly string[];
  /** Start the run at once. */
  readonly run: boolean;
  /** Check that the program works, print one line of JSON, end. */
  readonly smoke: boolean;
}

/**
 * @param argv as process.argv or the argv of a second start, program first
 * @param appPathGiven true when the program is a bare Electron, whose first plain argument is the app's folder
 * @param folder that relative names are meant from
 */
export function parseCommandLine(argv: readonly string[], appPathGiven: boolean, folder: string): CommandLine {
  const files: string[] = [];
  let run = false;
  let smoke = false;
  let skipAppPath = appPathGiven;
  let plainOnly = false;
  for (const argument of argv.slice(1)) {
    if (!plainOnly && argument.startsWith('-')) {
      if (argument === '--') plainOnly = true;
      else if (argument === '--run') run = true;
      else if (argument === '--smoke') smoke = true;
    } else if (skipAppPath) {
      skipAppPath = false;
    } else if (argument !== '') {
      files.push(path.resolve(folder, argument));
    }
  }
  return { files, run, smoke };
}
