import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PREV, NEXT, STATE, type Clusters } from './clusters';
import { RandomMachine, machineChoice, operation, type MachineChoice, type Operation } from './testing/random-machine';

/** Each of 4 shards runs its own seed; together 10,000 sequences. */
const SHARDS = [1, 2, 3, 4];
const RUNS = 2500;

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
  it.each(SHARDS)('leave everything sound (seed %i)', { timeout: 120_000 }, (seed) => {
    fc.assert(
      fc.property(machineChoice, sequence, (machine, operations) => {
        expect(firstBreak(machine, operations)).toBe('');
      }),
      { seed, numRuns: RUNS },
    );
  });

  it('a planted fault, a cluster left on two lists, is caught and shrinks to a short counterexample', () => {
    const result = fc.check(
      fc.property(machineChoice, sequence, (machine, operations) => {
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
