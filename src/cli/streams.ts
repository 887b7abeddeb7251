/** Standard output and error, which can be closed, full or broken at any moment. */
import type { Writable } from 'node:stream';
import { EXIT, systemReason } from './io';
import type { Io } from './io';

export interface StreamIo extends Io {
  /** The exit code for a command that ended with `code`: 2 where its output could not be written, and said so. */
  exitCode(code: number): number;
}

const broken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EPIPE';

/**
 * An Io over two streams. A reader that has had enough (`swaplab … | head`) is no failure: what follows is left unwritten and the
 * command goes on to its own exit code. Where nobody can hear errors, they are not told.
 */
export const streamIo = (stdout: Writable, stderr: Writable & { isTTY?: boolean }): StreamIo => {
  const closed = { stdout: false, stderr: false };
  let failure: string | undefined;
  const write = (stream: Writable, name: 'stdout' | 'stderr', text: string): void => {
    if (closed[name]) return;
    try {
      stream.write(text);
    } catch (error) {
      failed(name, error);
    }
  };
  const failed = (name: 'stdout' | 'stderr', error: unknown): void => {
    if (closed[name]) return;
    closed[name] = true;
    if (name === 'stderr' || broken(error)) return;
    failure = `swaplab: cannot write to standard output: ${systemReason(error)}\n`;
    write(stderr, 'stderr', failure);
  };
  stdout.on('error', (error) => failed('stdout', error));
  stderr.on('error', (error) => failed('stderr', error));
  return {
    out: (text) => write(stdout, 'stdout', text),
    err: (text) => write(stderr, 'stderr', text),
    terminal: stderr.isTTY === true,
    clock: () => performance.now(),
    exitCode: (code) => (failure === undefined ? code : EXIT.usage),
  };
};
