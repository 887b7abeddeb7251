import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PREV, NEXT, STATE, type Clusters } from './clusters';
import { kernelIds } from './registry';
import { RandomMachine, anyMachine, machineOf, operation, type MachineChoice, type Operation } from './testing/random-machine';

const RUNS = 2000;

const sequence = fc.array(operation, { minLength: 1, maxLength: 40, size: 'max' });

function firstBreak(machine: MachineChoice, operations: readonly Operation[], plant?: (machine: RandomMachine) => void): string {
  const random = new RandomMachine(machine);
  plant?.(random);
  for (const [at, next] of operations.entries()) {
    const broken = random.carryOut(next);
    if (broken.length > 0) return `after operation ${at + 1} (${next.do}): ${broken.join('; ')}`;
  }
  return '';
}

describe('random operations on random machines', () => {
  it.each(kernelIds())('of %s leave everything sound', { timeout: 120_000 }, (kernel) => {
    fc.assert(
      fc.property(machineOf(kernel), sequence, (machine, operations) => {
        expect(firstBreak(machine, operations)).toBe('');
      }),
      { seed: 1, numRuns: RUNS },
    );
  });

  it('of any composition of policies leave everything sound', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyMachine(), sequence, (machine, operations) => {
        expect(firstBreak(machine, operations)).toBe('');
      }),
      { seed: 2, numRuns: RUNS },
    );
  });

  it('a planted fault, a cluster left on two lists, is caught and shrinks to a short counterexample', () => {
    const result = fc.check(
      fc.property(machineOf('linux-6.18', 'xswap'), sequence, (machine, operations) => {
        expect(firstBreak(machine, operations, leaveOnOldList)).toBe('');
      }),
      { seed: 7, numRuns: 500 },
    );
    expect(result.failed).toBe(true);
    const [machine, operations] = result.counterexample!;
    expect(firstBreak(machine, operations, leaveOnOldList)).toMatch(/is on 2 lists/);
    expect(machine.devices).toHaveLength(1);
    expect(operations.length).toBeLessThanOrEqual(2);
  });
});

/** Clusters move to another list without leaving the one they are on. */
function leaveOnOldList(machine: RandomMachine): void {
  for (const device of machine.swap.table) {
    if (device === undefined) continue;
    device.store.move = function move(this: Clusters, record: number, head: number, list: number): void {
      const { records } = this;
      const last = records[head + PREV];
      records[record + PREV] = last;
      records[record + NEXT] = head;
      records[last + NEXT] = record;
      records[head + PREV] = record;
      records[record + STATE] = (records[record + STATE] & 0xff) | (list << 8);
    };
  }
}
