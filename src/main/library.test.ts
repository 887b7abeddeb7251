import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Conf from 'conf';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExperimentSpec } from '../engine/experiment/spec';
import type { LibraryEntry, LibraryOutcome, StoredSeries } from '../contract/app-api';
import { experimentText } from '../contract/canonical';
import { openExperiment } from '../contract/gate';
import type { GateVerdict } from '../contract/host-messages';
import { Library } from './library';
import { Notices } from './notices';

const spec: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'Three devices', notes: 'kept',
  machine: {
    ram_pages: 4096, cpus: 2, nodes: 1,
    swap: [
      { kind: 'partition', name: '/dev/vda', size_pages: 2048 },
      { kind: 'zram', name: '/dev/zram0', size_pages: 1024, priority: 100 },
    ],
  },
  kernel: { base: 'linux-6.18' },
  workload: { steps: [{ probe: 'start' }], events: [{ at: 1000, step: { write: '/proc/sys/vm/swappiness', text: '10' } }] },
  arms: [], measure: {}, seeds: [1], claims: [],
};
const series: StoredSeries = {
  start: 0, bucketNs: 1e7,
  columns: [{
    metric: 'meminfo.SwapFree_kB',
    min: new Float64Array([1, NaN, 3]), max: new Float64Array([2, NaN, 4]), last: new Float64Array([1.5, NaN, -0]),
  }],
};

const judge = (text: string): Promise<GateVerdict> => {
  const outcome = openExperiment(text);
  return Promise.resolve(
    outcome.ok
      ? { kind: 'taken', spec: outcome.spec, text: experimentText(outcome.spec), estimatedOps: outcome.estimatedOps }
      : { kind: 'refused', message: outcome.message, problems: outcome.problems },
  );
};

let folder: string;
let notices: Notices;
let clock: number;
let changes: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'swaplab-library-'));
  notices = new Notices();
  clock = 1_000;
  changes = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const openLibrary = (): Library =>
  new Library({
    folder, notices, judge,
    backend: (cwd, configName) => new Conf({ cwd, configName, projectName: 'swaplab', accessPropertiesByDotNotation: false }),
    now: () => (clock += 1),
    onChanged: () => (changes += 1),
  });

async function saved(outcome: Promise<LibraryOutcome<LibraryEntry>> | LibraryOutcome<LibraryEntry>): Promise<LibraryEntry> {
  const settled = await outcome;
  if (settled.kind !== 'ok') throw new Error(settled.refusal.message);
  return settled.value;
}

describe('the library', () => {
  it('keeps an experiment with its series and digest between starts', async () => {
    const entry = await saved(openLibrary().save(spec, { digest: 'ab'.repeat(16), series }));
    expect(entry).toMatchObject({ title: 'Three devices', kernel: 'linux-6.18', ramPages: 4096, devices: 2, events: 1, claims: 0, hasSeries: true });
    const library = openLibrary();
    expect(library.list()).toEqual([entry]);
    expect(await library.read(entry.id)).toEqual({ kind: 'ok', value: { entry, spec, estimatedOps: expect.any(Number) as number } });
    expect(library.readSeries(entry.id)).toEqual(series);
    expect(notices.all()).toEqual([]);
  });

  it('replaces by id, renames, and makes copies with names of their own', async () => {
    const library = openLibrary();
    const { id } = await saved(library.save(spec, {}));
    await saved(library.save({ ...spec, notes: 'changed' }, { id }));
    await saved(library.rename(id, 'New name'));
    await saved(library.duplicate(id));
    await saved(library.duplicate(id));
    expect(library.list().map((entry) => entry.title)).toEqual(['New name (copy 2)', 'New name (copy)', 'New name']);
    expect(await library.read(id)).toMatchObject({ value: { spec: { title: 'New name', notes: 'changed' } } });
    expect(changes).toBe(5);
  });

  it('deletes with a way back until the next start', async () => {
    const library = openLibrary();
    const { id } = await saved(library.save(spec, { series }));
    expect(library.delete(id).kind).toBe('ok');
    expect(library.list()).toEqual([]);
    expect((await library.read(id)).kind).toBe('refused');
    await saved(library.undelete(id));
    expect(await library.read(id)).toMatchObject({ kind: 'ok', value: { spec, entry: { hasSeries: true } } });
    library.delete(id);
    expect(openLibrary().undelete(id).kind).toBe('refused');
    expect(readdirSync(folder).filter((name) => name.startsWith(id))).toEqual([]);
  });

  it('refuses what the gate refuses and stores nothing', async () => {
    const library = openLibrary();
    const newer = await library.save({ ...spec, version: 2 }, {});
    expect(newer).toMatchObject({ kind: 'refused', refusal: { message: expect.stringContaining('newer') as string } });
    expect(library.list()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('sets a broken experiment aside, takes the backup of the save before, and says so', async () => {
    const { id } = await saved(openLibrary().save(spec, {}));
    await saved(openLibrary().save({ ...spec, notes: 'second' }, { id }));
    const file = path.join(folder, id, 'experiment.json');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40));
    const read = await openLibrary().read(id);
    expect(read).toMatchObject({ kind: 'ok', value: { spec: { notes: 'kept' } } });
    expect(existsSync(path.join(folder, id, 'experiment.corrupt-1.json'))).toBe(true);
    expect(notices.all()[0]?.message).toMatch(/set aside as experiment\.corrupt-1\.json/);
  });

  it('without any backup an experiment is refused with the reason, the broken file kept', async () => {
    const { id } = await saved(openLibrary().save(spec, {}));
    writeFileSync(path.join(folder, id, 'experiment.json'), 'no JSON');
    expect(await openLibrary().read(id)).toMatchObject({ kind: 'refused', refusal: { file: 'Three devices' } });
    expect(readFileSync(path.join(folder, id, 'experiment.corrupt-1.json'), 'utf8')).toBe('no JSON');
  });

  it('finds every experiment again when the index is lost', async () => {
    const first = await saved(openLibrary().save(spec, {}));
    const second = await saved(openLibrary().save({ ...spec, title: 'Other' }, { series }));
    for (const name of readdirSync(folder).filter((file) => file.startsWith('index'))) rmSync(path.join(folder, name));
    expect(openLibrary().list()).toEqual([second, first]);
  });

  it('says that a torn series is torn', async () => {
    const library = openLibrary();
    const { id } = await saved(library.save(spec, { series }));
    const file = path.join(folder, id, 'series.bin');
    writeFileSync(file, readFileSync(file).subarray(0, -8));
    expect(library.readSeries(id)).toBeUndefined();
    expect(notices.all()[0]?.message).toMatch(/torn/);
  });

  it('reads only ids of its own: a path as id finds nothing', async () => {
    const library = openLibrary();
    expect((await library.read('../../etc')).kind).toBe('refused');
    expect(library.delete('..').kind).toBe('refused');
    expect(library.readSeries('..')).toBeUndefined();
    expect(library.undelete('../x').kind).toBe('refused');
  });
});
