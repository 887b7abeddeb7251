/** A machine that is run to its end, or as far as it is needed, beside the one on the bench: for comparisons and verdicts. */
import type { Machine } from '../engine/machine';
import type { RunDependencies } from './run-controller';
import type { SliceBudget } from './slice-budget';

export type SideNeeds = Pick<RunDependencies, 'createMachine' | 'now' | 'schedule'>;

/** Another job began, or this one was cancelled. */
export class GivenUp extends Error {}

/**
 * In slices until the machine is done or `enough` says so; it is asked after each slice. Messages are answered in between.
 * @param wanted false: the job is not wanted any more
 * @throws GivenUp
 */
export async function runBeside(
  needs: SideNeeds, budget: SliceBudget, machine: Machine, wanted: () => boolean, enough: () => boolean,
): Promise<void> {
  for (;;) {
    const began = needs.now();
    const { operations, done } = machine.advance(Number.MAX_SAFE_INTEGER, budget.operations);
    budget.learn(operations, needs.now() - began);
    const ended = enough() || done;
    // After the last slice too: many short runs must not keep messages and the heartbeat waiting.
    await new Promise<void>((resolve) => needs.schedule(resolve, 0));
    if (!wanted()) throw new GivenUp();
    if (ended) return;
  }
}
