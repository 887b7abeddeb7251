/** One policy at a time: the same requests on two machines that differ in it; the first difference has to be that policy's. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFECTS } from '../../kernel/swap/defects';
import { POLICY_CHOICES, POLICY_SETTINGS } from '../../kernel/swap/policy-catalogue';
import { kernelIds, policiesOf } from '../../kernel/swap/registry';
import { MEMORY_SWITCHES } from './testing/memory-switches';
import { coveredBy, sidesOf } from './testing/policy-switch';
import { SWAP_SWITCHES } from './testing/swap-switches';

const SWITCHES = [...SWAP_SWITCHES, ...MEMORY_SWITCHES];

/** `policy=value` that a test of its own turns, and that test, from src/engine on. */
const TURNED_ELSEWHERE: Readonly<Record<string, string>> = {
  'defects=nr-pages-zero': 'scenarios/kernels/defects.test.ts',
};

describe.each(SWITCHES.map((turned) => [`${turned.policy} ${String(turned.to)} on ${turned.kernel}`, turned] as const))('%s', (_, turned) => {
  it(turned.first, () => {
    turned.shows(sidesOf(turned));
  });

  it('a run that it cannot touch is the same', () => {
    turned.spares(sidesOf(turned));
  });
});

describe('every policy has a switch', () => {
  const covered = new Set([...SWITCHES.flatMap(coveredBy), ...Object.keys(TURNED_ELSEWHERE)]);

  it('every value of the catalogue is turned to or from', () => {
    const values = Object.entries(POLICY_CHOICES).flatMap(([policy, choice]) => Object.keys(choice.values).map((value) => `${policy}=${value}`));
    expect(values.filter((value) => !covered.has(value))).toEqual([]);
    expect(values.length).toBeGreaterThan(30);
  });

  it('every setting is turned: switches both ways, numbers between two, each defect', () => {
    const missing = Object.keys(POLICY_SETTINGS).flatMap((policy) => {
      const value: unknown = Reflect.get(policiesOf('linux-6.18'), policy);
      if (typeof value === 'boolean') return [`${policy}=true`, `${policy}=false`].filter((one) => !covered.has(one));
      if (Array.isArray(value)) return DEFECTS.map((defect) => `${policy}=${defect}`).filter((one) => !covered.has(one));
      return [...covered].filter((one) => one.startsWith(`${policy}=`)).length >= 2 ? [] : [policy];
    });
    expect(missing).toEqual([]);
  });

  it('the catalogue knows every policy of every kernel', () => {
    for (const id of kernelIds()) {
      const known = ['id', 'source', ...Object.keys(POLICY_CHOICES), ...Object.keys(POLICY_SETTINGS)];
      expect(Object.keys(policiesOf(id)).filter((policy) => !known.includes(policy))).toEqual([]);
    }
  });

  it('what is turned elsewhere is', () => {
    for (const [value, file] of Object.entries(TURNED_ELSEWHERE)) {
      const path = join(import.meta.dirname, '../..', file);
      expect(existsSync(path), file).toBe(true);
      expect(readFileSync(path, 'utf8'), file).toContain(value.split('=')[0]);
    }
  });
});

describe('policies that cannot be', () => {
  it('are refused with what was expected', () => {
    expect(() => policiesOf({ base: 'linux-6.12', set: { defects: 'discard' } })).toThrow('expected none or discard-of-full-cluster');
    expect(() => policiesOf({ base: 'linux-6.12', set: { allocators: 'cluster-lists' } })).toThrow('unknown policy \'allocators\'');
    expect(() => policiesOf({ base: 'linux-6.12', set: { allocator: 'lists' } })).toThrow('expected free-cluster-scan or cluster-lists');
    expect(() => policiesOf({ base: 'xswap', set: { allocator: 'cluster-lists' } })).toThrow('\'xswap\' needs allocator percpu-cluster or');
  });
});
