import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ENGINE_PORT_MESSAGE } from '../../contract/app-api';
import type { EngineStatus } from '../../contract/app-api';
import type { RunInfo, TelemetryFrame } from '../../contract/engine-api';
import type { ExperimentSpec } from '../../engine/experiment/spec';
import { useDocument } from './document';
import { useRun } from './run';

const spec: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'cap', notes: '',
  machine: { ram_pages: 1024, cpus: 1, nodes: 1, swap: [{ kind: 'zram', name: '/dev/zram0', size_pages: 512 }] },
  kernel: 'xswap', workload: { steps: [] }, arms: [], measure: {}, seeds: [1], claims: [],
};
const info = (runId: number): RunInfo => ({ runId, title: 'cap', kernel: 'xswap', arm: 'base', seed: 1, ramPages: 1024, estimatedOps: 1 });

/** The engine's end of a port: notes the calls, answers as the test says. */
class EngineEnd {
  readonly calls: [name: string, ...args: unknown[]][] = [];
  private listener: ((event: { data: unknown }) => void) | undefined;
  constructor(private readonly answer: (name: string) => unknown) {}
  postMessage(message: { t?: string; i?: string; m?: string; a?: unknown[] }): void {
    if (message.t !== 'q' || !message.m) return;
    this.calls.push([message.m, ...message.a ?? []]);
    const { i, m } = message;
    queueMicrotask(() => {
      try { this.send({ t: 's', i, r: this.answer(m) }); } catch (error) { this.send({ t: 's', i, e: error }); }
    });
  }
  addEventListener(_type: string, listener: (event: { data: unknown }) => void): void { this.listener = listener; }
  start(): void {}
  close(): void { this.listener = undefined; }
  send(data: unknown): void { this.listener?.({ data }); }
  named(name: string): unknown[][] { return this.calls.filter(([called]) => called === name); }
}

let tell: (status: EngineStatus) => void;
const connect = vi.fn();
function handOver(end: EngineEnd, generation: number): void {
  const event = new Event('message');
  Object.assign(event, { data: { type: ENGINE_PORT_MESSAGE, generation }, ports: [end], source: window });
  window.dispatchEvent(event);
}
const frame = (end: EngineEnd, values: Partial<TelemetryFrame>): void => {
  end.send({
    kind: 'frame', generation: 1, runId: 1, state: 'running', now: 0, devices: [], marks: [], log: [], logFrom: 0, output: [], outputFrom: 0,
    ...values,
  });
};
const settled = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve, 5); });

describe('run', () => {
  beforeEach(() => {
    setActivePinia(createPinia());
    connect.mockReset();
    Object.defineProperty(window, 'swaplab', { configurable: true, value: {
      engine: {
        connect, restart: vi.fn(), status: () => Promise.resolve({ state: 'starting', generation: 0 }),
        onStatus: (listener: typeof tell) => { tell = listener; return () => {}; },
      },
      settings: { set: (patch: object) => Promise.resolve(patch) },
      draft: { discard: vi.fn() },
    } });
  });
  afterEach(() => { tell({ state: 'failed', generation: 99 }); });

  async function ready(answer: (name: string) => unknown = (name) => (name === 'load' ? info(1) : undefined)): Promise<EngineEnd> {
    await useRun().start();
    tell({ state: 'ready', generation: 1 });
    const end = new EngineEnd(answer);
    handOver(end, 1);
    return end;
  }

  it('asks for a port when the engine is ready, loads what is on the bench, and runs it when that was asked for', async () => {
    const run = useRun();
    const doc = useDocument();
    const end = await ready();
    expect(connect).toHaveBeenCalledTimes(1);
    expect(run.state).toBe('empty');
    doc.open(spec, { kind: 'builtin', name: 'cap' });
    run.runSoon();
    await settled();
    expect(end.named('load')).toHaveLength(1);
    expect(end.named('load')[0]?.[1]).toMatchObject({ title: 'cap' });
    expect(end.named('run')).toEqual([['run', Infinity]]);
    expect(run.info?.runId).toBe(1);
    expect(run.colours.of('zram0')).toBe(1);
  });

  it('says why an experiment could not be loaded', async () => {
    const run = useRun();
    await ready((name) => { if (name === 'load') throw new Error('machine.ram_pages is too small'); });
    useDocument().open(spec, { kind: 'builtin', name: 'cap' });
    await settled();
    expect(run.problem).toBe('machine.ram_pages is too small');
    expect(run.state).toBe('failed');
    expect(run.canGo).toBe(false);
  });

  it('goes on after a recovery without loading again, and subscribes anew', async () => {
    const run = useRun();
    const end = await ready();
    run.subscriptions.set('swap', ['meminfo.SwapFree_kB'], 300);
    useDocument().open(spec, { kind: 'builtin', name: 'cap' });
    await settled();
    frame(end, { now: 5e9 });
    tell({ state: 'lost', generation: 1, message: 'The engine process ended.' });
    expect(run.alive).toBe(false);
    expect(run.now).toBe(5e9);
    tell({ state: 'ready', generation: 2, recovered: { at: 5e9, digestMatches: true } });
    const next = new EngineEnd(() => undefined);
    handOver(next, 2);
    await settled();
    expect(next.named('load')).toEqual([]);
    expect(next.named('subscribe')).toEqual([['subscribe', ['meminfo.SwapFree_kB'], 300]]);
    expect(run.alive).toBe(true);
  });

  it('loads anew when the engine came back without the run', async () => {
    await ready();
    useDocument().open(spec, { kind: 'builtin', name: 'cap' });
    await settled();
    tell({ state: 'lost', generation: 1 });
    tell({ state: 'ready', generation: 2 });
    const next = new EngineEnd((name) => (name === 'load' ? info(1) : undefined));
    handOver(next, 2);
    await settled();
    expect(next.named('load')).toHaveLength(1);
  });

  it('drops frames of a run that another has replaced, and keeps the log of its own', async () => {
    const run = useRun();
    const end = await ready((name) => (name === 'load' ? info(2) : undefined));
    useDocument().open(spec, { kind: 'builtin', name: 'cap' });
    await settled();
    frame(end, { runId: 1, now: 9e9, log: ['old'] });
    expect(run.now).toBe(0);
    frame(end, { runId: 2, now: 1e9, log: ['a', 'b'], logFrom: 0 });
    frame(end, { runId: 2, now: 2e9, log: ['c'], logFrom: 2 });
    expect([run.now, run.logLines]).toEqual([2e9, ['a', 'b', 'c']]);
    frame(end, { runId: 2, now: 0, log: ['again'], logFrom: 0 });
    expect(run.logLines).toEqual(['again']);
  });

  it('builds the machine anew for another arm', async () => {
    const run = useRun();
    const end = await ready();
    useDocument().open(spec, { kind: 'builtin', name: 'cap' });
    await settled();
    run.choose({ arm: 'round-robin' });
    await settled();
    expect(end.named('load').map((call) => call[2])).toEqual([{}, { arm: 'round-robin' }]);
  });
});
