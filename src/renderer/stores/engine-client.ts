import { createBirpc } from 'birpc';
import type { BirpcReturn } from 'birpc';
import { EngineLostError } from '../../contract/app-api';
import type { CreditMessage, EngineApi, TelemetryFrame } from '../../contract/engine-api';

/** The part of a MessagePort that is used, so that tests can stand in a MessageChannel of Node. */
export interface EnginePort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  start(): void;
  close(): void;
}

/** Least wall-clock ms between two frames taken: 8 a second are enough for the eye and leave the window free. */
export const FRAME_INTERVAL_MS = 125;

const isFrame = (data: unknown): data is TelemetryFrame => (
  typeof data === 'object' && data !== null && (data as { kind?: unknown }).kind === 'frame'
);

type Calls = Omit<EngineApi, never>;
interface Connection { readonly port: EnginePort; readonly generation: number; readonly rpc: BirpcReturn<Calls> }

/**
 * The window's end of the engine's port. Calls go by birpc; a frame is handed on and its credit given back once the window has
 * had time to draw it. When the engine is lost, waiting calls reject with EngineLostError; what a former engine still sends is dropped.
 */
export class EngineClient {
  private connection: Connection | undefined;
  private creditTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onFrame: (frame: TelemetryFrame) => void) {}

  get generation(): number { return this.connection?.generation ?? -1; }
  get connected(): boolean { return this.connection !== undefined; }

  /** Takes over a port of this generation; an older one than today's is closed unused. */
  attach(port: EnginePort, generation: number): boolean {
    if (this.connection && generation < this.connection.generation) { port.close(); return false; }
    this.drop();
    const receivers: ((data: unknown) => void)[] = [];
    port.addEventListener('message', ({ data }) => {
      if (this.connection?.port !== port) return;
      if (isFrame(data)) this.take(data);
      else for (const receive of receivers) receive(data);
    });
    const rpc = createBirpc<Calls>({}, {
      post: (data: unknown) => { port.postMessage(data); },
      on: (receive: (data: unknown) => void) => { receivers.push(receive); },
      // A swapoff of a full device may take long; the supervisor notices a dead engine, not a clock here.
      timeout: -1,
    });
    this.connection = { port, generation, rpc };
    port.start();
    this.giveCredit(generation);
    return true;
  }

  /** The engine of this generation is gone. */
  lost(generation: number): void { if (this.connection && this.connection.generation <= generation) this.drop(); }

  /** @throws EngineLostError when there is no engine, or it goes before it has answered. */
  async call<K extends keyof EngineApi>(name: K, ...args: Parameters<EngineApi[K]>): Promise<Awaited<ReturnType<EngineApi[K]>>> {
    const { connection } = this;
    if (!connection) throw new EngineLostError(this.generation);
    return connection.rpc.$call(name, ...args);
  }

  private take(frame: TelemetryFrame): void {
    const { generation } = this;
    if (frame.generation !== generation) return;
    const began = performance.now();
    try { this.onFrame(frame); } finally {
      // The timer fires only after the drawing that this frame caused, so a slow window asks for fewer frames.
      clearTimeout(this.creditTimer);
      this.creditTimer = setTimeout(() => { this.giveCredit(generation); }, Math.max(0, FRAME_INTERVAL_MS - (performance.now() - began)));
    }
  }

  private giveCredit(generation: number): void {
    const { connection } = this;
    if (connection?.generation === generation) connection.port.postMessage({ kind: 'credit', generation } satisfies CreditMessage);
  }

  private drop(): void {
    const { connection } = this;
    if (!connection) return;
    clearTimeout(this.creditTimer);
    this.connection = undefined;
    connection.rpc.$close(new EngineLostError(connection.generation));
    connection.port.close();
  }
}
