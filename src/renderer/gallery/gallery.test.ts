import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandRegistry } from '../commands/registry';
import { useDocument } from '../stores/document';
import { useNavigation } from '../stores/navigation';
import { addDevice } from '../wizard/draft';
import { useWizard } from '../wizard/wizard-store';
import { copyIntoWizard, openDefault } from './bench';
import { DEFAULT_BUILTIN, builtins, readBuiltins } from './builtins';
import { devicesText, leadText, machineText, sourcesOf } from './describe';
import { registerPageCommands } from './page-commands';

describe('built-in experiments', () => {
  it('all pass the gate; the default stands first', () => {
    const { experiments, sections, broken } = builtins();
    expect(broken).toEqual([]);
    expect(experiments[0]?.id).toBe(DEFAULT_BUILTIN);
    expect(sections.flatMap((section) => section.experiments)).toEqual(experiments);
    expect(sections.length).toBeGreaterThan(4);
    for (const { id, spec } of experiments) {
      expect(leadText(spec), id).not.toBe('');
      expect(machineText(spec)).toMatch(/RAM · \d+ CPU/);
    }
  });

  it('a file that the gate refuses is named, and the others are there', () => {
    const text = JSON.stringify(builtins().experiments[0]?.spec);
    const list = readBuiltins({ '/x/good.swaplab.json': text, '/x/bad.swaplab.json': text.replace('"version":1', '"version":9') });
    expect(list.experiments.map((builtin) => builtin.id)).toEqual(['good']);
    expect(list.broken).toMatchObject([{ id: 'bad' }]);
    expect(list.broken[0]?.message).toContain('newer');
  });

  it('says in short what is in them', () => {
    expect(devicesText([])).toBe('no device at the start');
    expect(devicesText([
      { kind: 'zram', name: '/dev/zram0', size_pages: 8192 }, { kind: 'zram', name: '/dev/zram1', size_pages: 8192 },
      { kind: 'xswap', name: 'xswap2' },
    ])).toBe('2 × zram 32 MiB, xswap');
    const cap = builtins().experiments[0]!.spec;
    expect(new Set(sourcesOf(cap)).size).toBe(sourcesOf(cap).length);
  });
});

describe('from the gallery', () => {
  beforeEach(() => {
    setActivePinia(createPinia());
    vi.stubGlobal('swaplab', {});
  });

  it('each has a command to run it, to open it and to copy it', async () => {
    const commands = new CommandRegistry();
    registerPageCommands(commands);
    for (const { id } of builtins().experiments) {
      for (const what of ['run', 'open', 'copy']) expect(commands.get(`builtin.${what}.${id}`)).toBeDefined();
    }
    commands.run(`builtin.open.${DEFAULT_BUILTIN}`);
    await vi.waitFor(() => { expect(useNavigation().screen).toBe('run'); });
    expect(useDocument().source).toEqual({ kind: 'builtin', name: DEFAULT_BUILTIN });
    expect(useDocument().unsaved).toBe(false);
  });

  it('the default stands ready at the start, but not in place of another', () => {
    openDefault();
    const doc = useDocument();
    expect(doc.source).toEqual({ kind: 'builtin', name: DEFAULT_BUILTIN });
    const other = builtins().experiments.at(-1)!;
    doc.open(other.spec, { kind: 'builtin', name: other.id });
    openDefault();
    expect(doc.spec?.title).toBe(other.spec.title);
  });

  it('a copy does not throw away a changed draft without a question', () => {
    const wizard = useWizard();
    const [first, second] = builtins().experiments;
    copyIntoWizard(first!.spec);
    expect(wizard.draft.copyOf).toBe(first!.spec.title);
    addDevice(wizard.draft, 'zram');
    copyIntoWizard(second!.spec);
    expect(wizard.draft.copyOf).toBe(first!.spec.title);
    expect(wizard.pendingCopy?.title).toBe(second!.spec.title);
    wizard.startCopy(wizard.pendingCopy!);
    expect(wizard.pendingCopy).toBeUndefined();
    expect(wizard.draft.copyOf).toBe(second!.spec.title);
    expect(wizard.changed).toBe(false);
  });
});
