/** Starts programs: what a program's name in an experiment does. */
import type { ForkStep, ProgramSpec } from '../experiment/spec';
import type { Memory } from '../kernel/memory/memory';
import type { Process } from '../kernel/memory/process';
import type { ProcessView } from '../kernel/memory/types';
import { Random } from '../simulation/random';
import { ProgramActor, type ProgramListener, type Work } from './program';
import { RandomAccess } from './random-access';
import { smallPagesOf, ThpSwapAllocatorTest } from './thp-swap-allocator-test';
import { TouchAll } from './touch-all';

/** What a program finds around it. */
export interface ProgramHost extends ProgramListener {
  readonly memory: Memory;
  readonly seed: number;
}

const workOf = (spec: ProgramSpec, name: string, process: Process, host: ProgramHost): Work => {
  const { memory } = host;
  switch (spec.program) {
    case 'random_access': {
      if (spec.access === undefined) throw new Error(`${name}: random_access without access`);
      return new RandomAccess(process, memory, spec.access, Random.stream(host.seed, `program ${name}`));
    }
    case 'thp_swap_allocator_test':
      return new ThpSwapAllocatorTest(process, memory, spec.size_pages, spec.churn ?? {}, host);
    case 'memhog':
    case 'usemem':
    case 'hog':
      return new TouchAll(process, memory);
  }
};

/** Starts one task at `at` (simulated ns) under a name of its own. @throws KernelError ENOENT: no such cgroup */
export const startProgram = (spec: ProgramSpec, name: string, cpu: number, at: number, host: ProgramHost): ProcessView => {
  const { memory } = host;
  const small = spec.program === 'thp_swap_allocator_test' ? smallPagesOf(spec.size_pages, spec.churn) : 0;
  const process = memory.spawn({
    name,
    sizePages: spec.size_pages + small,
    ...(small > 0 ? { smallFoliosFrom: spec.size_pages } : {}),
    fill: spec.fill,
    program: spec.program,
    memcg: memory.memcg(spec.cgroup ?? '/'),
    cpu,
  });
  new ProgramActor(process, memory, workOf(spec, name, process, host), spec, at, host).join();
  return process;
};

/** A child that only holds what it was given. */
const IDLE: Work = { operation: () => false };

/** fork(2) of a task at `at` (simulated ns). @throws KernelError ESRCH, ENOMEM */
export const forkProgram = (parent: ProcessView, step: ForkStep, at: number, host: ProgramHost): ProcessView => {
  const { memory } = host;
  const child = memory.fork(parent, { name: step.as, cpu: step.cpu ?? 0 });
  const work = step.touch === undefined ? IDLE : new TouchAll(child, memory, step.touch === 'write');
  new ProgramActor(child, memory, work, step, at, host).join();
  return child;
};
