import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChurnCase, ChurnResult } from './churn';

/** The native yardstick, compiled for this run. */
export interface Twin {
  run(options: ChurnCase): ChurnResult;
  remove(): void;
}

const COMPILERS = ['cc', 'gcc', 'clang'];

/** Compiles native-twin.c with the first C compiler that is there; undefined without one. */
export function compileTwin(source: string): Twin | undefined {
  const compiler = COMPILERS.find(isThere);
  if (compiler === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'swaplab-bench-'));
  const program = join(folder, 'native-twin');
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    execFileSync(compiler, ['-O2', '-o', program, source], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    remove();
    throw error;
  }
  return {
    run(options) {
      const text = execFileSync(
        program,
        [options.slots, options.operations, options.fillPercent, options.orders.join(',')].map(String),
        { encoding: 'utf8' },
      );
      return readTwin(JSON.parse(text));
    },
    remove,
  };
}

function isThere(compiler: string): boolean {
  try {
    execFileSync(compiler, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function readTwin(answer: unknown): ChurnResult {
  const number = (key: string): number => {
    const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, key) : undefined;
    if (typeof value !== 'number') throw new Error(`native-twin printed no ${key}`);
    return value;
  };
  return { nsPerOperation: number('ns_per_op'), used: number('used'), failed: number('failed'), sum: number('sum') };
}
