import { describe, expect, it } from 'vitest';
import { KernelError } from '../../errno';
import { swaponOf } from './commands/of-kernel';
import type { RealKernel } from './testing/real-kernel';
import { realKernel } from './testing/real-kernel';

const CREATE = '/sys/kernel/mm/xswap/create';
const DESTROY = '/sys/kernel/mm/xswap/destroy';
const limitOf = (type: number): string => `/sys/kernel/mm/xswap/type${type}/limit`;

function answer(call: () => unknown): string {
  try {
    call();
    return 'ok';
  } catch (error) {
    if (error instanceof KernelError) return error.code;
    throw error;
  }
}

function machine(ramPages: number): RealKernel {
  const kernel = realKernel('xswap', { ram_pages: ramPages });
  kernel.tree.write('/sys/module/zswap/parameters/enabled', '1\n');
  return kernel;
}

const meminfo = (kernel: RealKernel, key: string): string => kernel.tree.read('/proc/meminfo').split('\n').find((line) => line.startsWith(`${key}:`))!;

describe('the transcript of the series', () => {
  it('1: create and destroy', () => {
    const { tree } = machine(2034976);
    tree.write(CREATE, '\n');
    expect(swaponOf(tree)).toBe('NAME    TYPE  SIZE USED PRIO\nxswap0  xswap 7.8G   0B   -1\n');
    expect(tree.read(limitOf(0))).toBe('2035199\n');
    tree.write(DESTROY, '0\n');
    expect(swaponOf(tree)).toBe('');
    expect(tree.exists(limitOf(0))).toBe(false);
  });

  it('2, 3, 5: SwapTotal follows the limit', () => {
    const kernel = machine(2034976);
    kernel.tree.write(CREATE, '\n');
    expect(meminfo(kernel, 'SwapTotal')).toBe('SwapTotal:       8140796 kB');
    kernel.tree.write(limitOf(0), '3052543\n');
    expect(meminfo(kernel, 'SwapTotal')).toBe('SwapTotal:      12210172 kB');
    kernel.tree.write(limitOf(0), '4069887\n');
    expect(meminfo(kernel, 'SwapFree')).toBe('SwapFree:       16279548 kB');
  });

  it('6: nothing is left after many devices', () => {
    const { tree, memory, swap } = machine(4096);
    const objects = memory.liveObjects();
    const { bytes } = swap;
    for (let round = 0; round < 2000; round++) {
      tree.write(CREATE, '\n');
      tree.write(DESTROY, '0\n');
    }
    expect(memory.liveObjects()).toBe(objects);
    expect(swap.bytes).toBe(bytes);
    expect(swap.devices()).toEqual([]);
  });
});

describe.each([[2034976, 2035199, 4069887], [8107520, 8107519, 16215039], [512, 511, 1023]])('a machine of %i pages', (ram, start, most) => {
  it.each([
    ['0\n', 511], ['1\n', 511], ['511\n', Math.min(511, most)], ['512\n', Math.min(1023, most)], [`${2 * ram}\n`, most], [`${ram * 1000}\n`, most],
    ['9223372036854775808\n', most], ['18446744073709551615\n', most],
  ])('takes the limit %j', (text, reads) => {
    const { tree } = machine(ram);
    tree.write(CREATE, '\n');
    expect(tree.read(limitOf(0))).toBe(`${start}\n`);
    tree.write(limitOf(0), text);
    expect(tree.read(limitOf(0))).toBe(`${reads}\n`);
  });

  it.each([
    ['abc\n', 'EINVAL'], ['-1\n', 'EINVAL'], ['\n', 'EINVAL'], ['', 'ok'], [' 511\n', 'EINVAL'], ['511 \n', 'EINVAL'], ['511\n\n', 'EINVAL'],
    ['0x1ff\n', 'EINVAL'], ['1.5\n', 'EINVAL'], ['1M\n', 'EINVAL'], ['max\n', 'EINVAL'], ['18446744073709551616\n', 'ERANGE'],
  ])('answers the limit %j with %s and stays as it was', (text, expected) => {
    const { tree } = machine(ram);
    tree.write(CREATE, '\n');
    expect(answer(() => tree.write(limitOf(0), text))).toBe(expected);
    expect(tree.read(limitOf(0))).toBe(`${start}\n`);
  });
});

