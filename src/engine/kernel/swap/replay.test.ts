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
const files = filesOf('linux-6.18');

describe('traces of Linux 6.18', () => {
  it('has all 30', () => {
    expect(files).toHaveLength(30);
  });

  it.each([...files, ...filesOf('linux-6.18-more')])('%s matches event by event', (file) => {
    const text = gunzipSync(readFileSync(join(TRACES, file))).toString('latin1');
    const events = text.split('\n').filter((line) => /^[AXUN] /.test(line)).length;
    expect(replayTrace(parseTrace(text), policiesOf('linux-6.18'))).toEqual({ events, matched: events, firstMismatch: null });
  });
});
