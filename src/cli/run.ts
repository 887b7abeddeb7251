/** `swaplab run`: an experiment headless, arm by arm and seed by seed. */
import { canonicalText } from '../contract/canonical';
import { checkExperiment } from '../contract/gate';
import type { GateOutcome } from '../contract/gate';
import { createMachine, MachineBuildError } from '../engine/create-machine';
import { applyArm, armNames, setPath } from '../engine/experiment/arms';
import { assembleResult, seedRun } from '../engine/experiment/result';
import type { RunResult, SeedRun } from '../engine/experiment/result';
import type { ExperimentSpec } from '../engine/experiment/spec';
import type { Machine } from '../engine/machine';
import { expectWritable, writeAtomically } from './atomic';
import { EXIT, printable, printableLine, UsageError } from './io';
import type { Io } from './io';
import { loadExperiment, nameOf } from './load';
import { Progress } from './progress';
import { resultText } from './report';
import { runOptions } from './run-options';
import type { RunOptions } from './run-options';

/** Page operations between two looks at the clock. */
const SLICE = 100_000;

const specOf = (file: string, outcome: GateOutcome): ExperimentSpec => {
  if (outcome.ok) return outcome.spec;
  const hint = outcome.reason === 'cost' ? ' Say --allow-long to run it all the same.' : '';
  throw new UsageError(`${file}: ${outcome.message}${hint}`, outcome.problems.slice(1));
};

/** The experiment as the options want it. @throws UsageError */
const prepare = (options: RunOptions): ExperimentSpec => {
  const { file, allowLong } = options;
  let spec = specOf(file, loadExperiment(file, { allowLong: true }));
  for (const { path, value } of options.set) {
    const outcome = setPath(spec, path, value);
    if (!outcome.ok) throw new UsageError(`--set: ${outcome.problem}`);
    spec = outcome.spec;
  }
  for (const name of options.arms) if (!armNames(spec).includes(name)) throw new UsageError(`--arm ${name}: expected one of ${armNames(spec).join(', ')}`);
  if (options.seeds.length) spec = { ...spec, seeds: [...new Set(options.seeds)] };
  return specOf(options.set.length ? `${file} with --set` : file, checkExperiment(spec, { allowLong }));
};

const runMachine = (machine: Machine, report: (operations: number, machine: Machine) => void): SeedRun => {
  for (;;) {
    const { done } = machine.advance(Infinity, SLICE);
    report(machine.operations(), machine);
    if (done) return seedRun(machine);
  }
};

export const runExperiment = (spec: ExperimentSpec, arms: readonly string[], io: Io): { result: RunResult; seconds: number; operations: number } => {
  const names = arms.length ? armNames(spec).filter((name) => arms.includes(name)) : armNames(spec);
  const progress = new Progress(io);
  const total = names.length * spec.seeds.length;
  let finished = 0;
  let before = 0;
  try {
    const results = names.map((name) => {
      const armed = applyArm(spec, name);
      if (!armed.ok) throw new UsageError(armed.problem);
      const runs = spec.seeds.map((seed) => {
        const run = total > 1 ? `arm ${name}, seed ${seed}` : '';
        const done = runMachine(createMachine(spec, seed, name), (operations, machine) => progress.update({
          run, operations: before + operations, simulatedNs: machine.now(), label: machine.script().label,
          fraction: (finished + Math.min(1, operations / machine.estimatedOperations)) / total,
        }));
        finished++;
        before += done.operations;
        return done;
      });
      return { name, kernel: armed.spec.kernel, runs };
    });
    return { result: assembleResult(spec, results), seconds: progress.end(), operations: before };
  } catch (error) {
    progress.end();
    if (error instanceof MachineBuildError) throw new UsageError(error.message);
    if (error instanceof RangeError && /allocation failed/i.test(error.message)) throw new UsageError('the run needs more memory than there is');
    throw error;
  }
};

/** Exit code 0: it ran and every claim holds; 1: it ran and one does not, or the script failed. */
export const runCommand = (args: readonly string[], io: Io): number => {
  const options = runOptions(args);
  const spec = prepare(options);
  const name = `${nameOf(options.file)}.result.json`;
  if (options.out !== undefined) expectWritable(options.out, name);
  const { result, seconds, operations } = runExperiment(spec, options.arms, io);
  const text = canonicalText(result);
  if (options.json) io.out(text);
  else {
    io.out(printable(resultText(spec, result, { seconds, operations })));
    const broken = result.claims.some((claim) => !claim.holds);
    if (broken && options.set.length > 0) io.out('The claims are those of the file; with --set or --scale it is another experiment.\n');
  }
  if (options.out !== undefined) {
    const path = writeAtomically(options.out, name, text);
    if (!options.json) io.out(`Result written to ${printableLine(path)}\n`);
  }
  return result.complete && result.claims.every((claim) => claim.holds) ? EXIT.ok : EXIT.notHeld;
};
