/** Unsaved changes when the window is to close: save, throw away, or stay. Knows no Electron. */
export type CloseAnswer = 'save' | 'discard' | 'stay';

export interface CloseQuestionOptions {
  readonly ask: (title: string) => Promise<CloseAnswer>;
  /** Tells the window to save; it answers through saved(). */
  readonly requestSave: () => void;
}

export class CloseQuestion {
  readonly #options: CloseQuestionOptions;
  #unsaved = false;
  #title = '';
  #waiting: ((saved: boolean) => void) | undefined;

  constructor(options: CloseQuestionOptions) {
    this.#options = options;
  }

  get title(): string {
    return this.#title;
  }

  get unsaved(): boolean {
    return this.#unsaved;
  }

  setState(state: { unsaved: boolean; title: string }): void {
    this.#unsaved = state.unsaved;
    this.#title = state.title;
  }

  /** The window's answer to requestSave(). */
  saved(saved: boolean): void {
    this.#waiting?.(saved);
    this.#waiting = undefined;
  }

  /** The window is gone (crashed): nothing can be saved by it any more. */
  abandon(): void {
    this.#unsaved = false;
    this.saved(true);
  }

  /** @returns true: close. */
  async mayClose(): Promise<boolean> {
    if (!this.#unsaved) return true;
    const answer = await this.#options.ask(this.#title);
    if (answer !== 'save') return answer === 'discard';
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#options.requestSave();
    });
  }
}
