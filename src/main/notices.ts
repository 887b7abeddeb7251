/** Messages for the user that arise before a window listens, or apart from any call. */
import type { Notice } from '../contract/app-api';

export class Notices {
  readonly #shown: Notice[] = [];
  #listener: ((notice: Notice) => void) | undefined;

  add(level: Notice['level'], message: string): void {
    const notice: Notice = { id: String(this.#shown.length + 1), level, message };
    this.#shown.push(notice);
    this.#listener?.(notice);
  }

  all(): readonly Notice[] {
    return this.#shown;
  }

  onAdded(listener: (notice: Notice) => void): void {
    this.#listener = listener;
  }
}
