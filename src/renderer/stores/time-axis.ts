import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

/** A stretch of simulated time in ns. */
export interface TimeWindow { readonly from: number; readonly to: number }

/**
 * The one time axis of all charts: what stretch is shown, and where the cursor stands. While a stretch is chosen, or the pointer
 * drags, the view does not follow the run.
 */
export const useTimeAxis = defineStore('time-axis', () => {
  /** Recorded time and the length of a bucket, as of the last frame. */
  const recorded = shallowRef<TimeWindow>({ from: 0, to: 0 });
  const bucketNs = ref(1);
  /** Chosen by zooming; undefined: all of recorded time, growing with the run. */
  const chosen = shallowRef<TimeWindow>();
  /** Where the pointer is, and where the cursor was pinned (by a click or by keys). */
  const hover = ref<number>();
  const pinned = ref<number>();
  const dragging = ref(false);

  const zoomed = computed(() => chosen.value !== undefined);
  const shown = computed<TimeWindow>(() => chosen.value ?? recorded.value);
  const cursor = computed(() => hover.value ?? pinned.value);
  const lookingBack = computed(() => pinned.value !== undefined);

  function follow(from: number, to: number, bucket: number): void {
    if (dragging.value) return;
    if (recorded.value.from !== from || recorded.value.to !== to) recorded.value = { from, to };
    bucketNs.value = bucket;
    if (pinned.value !== undefined && pinned.value > to) pinned.value = undefined;
    if (chosen.value && chosen.value.from >= to) chosen.value = undefined;
  }
  /** Shows this stretch; nearly all of recorded time, or nothing, means all. */
  function zoom(to: TimeWindow | undefined): void {
    const whole = recorded.value;
    if (!to || to.to <= to.from || (to.from <= whole.from && to.to >= whole.to)) { chosen.value = undefined; return; }
    const least = Math.max(4 * bucketNs.value, 1);
    const width = Math.max(least, to.to - to.from);
    const from = Math.max(whole.from, Math.min(to.from, whole.to - width));
    chosen.value = { from, to: Math.min(whole.to, from + width) };
  }
  function showAll(): void { chosen.value = undefined; }
  function pin(at: number | undefined): void { pinned.value = at; }
  /** One recorded bucket back. */
  function back(): void {
    const at = pinned.value ?? recorded.value.to;
    pinned.value = Math.max(recorded.value.from, at - bucketNs.value);
  }
  /** One recorded bucket forward; at the end the cursor lets go and the view is live again. */
  function forward(): void {
    if (pinned.value === undefined) return;
    const next = pinned.value + bucketNs.value;
    pinned.value = next >= recorded.value.to ? undefined : next;
  }
  return { recorded, bucketNs, chosen, hover, pinned, dragging, zoomed, shown, cursor, lookingBack, follow, zoom, showAll, pin, back, forward };
});
