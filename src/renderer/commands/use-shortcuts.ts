import { onBeforeUnmount, onMounted } from 'vue';
import { commands } from './registry';
import { belongsToControl, chordOf } from './keys';

/** Listens for the chords of all commands while the component lives. */
export function useShortcuts(): void {
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || (event.repeat && event.key === ' ')) return;
    const chord = chordOf(event);
    const command = commands.forChord(chord);
    if (!command || belongsToControl(chord, event.target)) return;
    if (commands.run(command.id)) event.preventDefault();
  };
  onMounted(() => { window.addEventListener('keydown', listen); });
  onBeforeUnmount(() => { window.removeEventListener('keydown', listen); });
}
