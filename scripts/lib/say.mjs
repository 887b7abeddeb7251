import { writeSync } from 'node:fs';

let stream = 1;

/** Progress goes to stderr from now on: what the program prints on stdout is for another program. */
export function sayOnStderr() {
  stream = 2;
}

/** One line of progress. Written at once, so that it stands before the output of a program started next. */
export function say(line) {
  try {
    writeSync(stream, `${line}\n`);
  } catch (error) {
    // A closed pipe (`npm test | head`) is no reason to fail; EAGAIN: the reader of a pipe is slow, the line may be lost.
    if (error.code !== 'EPIPE' && error.code !== 'EAGAIN') throw error;
  }
}
