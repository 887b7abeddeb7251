import { spawn } from 'node:child_process';
import { Stop } from '../lib/stop.mjs';

/** How long an X server may take to say its display number. */
const START_MS = 20_000;

/**
 * Starts a virtual X server on a display number that it finds free itself.
 * @returns {Promise<{display: string, stop: () => Promise<void>}>} display: for the environment variable DISPLAY
 * @throws {Stop} if it is missing or does not start
 */
export function startXvfb(program = 'Xvfb', size = '1600x1000x24') {
  return new Promise((resolve, reject) => {
    // -displayfd 3: take a free number and write it to descriptor 3.
    const server = spawn(program, ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp', '-noreset'], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    let log = '';
    let number = '';
    const fail = (why) => {
      clearTimeout(timer);
      server.kill('SIGKILL');
      reject(new Stop(`The virtual display cannot be started (${why}): install the package xvfb and run the command again.`));
    };
    const timer = setTimeout(() => fail(`${program} said nothing for ${START_MS / 1000} s`), START_MS);
    const ended = new Promise((done) => server.once('close', done));
    const kill = () => server.kill('SIGKILL');
    process.once('exit', kill);
    server.stderr.setEncoding('utf8').on('data', (text) => { log = (log + text).slice(-2000); });
    server.once('error', (error) => fail(error.code === 'ENOENT' ? `there is no ${program}` : error.message));
    server.once('exit', (code) => fail(`${program} ended with ${code}: ${log.trim().split('\n')[0]}`));
    server.stdio[3].setEncoding('utf8').on('data', (text) => {
      number += text;
      if (!number.includes('\n')) return;
      clearTimeout(timer);
      server.removeAllListeners('exit');
      resolve({
        display: `:${number.trim()}`,
        stop: async () => {
          process.removeListener('exit', kill);
          server.kill('SIGTERM');
          await ended;
        },
      });
    });
  });
}
