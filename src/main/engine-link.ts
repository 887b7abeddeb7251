/** The engine as a utility process, and the hand-over of its ports to the window. */
import os from 'node:os';
import { MessageChannelMain, utilityProcess, type MessagePortMain, type WebContents } from 'electron';
import enginePath from '../host/engine-process?modulePath';
import type { EngineStatus } from '../contract/app-api';
import { PUSH } from '../contract/app-channels';
import type { FromEngine } from '../contract/host-messages';
import { Supervisor, type EngineProcess, type EngineProcessEvents } from './supervisor';

/** Name in the task manager and in app.getAppMetrics(). */
export const ENGINE_SERVICE = 'Swaplab engine';

/** However busy the machine: half a minute of silence is too long. */
const MOST_SLOWNESS = 6;

export class EngineLink {
  readonly #supervisor: Supervisor<MessagePortMain>;

  constructor(onStatus: (status: EngineStatus) => void) {
    this.#supervisor = new Supervisor({ spawn: spawnEngine, now: () => performance.now(), schedule, onStatus, slowness });
  }

  get status(): EngineStatus {
    return this.#supervisor.status;
  }

  start(): void {
    this.#supervisor.start();
  }

  restart(): void {
    this.#supervisor.restart();
  }

  stop(): void {
    this.#supervisor.stop();
  }

  /** Gives a window its end of a new port. The engine closes the one before. */
  connect(contents: WebContents): void {
    const { port1, port2 } = new MessageChannelMain();
    if (this.#supervisor.connect(port1)) contents.postMessage(PUSH.enginePort, this.status.generation, [port2]);
  }
}

export function spawnEngine(events: EngineProcessEvents): EngineProcess<MessagePortMain> {
  const child = utilityProcess.fork(enginePath, [], { serviceName: ENGINE_SERVICE, stdio: 'inherit' });
  child.on('message', (message: FromEngine) => events.onMessage(message));
  child.on('exit', (code) => events.onExit(code));
  return {
    post: (message, port) => child.postMessage(message, port === undefined ? [] : [port]),
    kill: () => {
      // A process that hangs in a loop does not heed the polite request.
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
      else child.kill();
    },
  };
}

/** Processes that want to run for each processor there is (load average of the last minute; 0 on Windows, which has none). */
function slowness(): number {
  return Math.min(MOST_SLOWNESS, (os.loadavg()[0] ?? 0) / os.cpus().length);
}

function schedule(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
