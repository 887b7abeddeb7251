import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { UsageError } from './io';

/** Larger traces are refused: hours of a real kernel are below a tenth of this. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/** Text of a trace file, plain or gzip. @throws UsageError in one sentence: no such file, not a file, torn, too large */
export function readTraceText(file: string): string {
  const bytes = readBounded(file);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString('latin1');
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES }).toString('latin1');
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(file);
    throw new UsageError(`${file} is torn or damaged: its gzip data does not unpack`);
  }
}

function readBounded(file: string): Buffer {
  let handle: number | undefined;
  try {
    // Without O_NONBLOCK opening a pipe nobody writes to would wait for ever. Windows has no such flag.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new UsageError(`${file} is no file`);
    if (stat.size > MAX_TEXT_BYTES) throw tooLarge(file);
    return readFileSync(handle);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (codeOf(error) === 'ENOENT') throw new UsageError(`there is no file ${file}`);
    throw new UsageError(`cannot read ${file}: ${codeOf(error) ?? 'unknown error'}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

const tooLarge = (file: string): UsageError => new UsageError(`${file} is larger than ${MAX_TEXT_BYTES / 1024 / 1024} MiB of text`);

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
