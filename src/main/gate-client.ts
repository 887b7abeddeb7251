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

export class GateClient {
  readonly #spawn: (events: GateProcessEvents) => GateProcess;
  readonly #mostMs: number;
  #process: GateProcess | undefined;
  #waiting: { id: number; settle: (verdict: GateVerdict) => void } | undefined;
  #lastId = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(spawn: (events: GateProcessEvents) => GateProcess, mostMs = MOST_MS) {
    this.#spawn = spawn;
    this.#mostMs = mostMs;
  }

  /** One text at a time, so that each has the whole time for itself. Never rejects. */
  judge(text: string): Promise<GateVerdict> {
    const verdict = this.#queue.then(() => this.#judgeNow(text));
    this.#queue = verdict;
    return verdict;
  }

  stop(): void {
    this.#process?.kill();
    this.#process = undefined;
  }

  #judgeNow(text: string): Promise<GateVerdict> {
    return new Promise((resolve) => {
      this.#lastId += 1;
      const id = this.#lastId;
      const timer = setTimeout(() => {
        this.stop();
        settle(refusal(`Judging it took longer than ${this.#mostMs / 1000} s; it was given up.`));
      }, this.#mostMs);
      const settle = (verdict: GateVerdict): void => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve(verdict);
      };
      this.#waiting = { id, settle };
      this.#process ??= this.#start();
      this.#process.post({ id, text });
    });
  }

  #start(): GateProcess {
    const started = this.#spawn({
      onMessage: (answer) => {
        if (this.#waiting?.id === answer.id) this.#waiting.settle(answer.verdict);
      },
      onExit: () => {
        if (this.#process !== started) return;
        this.#process = undefined;
        this.#waiting?.settle(refusal('The process that judges files ended while it read it.'));
      },
    });
    return started;
  }
}

function refusal(message: string): GateVerdict {
  return { kind: 'refused', message, problems: [] };
}
