/**
 * Keeps an engine process alive: starting → ready → lost → backing off → starting …, or failed. Knows no Electron: a process is
 * what the factory makes, so that tests drive it with a real child process of Node.
 *
 * After a loss the new process gets the journal of the run, replays it to what the window has seen, and the run goes on.
 */
import type { EngineStatus } from '../contract/app-api';
import { writeJournal, type FromEngine, type RunJournal, type ToEngine } from '../contract/host-messages';

export interface EngineProcess<Port> {
  /** `port` goes with the message. */
  post(message: ToEngine, port?: Port): void;
  kill(): void;
}

export interface EngineProcessEvents {
  readonly onMessage: (message: FromEngine) => void;
  readonly onExit: (code: number | null) => void;
}

export interface SupervisorOptions<Port> {
  readonly spawn: (events: EngineProcessEvents) => EngineProcess<Port>;
  /** Wall-clock ms, never going back. */
  readonly now: () => number;
  readonly schedule: (callback: () => void, delayMs: number) => () => void;
  readonly onStatus: (status: EngineStatus) => void;
  /** How many times slower than alone a process runs on this machine now, at least 1: patience is stretched by it. */
  readonly slowness?: () => number;
  readonly limits?: Partial<SupervisorLimits>;
}

export interface SupervisorLimits {
  readonly startMs: number;
  readonly heartbeatMs: number;
  /** Without an answer for this long a process counts as hung and is killed. */
  readonly hungMs: number;
  readonly mostRestarts: number;
  readonly restartWindowMs: number;
  readonly firstBackOffMs: number;
}

const LIMITS: SupervisorLimits = {
  startMs: 10_000,
  heartbeatMs: 1000,
  hungMs: 5000,
  mostRestarts: 3,
  restartWindowMs: 5 * 60_000,
  firstBackOffMs: 250,
};

export class Supervisor<Port> {
  readonly #options: SupervisorOptions<Port>;
  readonly #limits: SupervisorLimits;
  #process: EngineProcess<Port> | undefined;
  #status: EngineStatus = { state: 'starting', generation: 0 };
  #journal: RunJournal | undefined;
  #restarts: number[] = [];
  #cancelTimer: (() => void) | undefined;
  #pingId = 0;
  #answeredAt = 0;
  #killedBecause: string | undefined;
  #stopped = false;

  constructor(options: SupervisorOptions<Port>) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
  }

  get status(): EngineStatus {
    return this.#status;
  }

  get journal(): RunJournal | undefined {
    return this.#journal;
  }

  start(): void {
    this.#stopped = false;
    const generation = this.#status.generation + 1;
    this.#killedBecause = undefined;
    this.#setStatus({ state: 'starting', generation });
    // Messages of an older process must not be taken for those of this one.
    const ofThis = <A extends unknown[]>(listener: (...args: A) => void) => (...args: A): void => {
      if (this.#status.generation === generation && !this.#stopped) listener(...args);
    };
    try {
      this.#process = this.#options.spawn({
        onMessage: ofThis((message) => this.#take(message)),
        onExit: ofThis((code) => this.#lost(this.#killedBecause ?? `The engine process ended unexpectedly (code ${code ?? 'unknown'}).`)),
      });
    } catch (error) {
      this.#lost(`The engine process could not be started: ${String(error)}`);
      return;
    }
    this.#wait(this.#limits.startMs, () => this.#kill(`The engine process did not start within ${this.#limits.startMs / 1000} s.`));
  }

  /** The app ends: no restart. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
    this.#process?.kill();
    this.#process = undefined;
  }

  /** By the user, after it has failed: the count starts anew. */
  restart(): void {
    if (this.#status.state !== 'failed') return;
    this.#restarts = [];
    this.start();
  }

  /** Hands a port to the engine process of today. @returns false while there is none that is ready. */
  connect(port: Port): boolean {
    if (this.#status.state !== 'ready' || this.#process === undefined) return false;
    this.#process.post({ kind: 'port', generation: this.#status.generation }, port);
    return true;
  }

  #take(message: FromEngine): void {
    switch (message.kind) {
      case 'ready':
        this.#answeredAt = this.#options.now();
        this.#beat();
        if (this.#journal === undefined) this.#setReady({});
        else this.#recover(this.#journal);
        return;
      case 'pong':
        if (message.id === this.#pingId) this.#answeredAt = this.#options.now();
        return;
      case 'journal':
        // While it replays, a new process reports states on the way; the journal it came from stays until it has arrived.
        if (this.#status.state === 'ready') this.#journal = writeJournal(this.#journal, message.entry);
        return;
      case 'recovered':
        this.#setReady({ recovered: { at: message.at, digestMatches: message.digestMatches } });
        return;
      case 'recovery-failed':
        this.#journal = undefined;
        this.#setReady({ message: message.message });
        return;
    }
  }

  #recover(journal: RunJournal): void {
    const seconds = (journal.acknowledged / 1e9).toFixed(3);
    this.#setStatus({ state: 'starting', generation: this.#status.generation, message: `The engine is back; the run is replayed to ${seconds} s.` });
    this.#process?.post({ kind: 'recover', journal });
  }

  /** One ping at a time; the answer to the last one is what counts. */
  #beat(): void {
    this.#wait(this.#limits.heartbeatMs, () => {
      const silentMs = this.#options.now() - this.#answeredAt;
      if (silentMs > this.#limits.hungMs * Math.max(1, this.#options.slowness?.() ?? 1)) {
        this.#kill(`The engine process did not answer for ${(silentMs / 1000).toFixed(0)} s.`);
        return;
      }
      this.#pingId += 1;
      this.#process?.post({ kind: 'ping', id: this.#pingId });
      this.#beat();
    });
  }

  #kill(because: string): void {
    this.#killedBecause = because;
    this.#cancelTimer?.();
    this.#process?.kill();
  }

  #lost(message: string): void {
    this.#cancelTimer?.();
    this.#process = undefined;
    const { generation } = this.#status;
    this.#setStatus({ state: 'lost', generation, message });
    const now = this.#options.now();
    this.#restarts = this.#restarts.filter((at) => now - at < this.#limits.restartWindowMs);
    if (this.#restarts.length >= this.#limits.mostRestarts) {
      const minutes = this.#limits.restartWindowMs / 60_000;
      this.#setStatus({ state: 'failed', generation, message: `${message} It was restarted ${this.#restarts.length} times within ${minutes} minutes; no further try is made.` });
      return;
    }
    const retryInMs = this.#limits.firstBackOffMs * 2 ** this.#restarts.length;
    this.#restarts.push(now);
    this.#setStatus({ state: 'backing-off', generation, message, retryInMs });
    this.#wait(retryInMs, () => this.start());
  }

  #setReady(extra: Pick<EngineStatus, 'recovered' | 'message'>): void {
    this.#setStatus({ state: 'ready', generation: this.#status.generation, ...extra });
  }

  #setStatus(status: EngineStatus): void {
    this.#status = status;
    this.#options.onStatus(status);
  }

  #wait(delayMs: number, callback: () => void): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.schedule(callback, delayMs);
  }
}
