/** Where a command writes, so that tests can listen. Texts end with their own newline. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** stderr is a terminal: progress may rewrite its line. */
  readonly terminal: boolean;
  /** Milliseconds since some fixed moment, for progress and speed only. */
  clock(): number;
}

/** Bad input or usage: one clear message on stderr, exit code 2. */
export class UsageError extends Error {
  constructor(message: string, readonly details: readonly string[] = []) {
    super(message);
    this.name = 'UsageError';
  }
}

export const EXIT = { ok: 0, notHeld: 1, usage: 2 } as const;
