import { describe, expect, it } from 'vitest';
import { POLICY_CHOICES, POLICY_SETTINGS } from '../../engine/kernel/swap/policy-catalogue';
import { policyRows, policyText } from '../../engine/kernel/swap/policy-table';
import { kernelIds, policiesOf } from '../../engine/kernel/swap/registry';
import { withPolicy } from './kernel-copy';

describe('policyRows', () => {
  it('has every policy, and for each kernel one value', () => {
    const rows = policyRows();
    expect(rows.map((row) => row.policy)).toEqual([...Object.keys(POLICY_CHOICES), ...Object.keys(POLICY_SETTINGS)]);
    for (const { policy, values } of rows) expect(values.flatMap((value) => value.kernels).sort(), policy).toEqual([...kernelIds()].sort());
  });
});

describe('withPolicy', () => {
  it('takes every value of every policy, and gives a kernel that has it', () => {
    for (const { policy, values } of policyRows()) {
      for (const { value } of values) {
        const kernel = withPolicy('linux-6.18', policy, value);
        const has: unknown = Reflect.get(policiesOf(kernel), policy);
        expect(Array.isArray(has) ? has.join() || 'none' : String(has), `${policy} = ${value}`).toBe(value);
      }
    }
  });
  it('keeps other changes and writes down no value that the base has anyway', () => {
    expect(withPolicy({ base: 'linux-7.2', set: { xswap: true } }, 'selection', 'node-lists'))
      .toEqual({ base: 'linux-7.2', set: { xswap: true, selection: 'node-lists' } });
    expect(withPolicy({ base: 'linux-7.2', set: { selection: 'node-lists' } }, 'selection', policyText('linux-7.2', 'selection'))).toBe('linux-7.2');
  });
});
