/**
 * Arms side by side: the same workload and seed under several kernels or policies, one after the other, in slices beside the run;
 * then the first request for slots at which each parts from the first arm, found by the hash chains and one more run up to there.
 */
import { applyArm } from '../engine/experiment/arms';
import { kernelText } from '../engine/experiment/result';
import type { ExperimentSpec } from '../engine/experiment/spec';
import { CHUNK, partsWithin } from '../engine/kernel/swap/allocation-chain';
import type { AllocationStates } from '../engine/kernel/swap/allocation-chain';
import type { SwapMoment } from '../engine/kernel/swap/moment';
import type { Machine } from '../engine/machine';
import { LEAST_ARMS, MOST_ARMS } from '../contract/compare';
import type { CompareArm, CompareArmResult, CompareRequest, CompareResult, CompareStatus, Parting } from '../contract/compare';
import { checkExperiment } from '../contract/gate';
import { GivenUp, runBeside, type SideNeeds } from './side-run';
import { SliceBudget } from './slice-budget';

/** Buckets that a result keeps a column. */
const POINTS = 512;

interface Job {
  readonly title: string;
  readonly seed: number;
  readonly arms: readonly { readonly name: string; readonly spec: ExperimentSpec }[];
  readonly progress: number[];
  readonly states: ('waiting' | 'running' | 'done' | 'failed')[];
}

export class Comparison {
  readonly #needs: SideNeeds;
  readonly #budget = new SliceBudget();
  #job: Job | undefined;
  #state: CompareStatus['state'] = 'empty';
  #phase: CompareStatus['phase'] = 'arms';
  #message: string | undefined;
  #result: CompareResult | undefined;

  constructor(needs: SideNeeds) {
    this.#needs = needs;
  }

  /** @throws Error when there are too few or too many arms, or one cannot be built */
  start(request: CompareRequest): void {
    const { arms, seed } = request;
    if (arms.length < LEAST_ARMS || arms.length > MOST_ARMS) {
      throw new Error(`${LEAST_ARMS} to ${MOST_ARMS} arms can stand side by side.`);
    }
    if (new Set(arms.map((arm) => arm.name)).size < arms.length) throw new Error('Each arm needs a name of its own.');
    const job: Job = {
      title: request.spec.title, seed, arms: arms.map((arm) => ({ name: arm.name, spec: specOf(request.spec, arm) })),
      progress: arms.map(() => 0), states: arms.map(() => 'waiting' as const),
    };
    this.#job = job;
    this.#state = 'running';
    this.#phase = 'arms';
    this.#message = undefined;
    this.#result = undefined;
    void this.#run(job).catch((error: unknown) => {
      if (error instanceof GivenUp || this.#job !== job) return;
      this.#state = 'failed';
      this.#message = error instanceof Error ? error.message : String(error);
    });
  }

  cancel(): void {
    if (this.#state !== 'running') return;
    this.#state = 'cancelled';
  }

  status(): CompareStatus {
    const job = this.#job;
    return {
      state: this.#state, phase: this.#phase,
      arms: job?.arms.map(({ name }, i) => ({ name, state: job.states[i] ?? 'waiting', progress: job.progress[i] ?? 0 })) ?? [],
      ...(this.#message === undefined ? {} : { message: this.#message }),
    };
  }

  result(): CompareResult | undefined {
    return this.#state === 'done' ? this.#result : undefined;
  }

  async #run(job: Job): Promise<void> {
    const results: CompareArmResult[] = [];
    const chains: AllocationStates[] = [];
    for (const [i, { name, spec }] of job.arms.entries()) {
      job.states[i] = 'running';
      const machine = this.#needs.createMachine(spec, job.seed);
      machine.requests();
      await this.#advance(job, machine, () => {
        job.progress[i] = Math.min(1, machine.operations() / Math.max(1, machine.estimatedOperations));
        return false;
      });
      job.progress[i] = 1;
      job.states[i] = machine.failure() === undefined ? 'done' : 'failed';
      const chain = machine.requests();
      chains.push(chain);
      results.push(resultOf(name, machine, chain));
    }
    this.#phase = 'parting';
    const partings: Parting[] = [];
    for (let i = 1; i < job.arms.length; i++) partings.push(await this.#parting(job, i, chains));
    if (this.#job !== job) return;
    this.#result = { title: job.title, seed: job.seed, arms: results, partings };
    this.#state = 'done';
  }

  async #parting(job: Job, number: number, chains: readonly AllocationStates[]): Promise<Parting> {
    const [first] = job.arms;
    const other = job.arms[number];
    const [a] = chains;
    const b = chains[number];
    if (first === undefined || other === undefined || a === undefined || b === undefined) throw new Error('an arm is missing');
    const from = partsWithin(a, b);
    if (from < 0) return { name: other.name, request: -1 };
    const ours = await this.#stretch(job, first.spec, from);
    const theirs = await this.#stretch(job, other.spec, from);
    let at = 0;
    while (at < ours.length && at < theirs.length && same(ours[at], theirs[at])) at++;
    return { name: other.name, request: from + at, first: ours[at], other: theirs[at] };
  }

  /** The CHUNK requests from number `from` on, by one more run up to there. */
  async #stretch(job: Job, spec: ExperimentSpec, from: number): Promise<readonly SwapMoment[]> {
    const machine = this.#needs.createMachine(spec, job.seed);
    machine.keepRequests(from, from + CHUNK);
    await this.#advance(job, machine, () => machine.keptRequests().length >= CHUNK);
    return machine.keptRequests();
  }

  #advance(job: Job, machine: Machine, enough: () => boolean): Promise<void> {
    return runBeside(this.#needs, this.#budget, machine, () => this.#job === job && this.#state === 'running', enough);
  }
}

const same = (a: SwapMoment | undefined, b: SwapMoment | undefined): boolean =>
  a?.cpu === b?.cpu && a?.order === b?.order && a?.type === b?.type && a?.offset === b?.offset;

/** The experiment as this arm runs it, through the gate. @throws Error naming the arm */
function specOf(spec: ExperimentSpec, arm: CompareArm): ExperimentSpec {
  const armed = arm.arm === undefined ? ({ ok: true, spec } as const) : applyArm(spec, arm.arm);
  if (!armed.ok) throw new Error(`${arm.name}: ${armed.problem}`);
  const outcome = checkExperiment({ ...armed.spec, arms: [], claims: [], ...(arm.kernel === undefined ? {} : { kernel: arm.kernel }) });
  if (!outcome.ok) throw new Error(`${arm.name}: ${[outcome.message, ...outcome.problems.slice(1, 3)].join(' ')}`);
  return outcome.spec;
}

function resultOf(name: string, machine: Machine, chain: AllocationStates): CompareArmResult {
  const failure = machine.failure();
  return {
    name, kernel: kernelText(machine.spec.kernel), ...(failure === undefined ? {} : { failure }),
    digest: machine.digest(), operations: machine.operations(), elapsed: machine.now(), requests: chain.count,
    metrics: machine.measure(), series: machine.series(machine.columns(), POINTS),
  };
}
