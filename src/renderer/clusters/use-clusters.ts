import { computed, onBeforeUnmount, ref, shallowRef, watch } from 'vue';
import type { ComputedRef } from 'vue';
import type { ClusterQuery } from '../../engine/machine';
import { useRun } from '../stores/run';
import { useTimeAxis } from '../stores/time-axis';
import { applyAnswer } from './held';
import type { HeldMap } from './held';

/**
 * The clusters that a query asks for: live with the frames, or as recorded where the time cursor stands. Both come whole once and then
 * as changes. Of answers about the past only the newest question's counts, and only one is under way at a time.
 */
export function useClusters(query: ComputedRef<ClusterQuery | undefined>): {
  readonly map: ComputedRef<HeldMap | undefined>;
  /** Looking back. */
  readonly recorded: ComputedRef<boolean>;
} {
  const run = useRun();
  const axis = useTimeAxis();
  const at = computed(() => (axis.cursor !== undefined && axis.cursor < run.now ? axis.cursor : undefined));

  const live = shallowRef<HeldMap>();
  /** Rises with each question; what an older one is answered does not count any more. */
  let turn = 0;
  async function follow(): Promise<void> {
    turn += 1;
    const mine = turn;
    if (!run.alive || !query.value) return;
    try {
      const answer = await run.watchClusters(query.value);
      if (mine === turn && answer) live.value = answer;
    } catch {
      // The engine went away; its successor is asked when it is there.
    }
  }
  watch([query, () => run.info, () => run.engine.generation, () => run.alive], () => void follow(), { immediate: true });
  watch(() => run.frame, (frame) => {
    if (!frame?.clusters) { if (!frame) live.value = undefined; return; }
    const next = applyAnswer(live.value, frame.clusters);
    if (next) live.value = next; else void follow();
  }, { flush: 'sync' });
  onBeforeUnmount(() => {
    turn += 1;
    if (run.alive) void run.watchClusters(null).catch(() => undefined);
  });

  const past = shallowRef<HeldMap>();
  const asked = ref(false);
  let busy = false;
  let again = false;
  async function ask(): Promise<void> {
    if (at.value === undefined || !query.value || !run.alive) return;
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await run.clusters({ ...query.value, at: at.value, ...(past.value ? { since: past.value.id } : {}) });
      if (at.value === undefined) return;
      const next = applyAnswer(past.value, answer);
      past.value = next;
      if (next) asked.value = true; else again = true;
    } catch {
      past.value = undefined;
    } finally {
      busy = false;
      if (again) { again = false; void ask(); }
    }
  }
  watch([at, query, () => run.info, () => run.alive], () => {
    if (at.value === undefined) { past.value = undefined; asked.value = false; }
    void ask();
  }, { immediate: true });

  const recorded = computed(() => at.value !== undefined && asked.value);
  return { map: computed(() => (recorded.value ? past.value : live.value)), recorded };
}
