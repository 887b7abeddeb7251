/** An Io that keeps what was written; its clock advances by 50 ms a look. */
import type { Io } from '../io';

export interface RecordedIo extends Io {
  readonly stdout: string[];
  readonly stderr: string[];
}

export const recordedIo = (terminal = false): RecordedIo => {
  const stdout: string[] = [];
  const stderr: string[] = [];
  let now = 0;
  return {
    stdout, stderr, terminal,
    out: (text) => void stdout.push(text),
    err: (text) => void stderr.push(text),
    clock: () => (now += 50),
  };
};
