/** Places of the built app. */
import path from 'node:path';

/** out/main: where the bundle of the main process stands, in the source tree as in the packaged app. */
const here = __dirname;

export const PRELOAD_FILE = path.join(here, '../preload/index.js');
export const WINDOW_FOLDER = path.join(here, '../renderer');
