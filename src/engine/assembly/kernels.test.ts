import { expect, it } from 'vitest';
import { kernelIds } from '../kernel/swap/registry';
import { kernelOf } from './kernels';

it.each(kernelIds())('%s has a release and memory policies beside its swap policies', (id) => {
  const kernel = kernelOf(id);
  expect(kernel.swap.id).toBe(id);
  expect(kernel.release).toMatch(/^\d+\.\d+\.\d+/);
  const version = /^linux-(\d+\.\d+)/.exec(id)?.[1];
  if (version !== undefined) expect(kernel.release.startsWith(`${version}.`)).toBe(true);
  expect(Object.values(kernel.memory)).not.toContain(undefined);
  expect(kernel.memory).toMatchObject({ largeSwapin: kernel.swap.largeSwapin, zswapLoad: kernel.swap.zswapLoad });
});
