import { defineStore } from 'pinia';
import { computed, reactive, ref, shallowRef, watch } from 'vue';
import type { SwapGoal, SwapMoment } from '../../engine/kernel/swap/moment';
import { useNavigation } from '../stores/navigation';
import { useRun } from '../stores/run';

const ANY = -1;

/** Where to stop. ANY, undefined: whatever (default priorities are negative, so there -1 means -1). */
export interface Breakpoint {
  type: number;
  order: number;
  cluster?: number;
  priority?: number;
}

/** Single requests and frees of the run: what was run to last, and the breakpoint. */
export const useAllocation = defineStore('allocation', () => {
  const run = useRun();
  const navigation = useNavigation();

  const moment = shallowRef<SwapMoment>();
  /** Of the same page operation, after this one. */
  const left = ref(0);
  const seeking = ref(false);
  /** Why there is nothing to show. */
  const missed = ref('');
  const breakpoint = reactive<Breakpoint>({ type: ANY, order: ANY });

  const canSeek = computed(() => run.canGo && !seeking.value);
  const conditions = computed<Omit<SwapGoal, 'kind'>>(() => ({
    ...(breakpoint.type === ANY ? {} : { type: breakpoint.type }), ...(breakpoint.order === ANY ? {} : { order: breakpoint.order }),
    ...(breakpoint.cluster === undefined ? {} : { cluster: breakpoint.cluster }),
    ...(breakpoint.priority === undefined ? {} : { priority: breakpoint.priority }),
  }));
  const hasBreakpoint = computed(() => Object.keys(conditions.value).length > 0);

  async function seek(goal: SwapGoal): Promise<void> {
    navigation.bottomTab = 'allocation';
    seeking.value = true;
    missed.value = '';
    try {
      const answer = await run.call('seek', goal);
      moment.value = answer.moment ?? undefined;
      left.value = answer.left;
      if (!answer.moment) missed.value = 'The run went on to where it stands without one.';
    } catch (error) {
      moment.value = undefined;
      missed.value = error instanceof Error ? error.message : String(error);
    } finally {
      seeking.value = false;
    }
  }
  const seekBreakpoint = (): Promise<void> => seek({ kind: 'any', ...conditions.value });
  function clearBreakpoint(): void { Object.assign(breakpoint, { type: ANY, order: ANY, cluster: undefined, priority: undefined }); }

  // What was run to is past as soon as the run goes on by itself, and gone with another run.
  watch(() => [run.info, run.running] as const, ([info, running], [before]) => {
    if (info !== before || (running && !seeking.value)) { moment.value = undefined; left.value = 0; missed.value = ''; }
  });

  return { moment, left, seeking, missed, breakpoint, canSeek, hasBreakpoint, seek, seekBreakpoint, clearBreakpoint };
});
