import { flushPromises, mount } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChangeResult, DeviceRow } from '../../contract/engine-api';
import type { Step } from '../../engine/experiment/spec';
import { useRun } from '../stores/run';
import { useSettings } from '../stores/settings';
import LimitEditor from './LimitEditor.vue';

const device: DeviceRow = {
  type: 0, name: 'xswap0', kind: 'xswap', priority: -1, sizePages: 4_069_887, usedPages: 2_426_664, limitPages: 4_069_887, mappedClusters: 4800,
};

function setUp(answer: (step: Step) => ChangeResult) {
  const run = useRun();
  run.info = { runId: 1, title: '', kernel: 'xswap', arm: 'base', seed: 1, ramPages: 2_034_976, estimatedOps: 1 };
  const change = vi.spyOn(run, 'change').mockImplementation((step) => Promise.resolve(answer(step)));
  const wrapper = mount(LimitEditor, { props: { device } });
  const input = wrapper.get<HTMLInputElement>('[data-testid="limit-input"]');
  return { wrapper, change, input };
}

describe('LimitEditor', () => {
  beforeEach(() => { setActivePinia(createPinia()); });

  it('writes what was typed to the device’s file and shows what reads back and why (seed step 4)', async () => {
    const { wrapper, change, input } = setUp(() => ({ ok: true, at: 5, readsBack: '2426879\n' }));
    await input.setValue('1000000');
    await input.trigger('keydown', { key: 'Enter' });
    await flushPromises();
    expect(change).toHaveBeenCalledWith({ write: '/sys/kernel/mm/xswap/type0/limit', text: '1000000' });
    const answer = wrapper.get('[data-testid="limit-answer"]').text();
    expect(answer).toContain('reads back 2426879');
    expect(answer).toContain('cover the 2426664 pages in use');
  });

  it('leaves the judgement to the kernel and shows its refusal in place, with the text as typed', async () => {
    const { wrapper, change, input } = setUp(() => (
      { ok: false, at: 5, errno: 'EINVAL', message: 'Invalid argument', why: 'a decimal number of pages is expected' }
    ));
    await input.setValue('12x');
    await input.trigger('keydown', { key: 'Enter' });
    await flushPromises();
    expect(change).toHaveBeenCalledWith({ write: '/sys/kernel/mm/xswap/type0/limit', text: '12x' });
    expect(wrapper.get('[role="alert"]').text()).toBe('EINVAL (Invalid argument): a decimal number of pages is expected');
    expect(input.element.value).toBe('12x');
    expect(input.attributes('aria-invalid')).toBe('true');
  });

  it('keeps what is being typed while new frames arrive, and takes the kernel’s value when not', async () => {
    const { wrapper, input } = setUp(() => ({ ok: true, at: 5 }));
    await input.setValue('30');
    await wrapper.setProps({ device: { ...device, limitPages: 3_052_543 } });
    expect(input.element.value).toBe('30');
    await input.trigger('keydown', { key: 'Escape' });
    expect(input.element.value).toBe('3052543');
  });

  it('turns MiB into pages, and refuses what is no number of MiB without asking the kernel', async () => {
    const { wrapper, change, input } = setUp(() => ({ ok: true, at: 5, readsBack: '3145727' }));
    useSettings().values.limitUnit = 'MiB';
    await input.setValue('12x');
    await input.trigger('keydown', { key: 'Enter' });
    await flushPromises();
    expect(change).not.toHaveBeenCalled();
    expect(wrapper.get('[role="alert"]').text()).toContain('Expected a number of MiB');
    await input.setValue('12288');
    await input.trigger('keydown', { key: 'Enter' });
    await flushPromises();
    expect(change).toHaveBeenCalledWith({ write: '/sys/kernel/mm/xswap/type0/limit', text: '3145728' });
  });
});
