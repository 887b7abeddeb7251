/**
 * Asks the gate process to judge texts from outside. A text that takes too long ends the process, not the app: the next text gets
 * a new one. Knows no Electron: a process is what the factory makes.
 */
import type { GateAnswer, GateRequest, GateVerdict } from '../contract/host-messages';

export interface GateProcess {
  post(request: GateRequest): void;
  kill(): void;
}

export interface GateProcessEvents {
  readonly onMessage: (answer: GateAnswer) => void;
  readonly onExit: () => void;
}

/** An honest file of the largest size is judged well within this. */
const MOST_MS = 5000;
/** A machine under load takes its time to start a process; that is not the text's fault. */
const START_MS = 30_000;

interface Running {
  readonly process: GateProcess;
  readonly ready: Promise<void>;
}

export class GateClient {
  readonly #spawn: (events: GateProcessEvents) => GateProcess;
  readonly #mostMs: number;
  #running: Running | undefined;
  #settle: ((id: number, verdict: GateVerdict) => void) | undefined;
  #lastId = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(spawn: (events: GateProcessEvents) => GateProcess, mostMs = MOST_MS) {
    this.#spawn = spawn;
    this.#mostMs = mostMs;
  }

  /** Starts the process before the first text comes. */
  warmUp(): void {
    this.#running ??= this.#start();
  }

  /** One text at a time, so that each has the whole time for itself. Never rejects. */
  judge(text: string): Promise<GateVerdict> {
    const verdict = this.#queue.then(() => this.#judgeNow(text));
    this.#queue = verdict;
    return verdict;
  }

  stop(): void {
    this.#running?.process.kill();
    this.#running = undefined;
  }

  #judgeNow(text: string): Promise<GateVerdict> {
    return new Promise((resolve) => {
      this.#lastId += 1;
      const id = this.#lastId;
      const giveUp = (message: string): void => {
        this.stop();
        settle(id, refusal(message));
      };
      let timer = setTimeout(() => giveUp(`The process that judges files did not start within ${START_MS / 1000} s.`), START_MS);
      const settle = (of: number, verdict: GateVerdict): void => {
        if (of !== id) return;
        clearTimeout(timer);
        this.#settle = undefined;
        resolve(verdict);
      };
      this.#settle = settle;
      const running = (this.#running ??= this.#start());
      void running.ready.then(() => {
        if (this.#running !== running) return;
        clearTimeout(timer);
        timer = setTimeout(() => giveUp(`Judging it took longer than ${this.#mostMs / 1000} s; it was given up.`), this.#mostMs);
        running.process.post({ id, text });
      });
    });
  }

  #start(): Running {
    let isReady: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => {
      isReady = resolve;
    });
    const running: Running = {
      ready,
      process: this.#spawn({
        onMessage: (answer) => {
          if (answer.kind === 'ready') isReady();
          else this.#settle?.(answer.id, answer.verdict);
        },
        onExit: () => {
          if (this.#running !== running) return;
          this.#running = undefined;
          this.#settle?.(this.#lastId, refusal('The process that judges files ended while it read it.'));
        },
      }),
    };
    return running;
  }
}

function refusal(message: string): GateVerdict {
  return { kind: 'refused', message, problems: [] };
}
