import { describe, expect, it, vi } from 'vitest';
import { ColourBook } from './colours';
import { LogTail } from './log-tail';
import { Subscriptions } from './subscriptions';

describe('ColourBook', () => {
  it('gives a device one colour, whichever way it is named', () => {
    const book = new ColourBook();
    book.reset(['/dev/zram0', 'xswap0']);
    expect([book.of('zram0'), book.of('xswap0'), book.of('/dev/zram0')]).toEqual([1, 2, 1]);
    expect(book.of('/swapfile')).toBe(3);
    expect(book.of('swapfile')).toBe(3);
  });
});

describe('LogTail', () => {
  it('starts anew at index 0 and keeps only the last lines', () => {
    const log = new LogTail(3);
    expect(log.add(['a', 'b'], 0)).toBe(true);
    expect(log.add([], 2)).toBe(false);
    log.add(['c', 'd'], 2);
    expect(log.lines()).toEqual(['b', 'c', 'd']);
    log.add(['x'], 0);
    expect(log.lines()).toEqual(['x']);
    expect(log.add([], 0)).toBe(true);
    expect(log.lines()).toEqual([]);
  });
});

describe('Subscriptions', () => {
  it('joins what the charts want and sends it once', async () => {
    const send = vi.fn();
    const subscriptions = new Subscriptions(send);
    subscriptions.set('a', ['x', 'y'], 100);
    subscriptions.set('b', ['y', 'z'], 300);
    subscriptions.set('b', ['y', 'z'], 300);
    await Promise.resolve();
    expect(send.mock.calls).toEqual([[['x', 'y', 'z'], 300]]);
    subscriptions.set('b', [], 0);
    await Promise.resolve();
    expect(send).toHaveBeenLastCalledWith(['x', 'y'], 100);
  });
});
