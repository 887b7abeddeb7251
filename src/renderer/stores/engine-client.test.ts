import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TelemetryFrame } from '../../contract/engine-api';
import { EngineClient, FRAME_INTERVAL_MS } from './engine-client';
import type { EnginePort } from './engine-client';

/** The engine's side of a port, in the hands of the test. */
class Line implements EnginePort {
  readonly sent: unknown[] = [];
  closed = false;
  private listener: ((event: { data: unknown }) => void) | undefined;
  postMessage(message: unknown): void { this.sent.push(message); }
  addEventListener(_type: 'message', listener: (event: { data: unknown }) => void): void { this.listener = listener; }
  start(): void {}
  close(): void { this.closed = true; }
  arrive(data: unknown): void { this.listener?.({ data }); }
  credits(): number { return this.sent.filter((message) => (message as { kind?: string }).kind === 'credit').length; }
}
const frame = (generation: number, now = 0): TelemetryFrame => ({ kind: 'frame', generation, now }) as TelemetryFrame;

describe('EngineClient', () => {
  afterEach(() => { vi.useRealTimers(); });

  it('gives credit once when it takes a port, and again only after each frame was shown', () => {
    vi.useFakeTimers();
    const shown: number[] = [];
    const client = new EngineClient((next) => shown.push(next.now));
    const line = new Line();
    client.attach(line, 1);
    expect(line.credits()).toBe(1);
    line.arrive(frame(1, 10));
    expect(shown).toEqual([10]);
    expect(line.credits()).toBe(1);
    vi.advanceTimersByTime(FRAME_INTERVAL_MS);
    expect(line.credits()).toBe(2);
    vi.advanceTimersByTime(10 * FRAME_INTERVAL_MS);
    expect(line.credits()).toBe(2);
  });

  it('still gives credit when showing a frame fails', () => {
    vi.useFakeTimers();
    const client = new EngineClient(() => { throw new Error('drawing failed'); });
    const line = new Line();
    client.attach(line, 1);
    expect(() => { line.arrive(frame(1)); }).toThrow('drawing failed');
    vi.advanceTimersByTime(FRAME_INTERVAL_MS);
    expect(line.credits()).toBe(2);
  });

  it('drops what a former engine still sends, and its ports', () => {
    const shown: number[] = [];
    const client = new EngineClient((next) => shown.push(next.generation));
    const [old, today] = [new Line(), new Line()];
    client.attach(old, 1);
    client.attach(today, 2);
    expect(old.closed).toBe(true);
    old.arrive(frame(1));
    today.arrive(frame(1));
    today.arrive(frame(2));
    expect(shown).toEqual([2]);
    const late = new Line();
    expect(client.attach(late, 1)).toBe(false);
    expect(late.closed).toBe(true);
    expect(client.generation).toBe(2);
  });

  it('rejects waiting calls when the engine is lost, and calls made while there is none', async () => {
    const client = new EngineClient(() => {});
    await expect(client.call('pause')).rejects.toMatchObject({ name: 'EngineLostError' });
    client.attach(new Line(), 3);
    const waiting = client.call('pause');
    await Promise.resolve();
    client.lost(3);
    await expect(waiting).rejects.toMatchObject({ name: 'EngineLostError', generation: 3 });
    expect(client.connected).toBe(false);
  });

  it('keeps today’s engine when an older one is reported lost', () => {
    const client = new EngineClient(() => {});
    client.attach(new Line(), 5);
    client.lost(4);
    expect(client.connected).toBe(true);
  });

  it('carries a call to the engine and its answer back', async () => {
    const client = new EngineClient(() => {});
    const line = new Line();
    client.attach(line, 1);
    const answer = client.call('read', '/proc/swaps');
    await vi.waitFor(() => { expect(line.sent).toHaveLength(2); });
    const request = line.sent[1] as { i: string; m: string; a: unknown[] };
    expect([request.m, request.a]).toEqual(['read', ['/proc/swaps']]);
    line.arrive({ t: 's', i: request.i, r: 'Filename' });
    await expect(answer).resolves.toBe('Filename');
  });
});
