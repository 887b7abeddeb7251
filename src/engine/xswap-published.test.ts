/**
 * What xswap v3 published and what its cover letter leaves open, through /proc and /sys as a user sees them.
 * The runs with 11 GiB are claims of resources/experiments/xswap-cap.swaplab.json; src/cli/published.test.ts runs them.
 */
import { describe, expect, it } from 'vitest';
import { createMachine } from './create-machine';
import { KernelError } from './errno';
import type { ExperimentSpec, MachineSpec } from './experiment/spec';
import { swaponShow } from './kernel/fs/commands/swapon';
import type { Machine } from './machine';

const SEED_RAM = 2034976;
const XSWAP = '/sys/kernel/mm/xswap';

const machineOf = (machine: Partial<MachineSpec> = {}): Machine => {
  const spec: ExperimentSpec = {
    format: 'swaplab/experiment', version: 1, title: 'test', notes: '', kernel: 'xswap', arms: [], measure: {}, seeds: [1], claims: [],
    machine: { ram_pages: SEED_RAM, cpus: 2, nodes: 1, swap: [], zswap: { enabled: true }, ...machine },
    workload: { steps: [] },
  };
  return createMachine(spec);
};
const swapon = (machine: Machine): string => swaponShow(machine.read('/proc/swaps'));
const meminfo = (machine: Machine, key: string): number => Number(new RegExp(`^${key}: +(\\d+) kB$`, 'm').exec(machine.read('/proc/meminfo'))?.[1]);
const errno = (run: () => void): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof KernelError) return error.code;
    throw error;
  }
  return 'ok';
};
const sound = (machine: Machine): void => expect(machine.checkInvariants()).toEqual([]);

describe('create and destroy', () => {
  it('as in step 1 of the transcript', () => {
    const machine = machineOf();
    machine.write(`${XSWAP}/create`, '\n');
    expect(swapon(machine)).toBe('NAME    TYPE  SIZE USED PRIO\nxswap0  xswap 7.8G   0B   -1\n');
    expect(machine.read(`${XSWAP}/type0/limit`)).toBe('2035199\n');
    expect(meminfo(machine, 'SwapTotal')).toBe(8140796);
    expect(meminfo(machine, 'SwapFree')).toBe(8140796);
    expect(machine.devices()[0].mappedClusters).toBe(85);
    sound(machine);
    machine.write(`${XSWAP}/destroy`, '0\n');
    expect(swapon(machine)).toBe('');
    expect(meminfo(machine, 'SwapTotal')).toBe(0);
    expect(errno(() => machine.read(`${XSWAP}/type0/limit`))).toBe('ENOENT');
    sound(machine);
  });

  it('without zswap is refused', () => {
    const machine = machineOf({ zswap: { enabled: false } });
    expect(errno(() => machine.write(`${XSWAP}/create`, '\n'))).toBe('EOPNOTSUPP');
    expect(swapon(machine)).toBe('');
  });

  it('twice makes two devices, and the freed type is taken again', () => {
    const machine = machineOf();
    machine.write(`${XSWAP}/create`, '\n');
    machine.write(`${XSWAP}/create`, '\n');
    expect(machine.list(XSWAP)).toEqual(['create', 'destroy', 'type0', 'type1']);
    expect(meminfo(machine, 'SwapTotal')).toBe(2 * 8140796);
    machine.write(`${XSWAP}/destroy`, '0\n');
    expect(machine.list(XSWAP)).toEqual(['create', 'destroy', 'type1']);
    machine.write(`${XSWAP}/create`, '\n');
    expect(machine.devices().map((device) => device.name)).toEqual(['xswap0', 'xswap1']);
    sound(machine);
  });

  it('until no swap type is left', () => {
    const machine = machineOf();
    for (let i = 0; i < 24; i++) machine.write(`${XSWAP}/create`, '\n');
    expect(errno(() => machine.write(`${XSWAP}/create`, '\n'))).toBe('EPERM');
    expect(machine.devices().length).toBe(24);
  });

  it.each([
    ['1', 'EINVAL'], ['-1', 'EINVAL'], ['x', 'EINVAL'], ['', 'EINVAL'], ['99999999999', 'ERANGE'],
  ])('destroy of a wrong type %j answers %s', (text, code) => {
    const machine = machineOf();
    machine.write(`${XSWAP}/create`, '\n');
    expect(errno(() => machine.write(`${XSWAP}/destroy`, `${text}\n`))).toBe(code);
    expect(machine.devices().length).toBe(1);
  });

  it('destroy of a device of another kind is refused', () => {
    const machine = machineOf({ swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 1024 }] });
    expect(errno(() => machine.write(`${XSWAP}/destroy`, '0\n'))).toBe('EINVAL');
    expect(machine.devices().length).toBe(1);
  });

  it.each([
    ['100', 100, 'ok'], ['0', 0, 'ok'], ['32767', 32767, 'ok'], ['-1', -1, 'ok'], ['', -1, 'ok'],
    ['32768', undefined, 'EINVAL'], ['-2', undefined, 'EINVAL'], ['ten', undefined, 'EINVAL'], ['1 2', undefined, 'EINVAL'],
    ['9223372036854775808', undefined, 'ERANGE'],
  ])('priority %j', (text, priority, code) => {
    const machine = machineOf();
    expect(errno(() => machine.write(`${XSWAP}/create`, `${text}\n`))).toBe(code);
    expect(machine.devices()[0]?.priority).toBe(priority);
    sound(machine);
  });

  it.each([
    [8107520, 8107519, 32430076], [512, 511, 2044], [1000, 1023, 4092],
  ])('on a machine of %i pages', (ram, limit, total) => {
    const machine = machineOf({ ram_pages: ram });
    machine.write(`${XSWAP}/create`, '\n');
    expect(machine.read(`${XSWAP}/type0/limit`)).toBe(`${limit}\n`);
    expect(meminfo(machine, 'SwapTotal')).toBe(total);
    sound(machine);
  });
});

