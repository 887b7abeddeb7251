/** Files that are there whole or not at all. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './io';

/** Writes `text` as `folder/name`; an existing file is replaced in one step. Returns the path. @throws UsageError */
export const writeAtomically = (folder: string, name: string, text: string): string => {
  const path = join(folder, name);
  const temporary = join(folder, `.${name}.${process.pid}.tmp`);
  try {
    mkdirSync(folder, { recursive: true });
    const file = openSync(temporary, 'w');
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return path;
};
