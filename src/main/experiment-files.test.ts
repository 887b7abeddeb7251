import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Conf from 'conf';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExperimentSpec } from '../engine/experiment/spec';
import { openExperiment } from '../contract/gate';
import { experimentText } from '../contract/canonical';
import type { GateVerdict } from '../contract/host-messages';
import { ExperimentFiles } from './experiment-files';
import { Notices } from './notices';
import { RecentFiles } from './recent-files';

const spec: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'Two devices', notes: '',
  machine: { ram_pages: 4096, cpus: 1, nodes: 1, swap: [{ kind: 'partition', name: '/dev/vda', size_pages: 2048 }] },
  kernel: 'linux-6.18', workload: { steps: [{ probe: 'start' }] }, arms: [], measure: {}, seeds: [1], claims: [],
};

/** The real gate, in this process: the process around it is tested with the app. */
const judge = (text: string): Promise<GateVerdict> => {
  const outcome = openExperiment(text);
  return Promise.resolve(
    outcome.ok
      ? { kind: 'taken', spec: outcome.spec, text: experimentText(outcome.spec), estimatedOps: outcome.estimatedOps }
      : { kind: 'refused', message: outcome.message, problems: outcome.problems },
  );
};

let folder: string;
let answer: string | undefined;
let suggested: string[];
let files: ExperimentFiles;
let recent: RecentFiles;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'swaplab-files-'));
  mkdirSync(path.join(folder, 'data'));
  answer = undefined;
  suggested = [];
  recent = new RecentFiles(
    path.join(folder, 'data'),
    (cwd, configName) => new Conf({ cwd, configName, projectName: 'swaplab', accessPropertiesByDotNotation: false }),
    new Notices(),
  );
  files = new ExperimentFiles({
    judge, recent,
    dialogs: {
      askOpen: () => Promise.resolve(answer),
      askSave: ({ suggestedName }) => {
        suggested.push(suggestedName);
        return Promise.resolve(answer);
      },
    },
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);

describe('save and open', () => {
  it('asks for a place once, then saves there; what comes back is the same', async () => {
    answer = at('two.swaplab.json');
    const saved = await files.save(spec, undefined);
    expect(saved).toMatchObject({ kind: 'saved', name: 'two.swaplab.json' });
    expect(suggested).toEqual(['Two-devices.swaplab.json']);
    const documentId = saved.kind === 'saved' ? saved.documentId : '';
    const changed = { ...spec, notes: 'changed' };
    expect(await files.save(changed, documentId)).toMatchObject({ kind: 'saved', documentId });
    expect(suggested).toHaveLength(1);
    const opened = await files.openPath(at('two.swaplab.json'));
    expect(opened).toMatchObject({ kind: 'opened', document: { documentId, spec: changed } });
    expect(readdirSync(folder).sort()).toEqual(['data', 'two.swaplab.json']);
  });

  it('gives the same bytes each time, with no time and no path in them', async () => {
    answer = at('a.swaplab.json');
    await files.saveAs(spec, 'a');
    const first = readFileSync(answer, 'utf8');
    answer = at('b.swaplab.json');
    await files.saveAs(spec, 'b');
    expect(readFileSync(answer, 'utf8')).toBe(first);
    expect(first).not.toContain(folder);
  });

  it('adds the extension that was not typed', async () => {
    answer = at('plain');
    expect(await files.saveAs(spec, 'x')).toMatchObject({ kind: 'saved', name: 'plain.swaplab.json' });
  });

  it('writes nothing that it could not open again', async () => {
    answer = at('bad.swaplab.json');
    const outcome = await files.saveAs({ ...spec, machine: { ...spec.machine, ram_pages: -1 } }, 'bad');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('machine.ram_pages'));
    expect(existsSync(answer)).toBe(false);
  });

  it('says why a disk refuses and leaves nothing behind', async () => {
    answer = at('no-such-folder/x.swaplab.json');
    expect(await files.saveAs(spec, 'x')).toEqual({
      kind: 'failed', message: 'x.swaplab.json was not saved: there is no such file. What was there before is untouched.',
    });
  });

  it('an unknown document id asks for a place instead of writing somewhere', async () => {
    expect(await files.save(spec, 'never-given-out')).toEqual({ kind: 'cancelled' });
    expect(suggested).toHaveLength(1);
  });
});

describe('files that are refused', () => {
  const refused = async (file: string): Promise<string> => {
    const outcome = await files.openPath(file);
    if (outcome.kind !== 'refused') throw new Error(`${file} was taken`);
    return [outcome.refusal.message, ...outcome.refusal.problems].join(' ');
  };

  it('with one sentence each', async () => {
    expect(await refused(at('absent.swaplab.json'))).toMatch(/no such file/);
    expect(await refused(folder)).toMatch(/not a regular file|folder/);
    writeFileSync(at('big.swaplab.json'), '');
    truncateSync(at('big.swaplab.json'), 17 * 1024 * 1024);
    expect(await refused(at('big.swaplab.json'))).toMatch(/16 MiB/);
    writeFileSync(at('binary.swaplab.json'), Buffer.from([0xff, 0xfe, 0, 1]));
    expect(await refused(at('binary.swaplab.json'))).toMatch(/UTF-8/);
    symlinkSync(at('loop'), at('loop'));
    expect(await refused(at('loop'))).toMatch(/circle/);
    expect(recent.list()).toEqual([]);
  });

  it('a device file is not read to its end, a pipe not waited for', async () => {
    expect(await refused('/dev/zero')).toMatch(/not a regular file/);
    execFileSync('mkfifo', [at('pipe')]);
    expect(await refused(at('pipe'))).toMatch(/not a regular file/);
  });
});

describe('recent files', () => {
  it('newest first, each once, vanished ones kept and marked', async () => {
    for (const name of ['a', 'b', 'a']) {
      answer = at(`${name}.swaplab.json`);
      await files.saveAs({ ...spec, title: name }, name);
    }
    rmSync(at('b.swaplab.json'));
    expect(recent.list().map(({ name, title, exists }) => ({ name, title, exists }))).toEqual([
      { name: 'a.swaplab.json', title: 'a', exists: true },
      { name: 'b.swaplab.json', title: 'b', exists: false },
    ]);
    const gone = recent.list()[1]?.id ?? '';
    expect(await files.openRecent(gone)).toMatchObject({ kind: 'refused' });
    recent.forget(gone);
    expect(recent.list()).toHaveLength(1);
  });
});

describe('exports', () => {
  it('have a safe name of the right kind and the bytes given', async () => {
    answer = at('chart.png');
    const bytes = new Uint8Array([137, 80, 78, 71]);
    expect(await files.export({ kind: 'png', suggestedName: '../../Swap: use', bytes })).toMatchObject({ kind: 'saved' });
    expect(suggested).toEqual(['Swap-use.png']);
    expect([...readFileSync(answer)]).toEqual([...bytes]);
  });
});
