import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { policiesOf } from './registry';
import { replayTrace } from './replay';
import { parseTrace } from './trace';

const TRACES = join(import.meta.dirname, '../../../../test-data/kernel-traces');
const filesOf = (folder: string): string[] =>
  readdirSync(join(TRACES, folder)).filter((file) => file.endsWith('.txt.gz')).map((file) => join(folder, file));

/** Folder, kernel, number of recordings. */
const RECORDED = [
  ['linux-6.1', 'linux-6.1', 14],
  ['linux-6.12', 'linux-6.12', 30],
  ['linux-6.18', 'linux-6.18', 30],
  ['linux-6.18-more', 'linux-6.18', 14],
  ['linux-7.2', 'linux-7.2', 30],
  ['linux-7.3', 'linux-7.3', 30],
] as const;

describe.each(RECORDED)('traces in %s', (folder, kernel, count) => {
  const files = filesOf(folder);

  it(`are ${count}`, () => {
    expect(files).toHaveLength(count);
  });

  it.each(files)('%s matches event by event', (file) => {
    const text = gunzipSync(readFileSync(join(TRACES, file))).toString('latin1');
    const events = text.split('\n').filter((line) => /^[AXUN] /.test(line)).length;
    expect(replayTrace(parseTrace(text), policiesOf(kernel))).toEqual({ events, matched: events, firstMismatch: null });
  });
});
