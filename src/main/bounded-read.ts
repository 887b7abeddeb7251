/** Reads files that others made: a size cap that does not trust what stat said, and sentences instead of error codes. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Experiments and the like are text of some kB; 16 MiB is far beyond any honest one. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

export class FileRefused extends Error {}

/**
 * @returns the text, a leading byte order mark taken off
 * @throws FileRefused with one sentence for the user
 */
export async function readTextBounded(file: string, maxBytes = MAX_FILE_BYTES): Promise<string> {
  const bytes = await readBytesBounded(file, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileRefused('It is not a text in UTF-8.');
  }
}

async function readBytesBounded(file: string, maxBytes: number): Promise<Uint8Array> {
  let handle;
  try {
    // A named pipe without a writer would otherwise keep the open call waiting for ever. Windows has no such flag.
    handle = await open(file, constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0));
  } catch (error) {
    throw new FileRefused(`It cannot be opened: ${reasonOf(error)}.`);
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new FileRefused('It is not a regular file.');
    if (stat.size > maxBytes) throw tooLarge(maxBytes);
    // A file can grow between stat and read: one byte more than allowed tells.
    const buffer = new Uint8Array(Math.min(stat.size, maxBytes) + 1);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, null);
      if (bytesRead === 0) return buffer.subarray(0, filled);
      filled += bytesRead;
      if (filled > stat.size) throw new FileRefused('It changed while it was being read; try again.');
    }
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused(`It cannot be read: ${reasonOf(error)}.`);
  } finally {
    await handle.close();
  }
}

function tooLarge(maxBytes: number): FileRefused {
  return new FileRefused(`It is larger than ${maxBytes / 1024 / 1024} MiB, the most that is read.`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'no room is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reports an error',
};

/** An error of the file system in words. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) {
    const code = (error as NodeJS.ErrnoException).code;
    return (code === undefined ? undefined : REASONS[code]) ?? error.message;
  }
  return String(error);
}
