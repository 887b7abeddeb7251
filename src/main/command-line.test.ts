import { expect, it } from 'vitest';
import { parseCommandLine } from './command-line';

it('takes files from the folder that the program was started in', () => {
  expect(parseCommandLine(['/opt/swaplab', 'a.swaplab.json', '/b/c.swaplab.json'], false, '/home/u')).toEqual({
    files: ['/home/u/a.swaplab.json', '/b/c.swaplab.json'], run: false, smoke: false,
  });
});

it('passes over the app folder of a bare Electron, wherever switches stand', () => {
  const argv = ['/cache/electron', '--no-sandbox', '--remote-debugging-port=0', '.', '--user-data-dir=/tmp/x', 'a.swaplab.json', '--run'];
  expect(parseCommandLine(argv, true, '/p')).toEqual({ files: ['/p/a.swaplab.json'], run: true, smoke: false });
});

it('after -- takes a name that looks like a switch', () => {
  expect(parseCommandLine(['swaplab', '--smoke', '--', '--run'], false, '/p')).toEqual({ files: ['/p/--run'], run: false, smoke: true });
});
