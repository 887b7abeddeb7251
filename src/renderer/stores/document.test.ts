import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExperimentSpec } from '../../engine/experiment/spec';
import { useDocument } from './document';

const spec: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'cap', notes: '', machine: { ram_pages: 1024, cpus: 1, nodes: 1, swap: [] },
  kernel: 'xswap', workload: { steps: [{ sleep: 1 }] }, arms: [], measure: {}, seeds: [1], claims: [],
};
const event = { at: 5, step: { write: '/sys/kernel/mm/xswap/type0/limit', text: '7' } };
const files = { save: vi.fn(), saveAs: vi.fn() };
const library = { save: vi.fn() };

describe('document', () => {
  beforeEach(() => {
    setActivePinia(createPinia());
    vi.resetAllMocks();
    Object.defineProperty(window, 'swaplab', { configurable: true, value: { files, library, draft: { discard: vi.fn() } } });
  });

  it('has nothing to save until there is a live change; a new one has from the start', () => {
    const doc = useDocument();
    doc.open(spec, { kind: 'builtin', name: 'cap' });
    expect(doc.unsaved).toBe(false);
    doc.setEvents([event]);
    expect(doc.unsaved).toBe(true);
    expect(doc.current?.workload.events).toEqual([event]);
    doc.setEvents([]);
    expect(doc.unsaved).toBe(false);
    doc.open(spec, { kind: 'new' });
    expect(doc.unsaved).toBe(true);
  });

  it('saves with its live changes to where it came from, and is clean after', async () => {
    const doc = useDocument();
    files.save.mockResolvedValue({ kind: 'saved', documentId: 'd1', name: 'cap.swaplab.json', path: '/tmp/cap.swaplab.json' });
    doc.open(spec, { kind: 'builtin', name: 'cap' });
    doc.setEvents([event]);
    expect(await doc.save()).toBe(true);
    expect(files.save).toHaveBeenLastCalledWith({ ...spec, workload: { ...spec.workload, events: [event] } }, undefined);
    expect(doc.unsaved).toBe(false);
    await doc.save();
    expect(files.save.mock.lastCall?.[1]).toBe('d1');
  });

  it('stays unsaved, and says why, when saving fails', async () => {
    const doc = useDocument();
    files.save.mockResolvedValue({ kind: 'failed', message: 'No room on the disk; the old file is untouched.' });
    doc.open(spec, { kind: 'new' });
    expect(await doc.save()).toBe(false);
    expect(doc.unsaved).toBe(true);
    expect(doc.failure).toContain('No room');
  });

  it('goes back to the library it came from', async () => {
    const doc = useDocument();
    library.save.mockResolvedValue({ kind: 'ok', value: { id: 'l1' } });
    doc.open(spec, { kind: 'library', id: 'l1' });
    await doc.save();
    expect(library.save.mock.lastCall?.[1]).toEqual({ id: 'l1' });
    expect(files.save).not.toHaveBeenCalled();
  });

  it('asks before unsaved changes are left: cancel stays, discard leaves, save saves first', async () => {
    const doc = useDocument();
    doc.open(spec, { kind: 'new' });
    const staying = doc.mayLeave();
    doc.asking?.('cancel');
    expect(await staying).toBe(false);
    const leaving = doc.mayLeave();
    doc.asking?.('discard');
    expect(await leaving).toBe(true);
    files.save.mockResolvedValue({ kind: 'cancelled' });
    const saving = doc.mayLeave();
    doc.asking?.('save');
    expect(await saving).toBe(false);
    expect(doc.asking).toBeNull();
  });

  it('does not ask when there is nothing to lose', async () => {
    const doc = useDocument();
    expect(await doc.mayLeave()).toBe(true);
    doc.open(spec, { kind: 'builtin', name: 'cap' });
    expect(await doc.mayLeave()).toBe(true);
  });
});
