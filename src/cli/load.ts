/** An experiment from a file or from those that come with Swaplab, through the one gate. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import { MAX_FILE_BYTES, openExperiment, tooLarge } from '../contract/gate';
import type { GateOptions, GateOutcome } from '../contract/gate';
import { systemReason, UsageError } from './io';

const BUILTIN = 'builtin:';
const SUFFIX = '.swaplab.json';

const texts = import.meta.glob<string>('../../resources/experiments/*.swaplab.json', { query: '?raw', import: 'default', eager: true });

const builtins = new Map(Object.entries(texts).map(([path, text]) => [basename(path, SUFFIX), text]));

export const builtinIds = (): string[] => [...builtins.keys()].sort();

/** Milliseconds without a byte after which a pipe is given up, and between two looks at it. */
const PIPE_PATIENCE = 10_000;
const PIPE_LOOK = 10;

const kindOf = (stat: Stats): string => {
  if (stat.isDirectory()) return 'it is a folder';
  if (stat.isCharacterDevice() || stat.isBlockDevice()) return 'it is a device';
  return 'it is no file';
};

const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Bytes read; 0 at the end. A pipe was opened so that nothing waits in the kernel for ever. @throws UsageError */
const readSome = (file: number, path: string, bytes: Uint8Array, at: number): number => {
  for (let waited = 0; ; waited += PIPE_LOOK) {
    try {
      return readSync(file, bytes, at, Math.min(bytes.length - at, 1 << 20), null);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      if (waited >= PIPE_PATIENCE) throw new UsageError(`cannot read ${path}: nothing came through this pipe for ${PIPE_PATIENCE / 1000} seconds`);
      pause(PIPE_LOOK);
    }
  }
};

/** Bytes of a file or a pipe, at most as many as the gate takes and one more. @throws UsageError */
const readBytes = (path: string): Uint8Array => {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw new UsageError(`cannot open ${path}: ${systemReason(error)}`);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() && !stat.isFIFO()) throw new UsageError(`cannot read ${path}: ${kindOf(stat)}`);
    if (stat.size > MAX_FILE_BYTES) throw new UsageError(`${path}: ${tooLarge(stat.size)}`);
    const bytes = new Uint8Array(MAX_FILE_BYTES + 1);
    let filled = 0;
    for (;;) {
      const got = readSome(file, path, bytes, filled);
      filled += got;
      if (got === 0 || filled === bytes.length) return bytes.subarray(0, filled);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read ${path}: ${systemReason(error)}`);
  } finally {
    closeSync(file);
  }
};

/** Longest name of a result in bytes, so that it stays below the 255 bytes of a file name with its suffix. */
const MAX_NAME = 200;

/** Name of what is run, for files made from it: no folder, no suffix. */
export const nameOf = (file: string): string => {
  const name = file.startsWith(BUILTIN) ? file.slice(BUILTIN.length) : basename(file).replace(/(\.swaplab)?\.json$/, '');
  const safe = name.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-').replace(/^[.-]+/, '');
  let short = '';
  for (const character of safe) {
    if (Buffer.byteLength(short + character) > MAX_NAME) break;
    short += character;
  }
  return short || 'experiment';
};

/** @throws UsageError when it cannot be read at all */
export const loadExperiment = (file: string, options: GateOptions = {}): GateOutcome => {
  if (!file.startsWith(BUILTIN)) return openExperiment(readBytes(file), options);
  const id = file.slice(BUILTIN.length);
  const text = builtins.get(id);
  if (text === undefined) throw new UsageError(`there is no built-in experiment "${id}": expected one of ${builtinIds().join(', ')}`);
  return openExperiment(text, options);
};
