import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { policiesOf } from '../src/engine/kernel/swap/registry';
import { replayTrace } from '../src/engine/kernel/swap/replay';
import { parseTrace } from '../src/engine/kernel/swap/trace';
import type { Row } from './row';

/** Recordings of one kernel, unpacked. */
export interface Recordings {
  readonly kernel: string;
  readonly texts: readonly Buffer[];
}

/** All recordings in a folder of one kernel. */
export function readRecordings(folder: string, kernel: string): Recordings {
  const files = readdirSync(folder).filter((file) => file.endsWith('.gz'));
  return { kernel, texts: files.map((file) => gunzipSync(readFileSync(join(folder, file)))) };
}

/** What one pass over all recordings took. */
export interface ReplayPass {
  readonly ns: number;
  /** A, X, U and N lines. */
  readonly events: number;
  readonly matched: number;
}

/** Decodes, parses and replays every recording once. */
export function replayAll({ kernel, texts }: Recordings): ReplayPass {
  const policies = policiesOf(kernel);
  let events = 0;
  let matched = 0;
  const start = process.hrtime.bigint();
  for (const bytes of texts) {
    const result = replayTrace(parseTrace(bytes.toString('latin1')), policies);
    events += result.events;
    matched += result.matched;
  }
  return { ns: Number(process.hrtime.bigint() - start), events, matched };
}

/** Rounds of the engine and of `wc` in turns. */
const ROUNDS = 5;
/** Passes a round, so that `wc` reads enough for the start of its process to weigh little. */
const PASSES = 20;

/**
 * Time per event of reading and replaying recordings, against `wc -l` on a file of the same bytes; both run in turns, and the best
 * of ROUNDS counts for each. Empty where there is no `wc`.
 */
export function traceReplay(recordings: Recordings, note: (text: string) => void): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'swaplab-bench-'));
  try {
    const file = join(folder, 'traces.txt');
    writeFileSync(file, Buffer.concat(Array.from({ length: PASSES }, () => recordings.texts).flat()));
    let ours = Infinity;
    let theirs = Infinity;
    let events = 0;
    for (let round = 0; round < ROUNDS; round++) {
      theirs = Math.min(theirs, countLines(file));
      let ns = 0;
      events = 0;
      for (let pass = 0; pass < PASSES; pass++) {
        const done = replayAll(recordings);
        if (done.matched !== done.events) throw new Error(`${done.events - done.matched} events of ${recordings.kernel} do not match`);
        ns += done.ns;
        events += done.events;
      }
      ours = Math.min(ours, ns);
    }
    const perSecond = (events / ours) * 1e3;
    return [{
      id: 'trace-replay', ours: ours / events, theirs: theirs / events, unit: 'ns/event', ratio: ours / theirs,
      what: `parse and replay of the ${recordings.kernel} recordings (${perSecond.toFixed(2)} million events a second) against wc -l on the same bytes`,
    }];
  } catch (error) {
    if (!isAbsent(error)) throw error;
    note('there is no wc, so the row trace-replay is left out');
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countLines(file: string): number {
  const start = process.hrtime.bigint();
  execFileSync('wc', ['-l', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  return Number(process.hrtime.bigint() - start);
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
