import { expect, it } from 'vitest';
import { kernelIds } from '../kernel/swap/registry';
import { kernelOf } from './kernels';

it.each(kernelIds())('%s has a release and memory policies beside its swap policies', (id) => {
  const kernel = kernelOf(id);
  expect(kernel.swap.id).toBe(id);
  expect(kernel.release).toMatch(/^\d+\.\d+\.\d+/);
  if (id.startsWith('linux-')) expect(kernel.release.startsWith(`${id.slice(6)}.`)).toBe(true);
  expect(Object.values(kernel.memory).every((value) => typeof value === 'boolean')).toBe(true);
});
