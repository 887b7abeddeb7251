import { describe, expect, it, vi } from 'vitest';
import { MENU_COMMANDS } from '../../contract/app-api';
import { createPinia, setActivePinia } from 'pinia';
import { registerAppCommands } from './app-commands';
import { belongsToControl, chordOf, normaliseChord, showChord } from './keys';
import { rankTitle } from './match';
import { CommandRegistry } from './registry';
import { registerRunCommands } from './run-commands';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) => (
  { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }
);

describe('CommandRegistry', () => {
  it('runs a command only while it is possible, and knows it by its chord', () => {
    const registry = new CommandRegistry();
    const run = vi.fn();
    let possible = false;
    registry.register({ id: 'a', title: 'A', group: 'Run', keys: ['Mod+Shift+s'], when: () => possible, run });
    expect(registry.run('a')).toBe(false);
    expect(run).not.toHaveBeenCalled();
    possible = true;
    expect(registry.forChord('Mod+Shift+S')?.id).toBe('a');
    expect(registry.run('a', 5)).toBe(true);
    expect(run).toHaveBeenCalledWith(5);
  });
  it('refuses a second command of the same id or chord, and an unknown id', () => {
    const registry = new CommandRegistry();
    const off = registry.register({ id: 'a', title: 'A', group: 'Run', keys: ['.'], run: () => {} });
    expect(() => registry.register({ id: 'a', title: 'B', group: 'Run', run: () => {} })).toThrow('registered twice');
    expect(() => registry.register({ id: 'b', title: 'B', group: 'Run', keys: ['.'], run: () => {} })).toThrow('belongs to a');
    expect(() => registry.run('c')).toThrow('no command c');
    off();
    expect(registry.get('a')).toBeUndefined();
    expect(registry.forChord('.')).toBeUndefined();
  });
  it('has every command that the application menu calls', () => {
    setActivePinia(createPinia());
    const registry = new CommandRegistry();
    registerAppCommands(registry);
    registerRunCommands(registry);
    expect(MENU_COMMANDS.filter((id) => !registry.get(id))).toEqual([]);
  });
});

describe('chords', () => {
  it('mean the same however they are written', () => {
    expect(normaliseChord('Shift+Mod+s')).toBe('Mod+Shift+S');
    expect(chordOf(press('S', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+S');
    expect(chordOf(press('s', { metaKey: true }), true)).toBe('Mod+S');
    expect(chordOf(press('?', { shiftKey: true }), false)).toBe('?');
    expect(chordOf(press(' '), false)).toBe('Space');
    expect(showChord('Mod+Shift+S', true)).toBe('⌘⇧S');
    expect(showChord('Mod+K', false)).toBe('Ctrl+K');
  });
  it('belong to the text field or the button that has the focus', () => {
    const input = document.createElement('input');
    const button = document.createElement('button');
    expect(belongsToControl('.', input)).toBe(true);
    expect(belongsToControl('Mod+S', input)).toBe(false);
    expect(belongsToControl('Space', button)).toBe(true);
    expect(belongsToControl('.', button)).toBe(false);
    expect(belongsToControl('Space', document.body)).toBe(false);
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    dialog.append(button);
    expect(belongsToControl('.', button)).toBe(true);
    expect(belongsToControl('Mod+K', button)).toBe(false);
  });
});

describe('rankTitle', () => {
  it('finds words in any order, beginnings first', () => {
    expect(rankTitle('Save as… File', 'file save')).toBe(1);
    expect(rankTitle('Step: one millisecond Run', 'mil')).toBe(1);
    expect(rankTitle('Pause Run', 'save')).toBeUndefined();
    expect(rankTitle('Slower Run', 'slow')!).toBeLessThan(rankTitle('Faster, not slow', 'slow')!);
  });
});
