import { describe, expect, it } from 'vitest';
import { kernelIds } from '../engine/kernel/swap/registry';
import { UsageError } from './io';
import { kernelsCommand } from './kernels';

function printed(...args: string[]): string {
  let text = '';
  kernelsCommand(args, { out: (part: string) => { text += part; } });
  return text;
}

describe('swaplab kernels', () => {
  it('lists every kernel, and every policy with its values, sources and kernels', () => {
    const text = printed();
    for (const id of kernelIds()) expect(text).toContain(`\n  ${id} `);
    expect(text).toMatch(/^defaultPriority\n(.*\n)+? {4}equal: -1 for all[^]*? {6}linux-7\.2, linux-7\.3, /m);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(101);
  });

  it('--json gives the same as data: each policy has a value for each kernel', () => {
    const { kernels, policies } = JSON.parse(printed('--json')) as {
      kernels: { id: string }[]; policies: { policy: string; values: { kernels: string[]; source: string }[] }[];
    };
    expect(kernels.map((kernel) => kernel.id)).toEqual(kernelIds());
    for (const { policy, values } of policies) {
      expect(values.flatMap((value) => value.kernels).sort(), policy).toEqual([...kernelIds()].sort());
      expect(values.every((value) => value.source.length > 3), policy).toBe(true);
    }
  });

  it('takes nothing else', () => {
    expect(() => printed('--all')).toThrow(UsageError);
  });
});
