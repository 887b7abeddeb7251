/** The window's end of the engine process: calls by birpc, frames against credit, over any port that can post and listen. */
import { createBirpc } from 'birpc';
import type { CreditMessage, EngineApi, TelemetryFrame } from '../contract/engine-api';
import type { RunController } from './run-controller';

export interface HostPort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  close(): void;
}

/** The calls a window may make; nothing else of the controller can be reached from it. */
const CALLS: readonly (keyof EngineApi)[] = [
  'load', 'run', 'pause', 'step', 'setSpeed', 'restart', 'cancel', 'change', 'read', 'events', 'result', 'series', 'subscribe', 'digest',
  'watchClusters', 'clusters', 'seek', 'compare', 'compareStatus', 'compareResult', 'compareCancel',
  'judge', 'judgeStatus', 'judgeResult', 'judgeCancel',
];

/** No frame sooner than this after the last, and none that would take more than a fifth of the time to make. */
const LEAST_FRAME_MS = 80;
const COST_FACTOR = 5;

export interface WindowLinkOptions {
  readonly port: HostPort;
  readonly generation: number;
  readonly controller: RunController;
  readonly now: () => number;
  readonly schedule: (callback: () => void, delayMs: number) => () => void;
}

export class WindowLink {
  readonly #options: WindowLinkOptions;
  #receive: (message: unknown) => void = () => undefined;
  #credit = false;
  #shown: number | undefined;
  #nextFrame = 0;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(options: WindowLinkOptions) {
    this.#options = options;
    const { port, controller } = options;
    const functions = Object.fromEntries(
      CALLS.map((name) => [name, (...args: unknown[]) => Reflect.apply(controller[name], controller, args) as unknown]),
    );
    createBirpc<Record<string, never>>(functions, {
      post: (data: unknown) => port.post(data),
      on: (receive: (data: unknown) => void) => {
        this.#receive = receive;
      },
      timeout: -1,
    });
    port.onMessage((message) => this.#take(message));
    controller.onChanged(() => this.#offer());
    controller.renew();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#options.port.close();
  }

  #take(message: unknown): void {
    if (this.#closed) return;
    if (!isCredit(message)) return this.#receive(message);
    if (message.generation !== this.#options.generation) return;
    if (this.#shown !== undefined) this.#options.controller.acknowledge(this.#shown);
    this.#credit = true;
    this.#offer();
  }

  /** Sends a frame once there is something new, credit for it, and the last one is old enough. */
  #offer(): void {
    if (this.#closed || !this.#credit || !this.#options.controller.changed || this.#cancelTimer !== undefined) return;
    const wait = this.#nextFrame - this.#options.now();
    this.#cancelTimer = this.#options.schedule(() => {
      this.#cancelTimer = undefined;
      this.#send();
    }, Math.max(0, wait));
  }

  #send(): void {
    const { controller, generation, now, port } = this.#options;
    if (this.#closed || !this.#credit) return;
    const began = now();
    const body = controller.frame();
    if (body === undefined) return;
    this.#credit = false;
    this.#shown = body.now;
    port.post({ kind: 'frame', generation, ...body } satisfies TelemetryFrame);
    const ended = now();
    this.#nextFrame = ended + Math.max(LEAST_FRAME_MS, (ended - began) * COST_FACTOR);
  }
}

function isCredit(message: unknown): message is CreditMessage {
  return typeof message === 'object' && message !== null && (message as { kind?: unknown }).kind === 'credit';
}
