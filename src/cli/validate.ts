/** `swaplab validate FILE…`: checks files as every other door does, and that their machines can be built. */
import { createMachine, MachineBuildError } from '../engine/create-machine';
import { armNames } from '../engine/experiment/arms';
import { EXIT, printable, printableLine, UsageError } from './io';
import type { Io } from './io';
import { loadExperiment } from './load';

/** Exit code 0: all are fine; 2: one is not. */
export const validateCommand = (args: readonly string[], io: Io): number => {
  const option = args.find((arg) => arg.startsWith('-') && arg !== '-');
  if (option !== undefined) throw new UsageError(`validate knows no option ${option}; usage: swaplab validate FILE…`);
  if (args.length === 0) throw new UsageError('usage: swaplab validate FILE…');
  let code: number = EXIT.ok;
  for (const file of args) {
    const name = printableLine(file);
    try {
      const outcome = loadExperiment(file);
      if (outcome.ok) {
        for (const arm of armNames(outcome.spec)) createMachine(outcome.spec, outcome.spec.seeds[0], arm);
        io.out(`${name}: ok\n`);
        continue;
      }
      const lines = outcome.problems.length ? outcome.problems : [outcome.message];
      for (const line of lines) io.err(`${name}: ${printable(line)}\n`);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof MachineBuildError)) throw error;
      io.err(`${name}: ${printable(error.message)}\n`);
    }
    code = EXIT.usage;
  }
  return code;
};
