/**
 * `swaplab` by its arguments: the engine on the command line.
 * Exit codes: 0 done and all held, 1 ran and something did not hold, 2 bad input or usage.
 */
import { version } from '../../package.json';
import { EXIT, printableLine, UsageError } from './io';
import type { Io } from './io';
import { kernelsCommand } from './kernels';
import { builtinIds } from './load';
import { replayCommand } from './replay';
import { runCommand } from './run';
import { validateCommand } from './validate';

const help = (): string => `Swaplab ${version}: try Linux swap without a patched kernel

  swaplab run FILE [--arm NAME]… [--seed N]… [--set path=value]… [--scale N] [--out DIR] [--json] [--allow-long]
      runs an experiment; prints its probes and its claims; --scale divides every size; --json prints one result object
  swaplab replay TRACE [--kernel ID] [--explain LINE] [--json]
      replays a kernel trace and compares slot by slot; --explain tells one request or free in words
  swaplab kernels [--json]
      the kernels, their policies and the source of each
  swaplab validate FILE…
      checks experiment files
  swaplab --version | --help

FILE is the path of a *.swaplab.json file or one of
${builtinIds().map((id) => `  builtin:${id}\n`).join('')}
Exit code 0: done, every claim or comparison held; 1: it ran, and one did not; 2: bad input or usage.
`;

export const main = async (args: readonly string[], io: Io): Promise<number> => {
  const [command, ...rest] = args;
  const end = rest.indexOf('--');
  if ((end < 0 ? rest : rest.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) {
    io.out(help());
    return EXIT.ok;
  }
  try {
    switch (command) {
      case 'run':
        return runCommand(rest, io);
      case 'validate':
        return validateCommand(rest, io);
      case 'kernels':
        return kernelsCommand(rest, io);
      case 'replay':
        return await replayCommand(rest, io);
      case '--version':
      case '-v':
        io.out(`${version}\n`);
        return EXIT.ok;
      case '--help':
      case '-h':
      case 'help':
        io.out(help());
        return EXIT.ok;
      case undefined:
        io.err('swaplab: no command was given: expected run, replay, kernels or validate (swaplab --help says more)\n');
        return EXIT.usage;
      default:
        io.err(`swaplab: unknown command "${printableLine(command)}": expected run, replay, kernels or validate (swaplab --help says more)\n`);
        return EXIT.usage;
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.err(`swaplab ${command ?? ''}: ${error.message}\n`);
    for (const detail of error.details) io.err(`  ${detail}\n`);
    return EXIT.usage;
  }
};
