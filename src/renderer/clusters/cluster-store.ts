import { defineStore } from 'pinia';
import { ref, shallowRef, watch } from 'vue';
import { useDocument } from '../stores/document';
import type { Stretch } from './layout';
import { ALL_LISTS } from './lists';

/** What of the cluster map is shown; kept while the card is small, large, or out of sight. */
export const useClusterView = defineStore('cluster-view', () => {
  const doc = useDocument();
  /** Fills the place of the charts. */
  const large = ref(false);
  const asTable = ref(false);
  /** Swap type; -1: the first device. */
  const type = ref(-1);
  /** Undefined: all clusters. */
  const stretch = shallowRef<Stretch>();
  /** The cluster whose slots are shown. */
  const chosen = ref<number>();
  /** Bits of the lists that are shown. */
  const wanted = ref(ALL_LISTS);

  function toDevice(next: number): void {
    type.value = next;
    stretch.value = undefined;
    chosen.value = undefined;
  }
  /** Shows this list alone; once more: all of them. */
  function filter(mask: number): void { wanted.value = wanted.value === mask ? ALL_LISTS : mask; }
  watch(() => doc.opened, () => { toDevice(-1); wanted.value = ALL_LISTS; });

  return { large, asTable, type, stretch, chosen, wanted, toDevice, filter };
});
