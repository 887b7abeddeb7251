/** Files that are there whole or not at all. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemReason, UsageError } from './io';

/** Beside the file to be, so that one rename puts it there; short, since a name has at most 255 bytes. */
const temporaryIn = (folder: string): string => join(folder, `.swaplab-${process.pid}.tmp`);

/** Runs `work` on the path of a temporary file, which is gone afterwards. @throws UsageError about `path` */
const withTemporary = (folder: string, path: string, work: (temporary: string) => void): void => {
  const temporary = temporaryIn(folder);
  try {
    mkdirSync(folder, { recursive: true });
    work(temporary);
  } catch (error) {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // It cannot have been made: the reason below says why.
    }
    const noFolder = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new UsageError(`cannot write ${path}: ${noFolder ? 'its folder cannot be made' : systemReason(error)}`);
  }
};

/** Makes sure, before hours of work, that a file can be written at `folder/name`. @throws UsageError */
export const expectWritable = (folder: string, name: string): void => {
  const path = join(folder, name);
  withTemporary(folder, path, (temporary) => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder');
    closeSync(openSync(temporary, 'w'));
    rmSync(temporary);
  });
};

/** Writes `text` as `folder/name`; an existing file is replaced in one step. Returns the path. @throws UsageError */
export const writeAtomically = (folder: string, name: string, text: string): string => {
  const path = join(folder, name);
  withTemporary(folder, path, (temporary) => {
    const file = openSync(temporary, 'w');
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  });
  return path;
};
