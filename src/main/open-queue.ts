/**
 * Files to open come from the command line, a second start, macOS's open-file and drops, some of them before the window
 * listens. One queue, one file at a time, in the order of arrival.
 */
export interface OpenRequest {
  readonly file: string;
  readonly run: boolean;
}

export class OpenQueue {
  readonly #waiting: OpenRequest[] = [];
  #open: ((request: OpenRequest) => Promise<void>) | undefined;
  #busy: Promise<void> = Promise.resolve();

  push(request: OpenRequest): void {
    if (this.#open === undefined) this.#waiting.push(request);
    else this.#run(this.#open, request);
  }

  /** From now on requests are carried out; those that wait come first. */
  start(open: (request: OpenRequest) => Promise<void>): void {
    this.#open = open;
    for (const request of this.#waiting.splice(0)) this.#run(open, request);
  }

  /** The window is gone (reload, macOS without windows): keep what comes until start() is called again. */
  stop(): void {
    this.#open = undefined;
  }

  /** Resolves when all that was pushed so far has been carried out. */
  settled(): Promise<void> {
    return this.#busy;
  }

  #run(open: (request: OpenRequest) => Promise<void>, request: OpenRequest): void {
    this.#busy = this.#busy.then(() => open(request)).catch((error: unknown) => {
      console.error(`${request.file}: ${String(error)}`);
    });
  }
}
