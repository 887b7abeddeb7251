import { defineStore } from 'pinia';
import { computed, reactive } from 'vue';
import { useCompare } from './compare-store';
import { metricRows } from './metric-rows';
import type { RowChoice } from './metric-rows';

/** Which rows of the table of metrics are shown; the same go into the file. */
export const useMetricChoice = defineStore('compare-metrics', () => {
  const compare = useCompare();
  const choice = reactive<{ -readonly [K in keyof RowChoice]: RowChoice[K] }>({ search: '', alike: false, sort: 'difference' });
  const rows = computed(() => (compare.result ? metricRows(compare.result, choice) : []));
  return { choice, rows };
});
