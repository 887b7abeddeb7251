import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkDraft } from './checks';
import { addDevice, emptyDraft } from './draft';
import type { Draft } from './draft';
import { draftToSpec } from './draft-to-spec';
import { KERNEL_FACTS } from './kernels';
import { starterDraft } from './starter';
import { useWizard } from './wizard-store';

const errorsOf = (draft: Draft): string[] => checkDraft(draft, KERNEL_FACTS)
  .filter((problem) => problem.level === 'error').map((problem) => `${problem.field}: ${problem.message}`);

describe('the wizard', () => {
  beforeEach(() => { setActivePinia(createPinia()); });

  it('keeps what was typed, right or wrong, through every step and back', () => {
    const wizard = useWizard();
    wizard.startNew();
    wizard.draft.machine.ram = '1,5 GiB';
    wizard.next();
    wizard.next();
    addDevice(wizard.draft, 'file').size = 'half of it';
    const before = JSON.stringify(wizard.draft);
    for (let i = 0; i < 10; i++) wizard.next();
    expect(wizard.at).toBe('review');
    for (let i = 0; i < 10; i++) wizard.back();
    expect(wizard.at).toBe('machine');
    expect(JSON.stringify(wizard.draft)).toBe(before);
    expect(wizard.draft.machine.ram).toBe('1,5 GiB');
  });

  it('Next always moves; the step that was left shows what is wrong there', () => {
    const wizard = useWizard();
    wizard.startNew();
    wizard.draft.machine.ram = '8';
    expect(wizard.problemOf('machine.ram')).toBeUndefined();
    wizard.next();
    expect(wizard.at).toBe('kernel');
    expect(wizard.shownErrors('machine')).toBe(1);
    expect(wizard.problemOf('machine.ram')?.message).toContain('say the unit of 8');
    expect(wizard.spec).toBeUndefined();
    wizard.goTo('machine', 'machine.ram');
    expect(wizard.focus).toEqual({ step: 'machine', field: 'machine.ram' });
    wizard.draft.machine.ram = '8 GiB';
    expect(wizard.shownErrors('machine')).toBe(0);
    expect(wizard.spec?.machine.ram_pages).toBe(2097152);
  });

  it('a field shows its problem once it was left', () => {
    const wizard = useWizard();
    wizard.startNew();
    wizard.draft.machine.cpus = 'two';
    expect(wizard.problemOf('machine.cpus')).toBeUndefined();
    wizard.touch('machine.cpus');
    expect(wizard.problemOf('machine.cpus')?.message).toBe('expected a whole number from 1 to 512, got “two”');
  });

  it('knows whether anything was changed since it began', () => {
    const wizard = useWizard();
    wizard.startCopy({ ...draftToSpec(starterDraft()), title: 'everything' });
    expect(wizard.changed).toBe(false);
    expect(wizard.draft.title).toBe('everything (changed copy)');
    wizard.draft.devices.reverse();
    expect(wizard.changed).toBe(true);
  });

  it('previews the fill order, and leaves out what cannot be read yet', () => {
    const wizard = useWizard();
    wizard.startNew();
    expect(wizard.preview.order.firstUse).toEqual(['/dev/zram0', '/dev/vdb']);
    wizard.draft.devices[0]!.priority = 'high';
    expect(wizard.preview.order.firstUse).toEqual(['/dev/vdb']);
    expect(wizard.preview.unread).toEqual(['/dev/zram0']);
  });

  it('refuses what the kernel would: xswap without zswap or on a kernel without it, names twice, too many devices', () => {
    const draft = emptyDraft();
    draft.title = 'x';
    addDevice(draft, 'xswap');
    expect(errorsOf(draft).join()).toContain('has no xswap');
    draft.kernel = 'xswap';
    expect(errorsOf(draft).join()).toContain('EOPNOTSUPP');
    draft.zswap.enabled = true;
    expect(errorsOf(draft)).toEqual([]);
    for (let i = 0; i < 24; i++) addDevice(draft, 'zram');
    expect(errorsOf(draft).join()).toContain('at most 24 devices');
    draft.devices.splice(3);
    draft.devices[2]!.name = draft.devices[1]!.name;
    expect(errorsOf(draft).join()).toContain('EBUSY');
  });

  it('refers only to programs that a step before has started', () => {
    const draft = starterDraft();
    draft.script.reverse();
    expect(errorsOf(draft).join()).toContain('no step before this one starts “hog”');
  });
});

describe('coming to the wizard', () => {
  beforeEach(() => { setActivePinia(createPinia()); });

  it('goes on with work, shows a copy just made, and otherwise begins anew', () => {
    const wizard = useWizard();
    wizard.enter();
    expect(wizard.draft.copyOf).toBeNull();
    wizard.startCopy({ ...draftToSpec(starterDraft()), title: 'original' });
    wizard.enter();
    expect(wizard.draft.copyOf).toBe('original');
    // Left without a change: nothing is lost by a new start.
    wizard.enter();
    expect(wizard.draft.copyOf).toBeNull();
    wizard.draft.machine.ram = '3 GiB';
    wizard.enter();
    expect(wizard.draft.machine.ram).toBe('3 GiB');
  });
});

describe('what the gate says beyond single fields', () => {
  beforeEach(() => { setActivePinia(createPinia()); });

  it('a run that would last for months is not ready, with the reason', () => {
    const wizard = useWizard();
    wizard.startNew();
    expect(wizard.spec).toBeDefined();
    for (let i = 0; i < 10; i++) wizard.draft.script.push({ key: `sleep${i}`, kind: 'sleep', fields: { seconds: '1000000' } });
    expect(wizard.errors).toEqual([]);
    expect(wizard.gate).toMatchObject({ ok: false, reason: 'limit', message: expect.stringContaining('days of simulated time') });
    expect(wizard.spec).toBeUndefined();
  });

  it('programs of more than 128 GiB at a time are refused where they are started', () => {
    const draft = starterDraft();
    const [first] = draft.script;
    first!.fields.size = '100 GiB';
    draft.script.push({ key: 'more', kind: 'start', fields: { ...first!.fields, name: 'other' } });
    expect(errorsOf(draft).join()).toContain('script.more.size: expected programs of at most 128 GiB together, got 200 GiB');
  });
});
