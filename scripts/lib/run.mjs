import { spawn } from 'node:child_process';
import { ROOT } from './paths.mjs';

/**
 * Runs a program to its end.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, toStderr?: boolean, timeoutMs?: number}} [options]
 *   show: its output goes to the terminal (toStderr: all of it to stderr), otherwise it is collected.
 * @returns {Promise<{code: number, signal: string | null, out: string, err: string, missing: boolean}>}
 *   code 127 and missing: there is no such program.
 */
export function run(file, args, options = {}) {
  const { cwd = ROOT, env = process.env, show = false, toStderr = false, timeoutMs } = options;
  return new Promise((resolve) => {
    const stdio = show ? ['inherit', toStderr ? 2 : 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'];
    const child = spawn(file, args, { cwd, env, stdio, timeout: timeoutMs });
    let out = '';
    let err = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => { out += text; });
    child.stderr?.setEncoding('utf8').on('data', (text) => { err += text; });
    // Ctrl+C reaches the whole process group by itself; a kill of this process alone does not, and is meant for all of it.
    const stop = () => {
      child.once('close', () => process.exit(143));
      child.kill('SIGTERM');
    };
    process.once('SIGTERM', stop);
    const end = (result) => {
      process.removeListener('SIGTERM', stop);
      resolve(result);
    };
    child.on('error', (error) => {
      const missing = error.code === 'ENOENT';
      end({ code: missing ? 127 : 126, signal: null, out, err: error.message, missing });
    });
    child.on('close', (code, signal) => end({ code: code ?? 1, signal, out, err, missing: false }));
  });
}

/** Runs a program of node_modules by its JavaScript file, so that it works alike on every platform. */
export function runNode(script, args, options) {
  return run(process.execPath, [script, ...args], options);
}

/** Runs npm, the one that started this process where there is one. */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  if (npm && /\.c?js$/.test(npm)) return runNode(npm, args, options);
  return process.platform === 'win32' ? run('cmd.exe', ['/d', '/s', '/c', 'npm', ...args], options) : run('npm', args, options);
}
