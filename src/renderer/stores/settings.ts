import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import { DEFAULT_SETTINGS } from '../../contract/settings';
import type { Settings } from '../../contract/settings';

/** The settings that main keeps, and the theme that follows from them. */
export const useSettings = defineStore('settings', () => {
  const values = ref<Settings>({ ...DEFAULT_SETTINGS });
  const systemDark = ref(false);
  const dark = computed(() => (values.value.theme === 'system' ? systemDark.value : values.value.theme === 'dark'));

  /** Reads them once and follows later changes, those of the system's theme too. */
  async function start(): Promise<void> {
    const query = window.matchMedia('(prefers-color-scheme: dark)');
    systemDark.value = query.matches;
    query.addEventListener('change', (event) => { systemDark.value = event.matches; });
    watch(() => values.value.theme, (theme) => {
      if (theme === 'system') delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
    }, { immediate: true });
    window.swaplab.settings.onChanged((settings) => { values.value = settings; });
    values.value = await window.swaplab.settings.get();
  }
  /** Shown at once; main keeps it. */
  async function set(patch: Partial<Settings>): Promise<void> {
    values.value = { ...values.value, ...patch };
    values.value = await window.swaplab.settings.set(patch);
  }
  return { values, dark, start, set };
});
