/** What the script needs of running programs; src/engine/workload has the programs themselves. */
import type { ForkStep, ProgramSpec } from '../experiment/spec';
import type { ProcessView } from '../kernel/memory/types';

/** A program with all its copies. */
export interface RunningProgram {
  readonly spec: ProgramSpec;
  /** One, or one a copy. */
  readonly tasks: readonly ProcessView[];
}

/** Starts a program at `at` (simulated ns); its tasks join the timeline by themselves. @throws KernelError ENOENT: no such cgroup */
export type StartProgram = (spec: ProgramSpec, at: number) => RunningProgram;

/** A child of a program that runs. @throws KernelError ESRCH, ENOMEM */
export type ForkProgram = (parent: RunningProgram, step: ForkStep, at: number) => RunningProgram;

const isOver = ({ state }: ProcessView): boolean => state === 'ended' || state === 'killed';

/** Have all tasks ended, by exit or by a kill? */
export const over = ({ tasks }: RunningProgram): boolean => tasks.every(isOver);

/** Have all tasks come as far as this? A task that has ended has. `gone`: pid of one that is being killed. */
export const reached = ({ tasks }: RunningProgram, until: 'touched' | 'done' | 'ended', gone = -1): boolean => tasks.every((task) => (
  task.pid === gone || isOver(task)
  || (until === 'touched' && task.touchedPages >= task.sizePages)
  || (until === 'done' && task.state === 'holding')
));
