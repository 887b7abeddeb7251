import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { LEAST_ARMS, MOST_ARMS } from '../../contract/compare';
import type { CompareArm, CompareResult, CompareStatus } from '../../contract/compare';
import { useDocument } from '../stores/document';
import { useRun } from '../stores/run';
import { firstChoice } from './choices';

/** Wall-clock ms between two looks at how far a comparison is. */
const POLL_MS = 200;
const NOTHING: CompareStatus = { state: 'empty', phase: 'arms', arms: [] };

/** Arms side by side: what is chosen, how far it is, what came of it. */
export const useCompare = defineStore('compare', () => {
  const doc = useDocument();
  const run = useRun();

  const arms = shallowRef<readonly CompareArm[]>([]);
  const seed = ref(1);
  const status = shallowRef<CompareStatus>(NOTHING);
  const result = shallowRef<CompareResult>();
  /** Why it could not begin, or was lost; one sentence. */
  const problem = ref('');
  /** Rises with each start and cancel: an older poll ends. */
  let turn = 0;

  const running = computed(() => status.value.state === 'running');
  const canStart = computed(() => (
    doc.spec !== undefined && run.engine.state === 'ready' && !running.value && arms.value.length >= LEAST_ARMS && arms.value.length <= MOST_ARMS
  ));
  const full = computed(() => arms.value.length >= MOST_ARMS);

  function reset(): void {
    turn += 1;
    if (running.value) void run.call('compareCancel').catch(() => undefined);
    arms.value = doc.spec ? firstChoice(doc.spec, MOST_ARMS) : [];
    seed.value = doc.spec?.seeds[0] ?? 1;
    status.value = NOTHING;
    result.value = undefined;
    problem.value = '';
  }
  watch(() => doc.opened, reset, { immediate: true });

  function add(arm: CompareArm): void {
    if (!full.value && !arms.value.some((chosen) => chosen.name === arm.name)) arms.value = [...arms.value, arm];
  }
  function remove(name: string): void { arms.value = arms.value.filter((arm) => arm.name !== name); }

  async function start(): Promise<void> {
    const { current } = doc;
    if (!current) return;
    turn += 1;
    const mine = turn;
    problem.value = '';
    result.value = undefined;
    try {
      const request = { spec: current, arms: arms.value, seed: seed.value };
      await run.call('compare', JSON.parse(JSON.stringify(request)) as typeof request);
      while (mine === turn) {
        status.value = await run.call('compareStatus');
        if (status.value.state !== 'running') break;
        await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
      }
      if (mine === turn && status.value.state === 'done') result.value = await run.call('compareResult') ?? undefined;
    } catch (error) {
      if (mine !== turn) return;
      status.value = NOTHING;
      problem.value = error instanceof Error && error.name === 'EngineLostError'
        ? 'The engine was lost while the arms ran. Start the comparison again.'
        : error instanceof Error ? error.message : String(error);
    }
  }
  async function cancel(): Promise<void> {
    if (running.value) await run.call('compareCancel').catch(() => undefined);
  }

  return { arms, seed, status, result, problem, running, canStart, full, add, remove, start, cancel };
});
