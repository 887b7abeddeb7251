import { defineStore } from 'pinia';
import { ref } from 'vue';

export type ScreenId = 'gallery' | 'library' | 'wizard' | 'run' | 'kernels' | 'compare';

export type BottomTab = 'log' | 'script' | 'events' | 'counters' | 'programs' | 'output' | 'mthp' | 'allocation';

/** Which screen is shown, and which of the window's own dialogs are open. */
export const useNavigation = defineStore('navigation', () => {
  const screen = ref<ScreenId>('gallery');
  const paletteOpen = ref(false);
  const keysOpen = ref(false);
  const aboutOpen = ref(false);
  /** Tab of the run screen's bottom panel. */
  const bottomTab = ref<BottomTab>('log');

  function go(to: ScreenId): void { screen.value = to; }
  return { screen, bottomTab, paletteOpen, keysOpen, aboutOpen, go };
});
