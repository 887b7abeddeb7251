import { flushPromises, mount } from '@vue/test-utils';
import type { VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commands } from '../commands/registry';
import { useDocument } from '../stores/document';
import { useNavigation } from '../stores/navigation';
import WizardScreen from './WizardScreen.vue';
import { STEPS } from './draft';
import { useWizard } from './wizard-store';

vi.setConfig({ testTimeout: 30_000 });

let screen: VueWrapper;

/** The input of a field by the id that the checks use. */
const input = (field: string) => screen.get<HTMLInputElement>(`[data-field="${field}"] input`);
const press = async (name: string, within = 'footer'): Promise<void> => {
  const button = screen.get(within).findAll('button').find((candidate) => candidate.text() === name);
  if (!button) throw new Error(`no button ${name}`);
  await button.trigger('click');
  await flushPromises();
};
const show = (): VueWrapper => mount(WizardScreen, { attachTo: document.body });

beforeEach(() => {
  setActivePinia(createPinia());
  vi.stubGlobal('swaplab', {});
  const topBar = document.createElement('div');
  topBar.id = 'top-bar';
  document.body.replaceChildren(topBar);
  screen = show();
});
afterEach(() => { screen.unmount(); });

describe('the wizard on the screen', () => {
  it('keeps right and wrong values over all steps, over Back, and over another screen', async () => {
    await input('machine.ram').setValue('7.5 gallons');
    await input('machine.cpus').setValue('3');
    for (const step of STEPS.slice(1)) {
      await press('Next');
      expect(screen.get('[aria-current="step"]').attributes('data-testid')).toBe(`step-${step}`);
    }
    screen.unmount();
    screen = show();
    await flushPromises();
    expect(screen.get('[aria-current="step"]').attributes('data-testid')).toBe('step-review');
    for (const _step of STEPS.slice(1)) await press('Back');
    expect(input('machine.ram').element.value).toBe('7.5 gallons');
    expect(input('machine.cpus').element.value).toBe('3');
    expect(input('machine.ram').attributes('aria-invalid')).toBe('true');
    expect(screen.get('[data-field="machine.ram"] [role="alert"]').text()).toContain('“gallons” is no unit here');
  });

  it('the review names what is wrong and leads to the field', async () => {
    await input('machine.cpus').setValue('0');
    await screen.get('[data-testid="step-review"]').trigger('click');
    expect(screen.text()).toContain('1 field is to be mended first');
    await press('Go there', '.content');
    expect(document.activeElement).toBe(input('machine.cpus').element);
    await input('machine.cpus').setValue('4');
    await screen.get('[data-testid="step-review"]').trigger('click');
    expect(screen.text()).not.toContain('to be mended');
  });

  it('the preview follows the list: moved by keyboard, the other device comes first', async () => {
    await screen.get('[data-testid="step-swap"]').trigger('click');
    const order = (): (string | undefined)[] => screen.findAll('[data-testid="fill-device"]').map((row) => row.attributes('data-device'));
    expect(order()).toEqual(['/dev/zram0', '/dev/vdb']);
    const priority = screen.findAll<HTMLInputElement>('[data-field$=".priority"] input');
    await priority[0]!.setValue('');
    expect(order()).toEqual(['/dev/zram0', '/dev/vdb']);
    await screen.get('[aria-label="Move /dev/vdb, place 2 of 2"]').trigger('keydown', { key: 'ArrowUp', altKey: true });
    await flushPromises();
    expect(order()).toEqual(['/dev/vdb', '/dev/zram0']);
    expect(screen.get('p.visually-hidden[role="status"]').text()).toBe('/dev/vdb is now number 1 of 2');
  });

  it('a preset fills in the machine', async () => {
    const preset = screen.findAll('.preset').find((candidate) => candidate.text().startsWith('xswap VM'));
    await preset!.trigger('click');
    expect(input('machine.ram').element.value).toBe('2034976 pages');
    expect(preset!.attributes('aria-pressed')).toBe('true');
    expect(useWizard().spec?.machine.ram_pages).toBe(2034976);
  });

  it('opens what was put together on the run screen, as something not saved yet', async () => {
    await input('machine.ram').setValue('64 MiB');
    commands.run('wizard.open');
    await vi.waitFor(() => { expect(useNavigation().screen).toBe('run'); });
    const doc = useDocument();
    expect(doc.spec?.machine.ram_pages).toBe(16384);
    expect(doc.unsaved).toBe(true);
    expect(doc.source.kind).toBe('new');
  });

  it('cannot be opened while something is wrong, and says how much', async () => {
    await input('machine.ram').setValue('');
    expect(commands.run('wizard.open')).toBe(false);
    expect(document.querySelector('#top-bar [title="1 field is to be mended first"]')).not.toBeNull();
  });
});
