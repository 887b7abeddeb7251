import type { Component } from 'vue';
import { FlaskConical, LayoutGrid, Library } from '@lucide/vue';
import type { ScreenId } from '../stores/navigation';

/** A place in the navigation rail, and the component that fills the window when it is chosen. */
export interface ScreenEntry { readonly id: ScreenId; readonly title: string; readonly icon?: Component; readonly component: Component }

// Each folder brings its screen; a folder that is not there takes its place in the rail with it.
const found = import.meta.glob<{ default: Component }>('../{gallery,library,wizard,run}/*Screen.vue', { eager: true });
const componentOf = (folder: string): Component | undefined => (
  Object.entries(found).find(([path]) => path.startsWith(`../${folder}/`))?.[1].default
);

const PLACES: readonly Omit<ScreenEntry, 'component'>[] = [
  { id: 'gallery', title: 'Gallery', icon: LayoutGrid },
  { id: 'library', title: 'Library', icon: Library },
  { id: 'run', title: 'Run', icon: FlaskConical },
  // Reached by a command, not by the rail.
  { id: 'wizard', title: 'New experiment' },
];

export const SCREENS: readonly ScreenEntry[] = PLACES.flatMap((place) => {
  const component = componentOf(place.id);
  return component ? [{ ...place, component }] : [];
});