describe('create', () => {
  it.each([
    ['\n', '-1'], ['  \n', '-1'], ['-1\n', '-1'], ['0\n', '0'], ['100\n', '100'], ['100', '100'], ['+7\n', '7'], ['32767\n', '32767'],
  ])('%j makes a device of priority %s', (text, priority) => {
    const { tree } = machine(4096);
    tree.write(CREATE, text);
    expect(tree.read('/proc/swaps').split('\n')[1].split('\t').at(-1)).toBe(priority);
  });

  it.each([
    ['-2\n', 'EINVAL'], ['32768\n', 'EINVAL'], ['abc\n', 'EINVAL'], ['0x10\n', 'EINVAL'], [' 5\n', 'EINVAL'], ['50 100\n', 'EINVAL'],
    ['2147483648\n', 'ERANGE'],
  ])('%j is answered with %s, and no device is made', (text, expected) => {
    const { tree } = machine(4096);
    expect(answer(() => tree.write(CREATE, text))).toBe(expected);
    expect(swaponOf(tree)).toBe('');
  });

  it('needs zswap', () => {
    const { tree } = machine(4096);
    tree.write('/sys/module/zswap/parameters/enabled', 'N\n');
    expect(answer(() => tree.write(CREATE, '\n'))).toBe('EOPNOTSUPP');
    expect(swaponOf(tree)).toBe('');
  });

  it('twice makes xswap1, and a type that is free again is used again', () => {
    const { tree } = machine(4096);
    tree.write(CREATE, '\n');
    tree.write(CREATE, '5\n');
    expect(tree.list('/sys/kernel/mm/xswap')).toEqual(['create', 'destroy', 'type0', 'type1']);
    expect(swaponOf(tree, { raw: true })).toBe('NAME TYPE SIZE USED PRIO\nxswap0 xswap 16M 0B -1\nxswap1 xswap 16M 0B 5\n');
    tree.write(DESTROY, '0\n');
    tree.write(CREATE, '7\n');
    expect(swaponOf(tree, { raw: true })).toBe('NAME TYPE SIZE USED PRIO\nxswap0 xswap 16M 0B 7\nxswap1 xswap 16M 0B 5\n');
  });

  it('is write-only, and is not there in a kernel without xswap', () => {
    const { tree } = machine(4096);
    expect(answer(() => tree.read(CREATE))).toBe('EACCES');
    const old = realKernel('linux-6.18');
    expect(old.tree.exists('/sys/kernel/mm/xswap')).toBe(false);
    expect(answer(() => old.tree.write(CREATE, '\n'))).toBe('ENOENT');
  });
});

describe('destroy', () => {
  it('refuses what is no xswap device, and says why', () => {
    const kernel = realKernel('xswap', { swap: [{ kind: 'partition', name: '/dev/vdc', size_pages: 2048 }], ram_pages: 4096 });
    const { tree, memory } = kernel;
    tree.write('/sys/module/zswap/parameters/enabled', '1\n');
    memory.swapon('/dev/vdc');
    tree.write(CREATE, '\n');
    for (const text of ['0\n', '7\n', '-1\n', 'abc\n', '\n', '1x\n', ' 1\n', '0x1\n']) {
      expect([text, answer(() => tree.write(DESTROY, text))]).toEqual([text, 'EINVAL']);
    }
    const why = 'swap type 0 is /dev/vdc, which is no xswap device: use swapoff';
    expect(() => tree.write(DESTROY, '0\n')).toThrow(expect.objectContaining({ why }));
    expect(answer(() => tree.write(DESTROY, '99999999999\n'))).toBe('ERANGE');
    expect(tree.list('/sys/kernel/mm/xswap')).toEqual(['create', 'destroy', 'type1']);
    tree.write(DESTROY, '1\n');
    expect(swaponOf(tree, { raw: true, noHeadings: true })).toBe('/dev/vdc partition 8M 0B -1\n');
  });
});
