/** Files that are either the old one or the new one, never half of each. */
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

let serial = 0;

/**
 * Writes beside the target, flushes to the disk, then renames over it. On an error the old file is untouched and nothing is left over.
 * @throws NodeJS.ErrnoException as open, write, fsync and rename do
 */
export async function writeFileAtomic(file: string, content: string | Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  serial += 1;
  const temporary = path.join(folder, `.${path.basename(file)}.${process.pid}-${serial}.tmp`);
  try {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** The rename itself is on the disk only once its folder is. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Some network file systems refuse to flush a folder; the file itself is safe.
  }
}
