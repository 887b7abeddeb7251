import { computed, shallowReactive } from 'vue';
import type { Component } from 'vue';
import { normaliseChord } from './keys';

export type CommandGroup = 'Run' | 'File' | 'View' | 'Help';

/** Everything that a user can make the app do has one of these: menu, button, shortcut, palette and tests all call run(id). */
export interface Command {
  /** `run.toggle`; the same as in the application menu. */
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  /** Chords as in `Mod+S`, `Space`, `.`; Mod is Ctrl, on macOS Command. */
  readonly keys?: readonly string[];
  readonly icon?: Component;
  /** Absent: always possible. */
  when?(): boolean;
  run(argument?: unknown): void | Promise<void>;
}

export class CommandRegistry {
  private readonly byId = shallowReactive(new Map<string, Command>());
  private readonly chords = computed(() => {
    const map = new Map<string, Command>();
    for (const command of this.byId.values()) for (const chord of command.keys ?? []) map.set(normaliseChord(chord), command);
    return map;
  });

  /** @throws Error when an id or a chord is already taken by another command. @returns a function that takes them out again. */
  register(...commands: readonly Command[]): () => void {
    for (const command of commands) {
      if (this.byId.has(command.id)) throw new Error(`command ${command.id} is registered twice`);
      for (const chord of command.keys ?? []) {
        const holder = this.chords.value.get(normaliseChord(chord));
        if (holder) throw new Error(`${chord} belongs to ${holder.id} and cannot belong to ${command.id} too`);
      }
      this.byId.set(command.id, command);
    }
    return () => { for (const command of commands) if (this.byId.get(command.id) === command) this.byId.delete(command.id); };
  }

  get(id: string): Command | undefined { return this.byId.get(id); }
  all(): readonly Command[] { return [...this.byId.values()]; }
  forChord(chord: string): Command | undefined { return this.chords.value.get(chord); }

  enabled(id: string): boolean {
    const command = this.byId.get(id);
    return command !== undefined && (command.when?.() ?? true);
  }

  /** Runs it if it is possible now. @returns whether it was. @throws Error on an unknown id. */
  run(id: string, argument?: unknown): boolean {
    const command = this.byId.get(id);
    if (!command) throw new Error(`no command ${id}`);
    if (command.when && !command.when()) return false;
    void command.run(argument);
    return true;
  }
}

/** The app's commands. */
export const commands = new CommandRegistry();
