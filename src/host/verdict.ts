/** Runs every arm with every seed, one after the other, in slices beside the run on the bench, and judges the claims over all of them. */
import { applyArm, armNames } from '../engine/experiment/arms';
import { assembleResult, seedRun } from '../engine/experiment/result';
import type { SeedRun } from '../engine/experiment/result';
import type { ExperimentSpec, KernelSpec } from '../engine/experiment/spec';
import type { Machine } from '../engine/machine';
import { checkExperiment } from '../contract/gate';
import type { VerdictResult, VerdictStatus } from '../contract/verdict';
import type { RunDependencies } from './run-controller';
import { SliceBudget } from './slice-budget';

type Needs = Pick<RunDependencies, 'createMachine' | 'now' | 'schedule'>;

/** Another verdict began, or this one was cancelled. */
class GivenUp extends Error {}

interface Job {
  readonly spec: ExperimentSpec;
  readonly runs: number;
  done: number;
  arm: string;
  /** Of the run under way, 0…1. */
  fraction: number;
}

export class Verdict {
  readonly #needs: Needs;
  readonly #budget = new SliceBudget();
  #job: Job | undefined;
  #state: VerdictStatus['state'] = 'empty';
  #message: string | undefined;
  #result: VerdictResult | undefined;

  constructor(needs: Needs) {
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

  /** In slices until the machine is done. @throws GivenUp */
  async #advance(job: Job, machine: Machine): Promise<void> {
    for (;;) {
      const began = this.#needs.now();
      const { operations, done } = machine.advance(Number.MAX_SAFE_INTEGER, this.#budget.operations);
      this.#budget.learn(operations, this.#needs.now() - began);
      job.fraction = Math.min(1, machine.operations() / Math.max(1, machine.estimatedOperations));
      // After the last slice too: many short runs must not keep messages and the heartbeat waiting.
      await new Promise<void>((resolve) => this.#needs.schedule(resolve, 0));
      if (this.#job !== job || this.#state !== 'running') throw new GivenUp();
      if (done) return;
    }
  }
}
