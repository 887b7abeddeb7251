/** What the script needs of a running program; src/engine/workload has the programs themselves. */
import type { ProgramSpec } from '../experiment/spec';
import type { ProcessView } from '../kernel/memory/types';

export interface RunningProgram {
  readonly spec: ProgramSpec;
  readonly process: ProcessView;
}

/** Starts a program at `at` (simulated ns); it joins the timeline by itself. @throws KernelError ENOENT: no such cgroup */
export type StartProgram = (spec: ProgramSpec, at: number) => RunningProgram;
