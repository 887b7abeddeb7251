/** Keyboard chords: what is written in a command, what an event means, what is shown to people. */

const MODIFIERS = ['Mod', 'Alt', 'Shift'] as const;

export const isMac = (): boolean => typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');

/** `Shift+Mod+s` → `Mod+Shift+S`: modifiers in one order, letters in capitals. */
export function normaliseChord(chord: string): string {
  const parts = chord === '+' ? ['+'] : chord.split('+');
  const key = parts[parts.length - 1] ?? '';
  const modifiers = MODIFIERS.filter((m) => parts.slice(0, -1).includes(m));
  return [...modifiers, key.length === 1 ? key.toUpperCase() : key].join('+');
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** The chord of a key press. Shift counts only where it does not already make another character (`?`, `[`). */
export function chordOf(event: KeyPress, mac = isMac()): string {
  const key = event.key === ' ' ? 'Space' : event.key;
  const character = key.length === 1;
  const letter = character && key.toLowerCase() !== key.toUpperCase();
  const parts: string[] = [];
  if (mac ? event.metaKey : event.ctrlKey) parts.push('Mod');
  if (event.altKey) parts.push('Alt');
  if (event.shiftKey && (!character || letter)) parts.push('Shift');
  parts.push(key);
  return normaliseChord(parts.join('+'));
}

/** For people: `Ctrl+Shift+S`, on macOS `⇧⌘S`. */
export function showChord(chord: string, mac = isMac()): string {
  if (!mac) return chord.replace('Mod', 'Ctrl');
  return chord.replace('Mod+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥');
}

/** Keys without Ctrl are for typing while a text field has the focus; Space and arrows belong to the control in focus. */
export function belongsToControl(chord: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('[role="dialog"], [role="menu"]') && !chord.startsWith('Mod+')) return true;
  if (chord.startsWith('Mod+') || chord.startsWith('Alt+')) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"]')) return true;
  return (chord === 'Space' || chord === 'Enter') && target.closest('button, a[href], summary') !== null;
}
