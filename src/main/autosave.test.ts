import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Conf from 'conf';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExperimentSpec } from '../engine/experiment/spec';
import { experimentText } from '../contract/canonical';
import { openExperiment } from '../contract/gate';
import { Autosave } from './autosave';
import { CloseQuestion, type CloseAnswer } from './close-question';
import { Notices } from './notices';

const spec = (notes: string): ExperimentSpec => ({
  format: 'swaplab/experiment', version: 1, title: 'Draft', notes,
  machine: { ram_pages: 4096, cpus: 1, nodes: 1, swap: [] },
  kernel: 'linux-6.18', workload: { steps: [] }, arms: [], measure: {}, seeds: [1], claims: [],
});

let folder: string;
let notices: Notices;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'swaplab-autosave-'));
  notices = new Notices();
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const openAutosave = (): Autosave =>
  new Autosave({
    folder, notices,
    backend: (cwd, configName) => new Conf({ cwd, configName, projectName: 'swaplab', accessPropertiesByDotNotation: false }),
    judge: (text) => {
      const outcome = openExperiment(text);
      return Promise.resolve(
        outcome.ok
          ? { kind: 'taken', spec: outcome.spec, text: experimentText(outcome.spec), estimatedOps: outcome.estimatedOps }
          : { kind: 'refused', message: outcome.message, problems: outcome.problems },
      );
    },
    registerFile: (file) => `id of ${file}`,
    now: () => Date.now(),
  });

describe('the copy to the side', () => {
  it('is offered after a session that did not end properly, with the file it belongs to', async () => {
    openAutosave().save(spec('one'), 'Draft', '/home/u/a.swaplab.json');
    expect(await openAutosave().recoverable()).toEqual({
      title: 'Draft', spec: spec('one'), savedAt: 1_000_000, documentId: 'id of /home/u/a.swaplab.json', name: 'a.swaplab.json',
    });
  });

  it('is gone after a proper end, after a save, and when thrown away', async () => {
    const first = openAutosave();
    first.save(spec('one'), 'Draft', undefined);
    first.close();
    expect(await openAutosave().recoverable()).toBeUndefined();
    const second = openAutosave();
    second.save(spec('two'), 'Draft', undefined);
    second.discard();
    expect(await openAutosave().recoverable()).toBeUndefined();
  });

  it('an offer that was not answered is made again at the next start', async () => {
    openAutosave().save(spec('one'), 'Draft', undefined);
    const session = openAutosave();
    expect(await session.recoverable()).toBeDefined();
    session.close();
    expect(await openAutosave().recoverable()).toMatchObject({ spec: spec('one') });
  });

  it('writes at most every 2 s, the newest state last', () => {
    const autosave = openAutosave();
    const stored = (): string => readFileSync(path.join(folder, 'autosave.json'), 'utf8');
    autosave.save(spec('one'), 'Draft', undefined);
    autosave.save(spec('two'), 'Draft', undefined);
    autosave.save(spec('three'), 'Draft', undefined);
    expect(stored()).toContain('one');
    vi.advanceTimersByTime(1999);
    expect(stored()).toContain('one');
    vi.advanceTimersByTime(1);
    expect(stored()).toContain('three');
  });

  it('offers again what a lost window was at', async () => {
    const autosave = openAutosave();
    autosave.save(spec('one'), 'Draft', undefined);
    autosave.save(spec('two'), 'Draft', undefined);
    autosave.offerAgain();
    expect(await autosave.recoverable()).toMatchObject({ spec: spec('two') });
  });
});

describe('the question on close', () => {
  const ask = (answer: CloseAnswer): { question: CloseQuestion; asked: string[]; requested: () => number } => {
    const asked: string[] = [];
    let requests = 0;
    const question = new CloseQuestion({
      ask: (title) => {
        asked.push(title);
        return Promise.resolve(answer);
      },
      requestSave: () => (requests += 1),
    });
    return { question, asked, requested: () => requests };
  };

  it('is not asked without unsaved changes', async () => {
    const { question, asked } = ask('stay');
    question.setState({ unsaved: false, title: 'A' });
    expect(await question.mayClose()).toBe(true);
    expect(asked).toEqual([]);
  });

  it.each([['discard', true], ['stay', false]] as const)('%s', async (answer, closes) => {
    const { question, asked, requested } = ask(answer);
    question.setState({ unsaved: true, title: 'A' });
    expect(await question.mayClose()).toBe(closes);
    expect(asked).toEqual(['A']);
    expect(requested()).toBe(0);
  });

  it.each([true, false])('save closes only when the window has saved: %s', async (saves) => {
    const { question, requested } = ask('save');
    question.setState({ unsaved: true, title: 'A' });
    const closes = question.mayClose();
    await vi.advanceTimersByTimeAsync(0);
    expect(requested()).toBe(1);
    question.saved(saves);
    expect(await closes).toBe(saves);
  });
});
