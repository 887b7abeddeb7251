import type { Component } from 'vue';
import { Cpu, FlaskConical, GitCompareArrows, LayoutGrid, Library } from '@lucide/vue';
import CompareScreen from '../compare/CompareScreen.vue';
import GalleryScreen from '../gallery/GalleryScreen.vue';
import KernelsScreen from '../kernels/KernelsScreen.vue';
import LibraryScreen from '../library/LibraryScreen.vue';
import RunScreen from '../run/RunScreen.vue';
import WizardScreen from '../wizard/WizardScreen.vue';
import type { ScreenId } from '../stores/navigation';

/** A screen: what fills the window, and its place in the navigation rail (none without an icon: it is reached by a command). */
export interface ScreenEntry { readonly id: ScreenId; readonly title: string; readonly icon?: Component; readonly component: Component }

export const SCREENS: readonly ScreenEntry[] = [
  { id: 'gallery', title: 'Gallery', icon: LayoutGrid, component: GalleryScreen },
  { id: 'library', title: 'Library', icon: Library, component: LibraryScreen },
  { id: 'run', title: 'Run', icon: FlaskConical, component: RunScreen },
  { id: 'compare', title: 'Compare', icon: GitCompareArrows, component: CompareScreen },
  { id: 'kernels', title: 'Kernels', icon: Cpu, component: KernelsScreen },
  { id: 'wizard', title: 'New experiment', component: WizardScreen },
];
