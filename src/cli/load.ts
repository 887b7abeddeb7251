/** An experiment from a file or from those that come with Swaplab, through the one gate. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { MAX_FILE_BYTES, openExperiment } from '../contract/gate';
import type { GateOptions, GateOutcome } from '../contract/gate';
import { UsageError } from './io';

const BUILTIN = 'builtin:';
const SUFFIX = '.swaplab.json';

const texts = import.meta.glob<string>('../../resources/experiments/*.swaplab.json', { query: '?raw', import: 'default', eager: true });

const builtins = new Map(Object.entries(texts).map(([path, text]) => [basename(path, SUFFIX), text]));

export const builtinIds = (): string[] => [...builtins.keys()].sort();

const reason = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'it may not be read';
  if (code === 'EISDIR') return 'it is a folder';
  return error instanceof Error ? error.message : String(error);
};

/** Bytes of a file, at most as many as the gate takes and one more. @throws UsageError */
const readBytes = (path: string): Uint8Array => {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new UsageError(`cannot open ${path}: ${reason(error)}`);
  }
  try {
    const { size } = fstatSync(file);
    if (size > MAX_FILE_BYTES) throw new UsageError(`${path}: The file has ${(size / 1048576).toFixed(1)} MiB; at most ${MAX_FILE_BYTES / 1048576} MiB are read.`);
    const bytes = new Uint8Array(MAX_FILE_BYTES + 1);
    let filled = 0;
    for (;;) {
      const got = readSync(file, bytes, filled, Math.min(bytes.length - filled, 1 << 20), null);
      filled += got;
      if (got === 0 || filled === bytes.length) return bytes.subarray(0, filled);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read ${path}: ${reason(error)}`);
  } finally {
    closeSync(file);
  }
};

/** Name of what is run, for files made from it: no folder, no suffix. */
export const nameOf = (file: string): string => {
  const name = file.startsWith(BUILTIN) ? file.slice(BUILTIN.length) : basename(file).replace(/(\.swaplab)?\.json$/, '');
  return name.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[.-]+/, '') || 'experiment';
};

/** @throws UsageError when it cannot be read at all */
export const loadExperiment = (file: string, options: GateOptions = {}): GateOutcome => {
  if (!file.startsWith(BUILTIN)) return openExperiment(readBytes(file), options);
  const id = file.slice(BUILTIN.length);
  const text = builtins.get(id);
  if (text === undefined) throw new UsageError(`there is no built-in experiment "${id}": expected one of ${builtinIds().join(', ')}`);
  return openExperiment(text, options);
};
