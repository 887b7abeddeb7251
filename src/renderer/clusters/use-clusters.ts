import { computed, onBeforeUnmount, ref, shallowRef, watch } from 'vue';
import type { ComputedRef, ShallowRef } from 'vue';
import type { ClusterMap, ClusterQuery } from '../../engine/machine';
import { useRun } from '../stores/run';
import { useTimeAxis } from '../stores/time-axis';

/**
 * The clusters that a query asks for: live with the frames, or as recorded where the time cursor stands. Of answers about the past
 * only the newest question's counts, and only one is under way at a time.
 */
export function useClusters(query: ComputedRef<ClusterQuery | undefined>): {
  readonly map: ComputedRef<ClusterMap | undefined>;
  /** Looking back, and nothing was recorded there. */
  readonly missing: ComputedRef<boolean>;
} {
  const run = useRun();
  const axis = useTimeAxis();
  const at = computed(() => (axis.cursor !== undefined && axis.cursor < run.now ? axis.cursor : undefined));

  const live: ShallowRef<ClusterMap | undefined> = shallowRef();
  watch(() => run.frame, (frame) => { live.value = frame?.clusters; }, { immediate: true });
  watch([query, () => run.info, () => run.engine.generation, () => run.alive], () => {
    if (run.alive && query.value) run.watchClusters(query.value);
  }, { immediate: true });
  onBeforeUnmount(() => { run.watchClusters(null); });

  const past = shallowRef<ClusterMap | null>(null);
  const asked = ref(false);
  let busy = false;
  let again = false;
  async function ask(): Promise<void> {
    if (at.value === undefined || !query.value || !run.alive) return;
    if (busy) { again = true; return; }
    busy = true;
    try {
      past.value = await run.clusters({ ...query.value, at: at.value });
      asked.value = true;
    } catch {
      // The engine went away; its successor is asked when it is there.
      past.value = null;
    } finally {
      busy = false;
      if (again) { again = false; void ask(); }
    }
  }
  watch([at, query, () => run.info], () => {
    if (at.value === undefined) { past.value = null; asked.value = false; }
    void ask();
  }, { immediate: true });

  const lookingBack = computed(() => at.value !== undefined && asked.value);
  return {
    map: computed(() => (lookingBack.value ? past.value ?? undefined : live.value)),
    missing: computed(() => lookingBack.value && past.value === null),
  };
}
