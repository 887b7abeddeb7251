import { expect, it } from 'vitest';
import { OpenQueue } from './open-queue';

it('keeps files until the window listens and opens one after the other', async () => {
  const queue = new OpenQueue();
  const log: string[] = [];
  queue.push({ file: 'a', run: false });
  queue.push({ file: 'b', run: true });
  queue.start(async ({ file, run }) => {
    log.push(`${file} begins${run ? ' to run' : ''}`);
    await Promise.resolve();
    log.push(`${file} ends`);
  });
  queue.push({ file: 'c', run: false });
  await queue.settled();
  expect(log).toEqual(['a begins', 'a ends', 'b begins to run', 'b ends', 'c begins', 'c ends']);
});

it('a file that fails does not stop the next', async () => {
  const queue = new OpenQueue();
  const opened: string[] = [];
  queue.start(({ file }) => {
    if (file === 'bad') return Promise.reject(new Error('no'));
    opened.push(file);
    return Promise.resolve();
  });
  queue.push({ file: 'bad', run: false });
  queue.push({ file: 'good', run: false });
  await queue.settled();
  expect(opened).toEqual(['good']);
});

it('waits again after stop', async () => {
  const queue = new OpenQueue();
  const opened: string[] = [];
  const open = ({ file }: { file: string }): Promise<void> => {
    opened.push(file);
    return Promise.resolve();
  };
  queue.start(open);
  queue.stop();
  queue.push({ file: 'later', run: false });
  await queue.settled();
  expect(opened).toEqual([]);
  queue.start(open);
  await queue.settled();
  expect(opened).toEqual(['later']);
});