describe('limit', () => {
  it.each([
    ['3052543', 3052543], ['1000000', 1000447], ['4069887', 4069887],
    // Rounded up to whole clusters (assumed), at least one.
    ['0', 511], ['1', 511], ['511', 511], ['512', 1023], ['1023', 1023],
    // Twice RAM and beyond end at the address space (assumed).
    [String(2 * SEED_RAM), 4069887], ['5000000', 4069887], ['9223372036854775808', 4069887], ['18446744073709551615', 4069887],
    ['+512', 1023],
  ])('%s reads back %i', (text, reads) => {
    const machine = machineOf();
    machine.write(`${XSWAP}/create`, '\n');
    machine.write(`${XSWAP}/type0/limit`, `${text}\n`);
    expect(machine.read(`${XSWAP}/type0/limit`)).toBe(`${reads}\n`);
    expect(meminfo(machine, 'SwapTotal')).toBe(reads * 4);
    expect(meminfo(machine, 'SwapFree')).toBe(reads * 4);
    expect(machine.devices()[0].mappedClusters).toBeLessThanOrEqual((reads + 1) / 512);
    sound(machine);
  });

  it.each([
    ['ten', 'EINVAL'], ['-1', 'EINVAL'], ['', 'EINVAL'], [' 512', 'EINVAL'], ['512 ', 'EINVAL'], ['5 12', 'EINVAL'], ['0x200', 'EINVAL'],
    ['1M', 'EINVAL'], ['18446744073709551616', 'ERANGE'],
  ])('%j is refused with %s and changes nothing', (text, code) => {
    const machine = machineOf();
    machine.write(`${XSWAP}/create`, '\n');
    expect(errno(() => machine.write(`${XSWAP}/type0/limit`, `${text}\n`))).toBe(code);
    expect(machine.read(`${XSWAP}/type0/limit`)).toBe('2035199\n');
  });
});
