import { defineStore } from 'pinia';
import { ref, shallowRef, watch } from 'vue';
import type { SlotsOf } from '../../engine/machine';
import { useDocument } from '../stores/document';
import type { Stretch } from './layout';
import { ALL_LISTS } from './lists';

export const ALL_DEVICES = '';

/** What of the cluster map is shown; kept while the card is small, large, or out of sight. */
export const useClusterView = defineStore('cluster-view', () => {
  const doc = useDocument();
  /** Fills the place of the charts. */
  const large = ref(false);
  const asTable = ref(false);
  /** Name of the device; ALL_DEVICES: all of them, one after the other; undefined: the first. */
  const device = ref<string>();
  /** Undefined: all clusters. */
  const stretch = shallowRef<Stretch>();
  /** The cluster whose slots are shown. */
  const chosen = shallowRef<SlotsOf>();
  /** Bits of the lists that are shown. */
  const wanted = ref(ALL_LISTS);

  function toDevice(next: string | undefined): void {
    device.value = next;
    stretch.value = undefined;
    chosen.value = undefined;
  }
  /** Shows this list alone; once more: all of them. */
  function filter(mask: number): void { wanted.value = wanted.value === mask ? ALL_LISTS : mask; }
  watch(() => doc.opened, () => { toDevice(undefined); wanted.value = ALL_LISTS; });

  return { large, asTable, device, stretch, chosen, wanted, toDevice, filter };
});
