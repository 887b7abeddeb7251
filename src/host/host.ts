/** What an engine process does, whatever process it is: answers main, serves one window at a time, recovers. */
import { createMachine } from '../engine/create-machine';
import type { FromEngine, ToEngine } from '../contract/host-messages';
import { RunController } from './run-controller';
import { WindowLink, type HostPort } from './window-link';

export interface HostControl {
  send(message: FromEngine): void;
}

export class Host {
  readonly #control: HostControl;
  readonly #controller: RunController;
  #window: WindowLink | undefined;

  constructor(control: HostControl) {
    this.#control = control;
    this.#controller = new RunController({
      createMachine,
      now: () => performance.now(),
      schedule,
      bytes: () => process.memoryUsage().rss,
      journal: (entry) => control.send({ kind: 'journal', entry }),
    });
  }

  /** A message of the main process; `port` came with it when it is for a window. */
  receive(message: ToEngine, port: HostPort | undefined): void {
    switch (message.kind) {
      case 'ping':
        this.#control.send({ kind: 'pong', id: message.id });
        return;
      case 'port':
        this.#window?.close();
        if (port !== undefined) {
          const controller = this.#controller;
          this.#window = new WindowLink({ port, generation: message.generation, controller, now: () => performance.now(), schedule });
        }
        return;
      case 'recover':
        void this.#controller.recover(message.journal).then((recovery) => {
          if (recovery.ok) this.#control.send({ kind: 'recovered', at: recovery.at, digestMatches: recovery.digestMatches });
          else this.#control.send({ kind: 'recovery-failed', message: recovery.message });
        });
        return;
    }
  }
}

/** setImmediate lets waiting messages go first; a delay of 0 by setTimeout would cost a millisecond each time. */
function schedule(callback: () => void, delayMs: number): () => void {
  if (delayMs <= 0) {
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  }
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
