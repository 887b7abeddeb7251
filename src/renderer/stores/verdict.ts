import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import type { VerdictResult, VerdictStatus } from '../../contract/verdict';
import { armNames } from '../../engine/experiment/arms';
import { useDocument } from './document';
import { useRun } from './run';

/** Wall-clock ms between two looks at how far it is. */
const POLL_MS = 200;
const NOTHING: VerdictStatus = { state: 'empty', runs: 0, done: 0, progress: 0, arm: '' };

/** The claims of the experiment on the bench over all its arms and seeds: how far it is, what came of it. */
export const useVerdict = defineStore('verdict', () => {
  const doc = useDocument();
  const run = useRun();
  const status = shallowRef<VerdictStatus>(NOTHING);
  const result = shallowRef<VerdictResult>();
  const problem = shallowRef('');
  /** Rises with each start: an older poll ends. */
  let turn = 0;

  /** Runs that a verdict takes. */
  const runs = computed(() => (doc.spec ? armNames(doc.spec).length * doc.spec.seeds.length : 0));
  const running = computed(() => status.value.state === 'running');
  /** One run alone is judged as it goes. */
  const possible = computed(() => runs.value > 1 && (doc.spec?.claims.length ?? 0) > 0);

  function reset(): void {
    turn += 1;
    if (running.value) void run.call('judgeCancel').catch(() => undefined);
    status.value = NOTHING;
    result.value = undefined;
    problem.value = '';
  }
  watch(() => doc.opened, reset);

  async function start(): Promise<void> {
    const { spec } = doc;
    if (!spec || !possible.value) return;
    reset();
    const mine = turn;
    try {
      await run.call('judge', JSON.parse(JSON.stringify(spec)) as typeof spec);
      while (mine === turn) {
        const now = await run.call('judgeStatus');
        if (mine !== turn) return;
        status.value = now;
        if (now.state !== 'running') break;
        await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
      }
      if (mine !== turn) return;
      if (status.value.state === 'done') result.value = await run.call('judgeResult') ?? undefined;
      problem.value = status.value.message ?? '';
    } catch (error) {
      if (mine !== turn) return;
      status.value = NOTHING;
      problem.value = error instanceof Error && error.name === 'EngineLostError'
        ? 'The engine was lost while the arms ran. Judge them again.'
        : error instanceof Error ? error.message : String(error);
    }
  }
  async function cancel(): Promise<void> { await run.call('judgeCancel').catch(() => undefined); }

  return { status, result, problem, runs, running, possible, start, cancel };
});
