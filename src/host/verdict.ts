/** Runs every arm with every seed, one after the other, in slices beside the run on the bench, and judges the claims over all of them. */
import { applyArm, armNames } from '../engine/experiment/arms';
import { assembleResult, seedRun } from '../engine/experiment/result';
import type { SeedRun } from '../engine/experiment/result';
import type { ExperimentSpec, KernelSpec } from '../engine/experiment/spec';
import type { Machine } from '../engine/machine';
import { checkExperiment } from '../contract/gate';
import type { VerdictResult, VerdictStatus } from '../contract/verdict';
import { GivenUp, runBeside, type SideNeeds } from './side-run';
import { SliceBudget } from './slice-budget';

interface Job {
  readonly spec: ExperimentSpec;
  readonly runs: number;
  done: number;
  arm: string;
  /** Of the run under way, 0…1. */
  fraction: number;
}

export class Verdict {
  readonly #needs: SideNeeds;
  readonly #budget = new SliceBudget();
  #job: Job | undefined;
  #state: VerdictStatus['state'] = 'empty';
  #message: string | undefined;
  #result: VerdictResult | undefined;

  constructor(needs: SideNeeds) {
    this.#needs = needs;
  }

  /** @throws Error when the experiment is not valid */
  start(spec: ExperimentSpec): void {
    const outcome = checkExperiment(spec);
    if (!outcome.ok) throw new Error(outcome.message);
    const names = armNames(outcome.spec);
    const job: Job = { spec: outcome.spec, runs: names.length * outcome.spec.seeds.length, done: 0, arm: names[0] ?? '', fraction: 0 };
    this.#job = job;
    this.#state = 'running';
    this.#message = undefined;
    this.#result = undefined;
    void this.#run(job).catch((error: unknown) => {
      if (error instanceof GivenUp || this.#job !== job) return;
      this.#state = 'failed';
      this.#message = error instanceof Error ? error.message : String(error);
    });
  }

  cancel(): void {
    if (this.#state === 'running') this.#state = 'cancelled';
  }

  status(): VerdictStatus {
    const { runs, done, arm, fraction } = this.#job ?? { runs: 0, done: 0, arm: '', fraction: 0 };
    return {
      state: this.#state, runs, done, arm, progress: runs === 0 ? 0 : Math.min(1, (done + fraction) / runs),
      ...(this.#message === undefined ? {} : { message: this.#message }),
    };
  }

  result(): VerdictResult | undefined {
    return this.#state === 'done' ? this.#result : undefined;
  }

  async #run(job: Job): Promise<void> {
    const { spec } = job;
    const arms: { name: string; kernel: KernelSpec; runs: SeedRun[] }[] = [];
    for (const name of armNames(spec)) {
      const armed = applyArm(spec, name);
      if (!armed.ok) throw new Error(armed.problem);
      job.arm = name;
      const runs: SeedRun[] = [];
      for (const seed of spec.seeds) {
        const machine = this.#needs.createMachine({ ...armed.spec, arms: [], claims: [] }, seed);
        await this.#advance(job, machine);
        runs.push(seedRun(machine));
        job.done++;
        job.fraction = 0;
      }
      arms.push({ name, kernel: armed.spec.kernel, runs });
    }
    const { claims, digest } = assembleResult(spec, arms);
    const failures = arms.flatMap(({ name, runs }) => runs.flatMap(({ failure }) => (failure === undefined ? [] : [`${name}: ${failure}`])));
    this.#result = { claims: claims.map(({ id, value, holds }) => ({ id, value, holds })), digest, failures };
    this.#state = 'done';
  }

  #advance(job: Job, machine: Machine): Promise<void> {
    return runBeside(this.#needs, this.#budget, machine, () => this.#job === job && this.#state === 'running', () => {
      job.fraction = Math.min(1, machine.operations() / Math.max(1, machine.estimatedOperations));
      return false;
    });
  }
}
