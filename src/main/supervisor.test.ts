import { fork, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createBirpc } from 'birpc';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMachine } from '../engine/create-machine';
import type { ExperimentSpec, Step, WorkloadEvent } from '../engine/experiment/spec';
import type { EngineStatus } from '../contract/app-api';
import type { EngineApi, TelemetryFrame } from '../contract/engine-api';
import { Supervisor, type SupervisorLimits } from './supervisor';
import { bundleForNode, type Bundle } from './testing/bundle';
import type { FromChild, ToChild } from './testing/node-host';

/** Long enough that a process can be killed in the middle of it. */
const spec: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'To be interrupted', notes: '',
  machine: {
    ram_pages: 65536, cpus: 1, nodes: 1, zswap: { enabled: true }, swap: [{ kind: 'xswap', name: 'xswap0' }],
    cgroups: [{ path: '/app', set: { 'memory.max': '67108864' } }],
  },
  kernel: 'xswap',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'memhog', size_pages: 48000, fill: 'pattern', cgroup: '/app', hold_s: 1 } },
      { wait: 'hog', until: 'touched' },
      { probe: 'touched' },
    ],
  },
  arms: [], measure: {}, seeds: [1], claims: [],
};
const lower: Step = { write: '/sys/kernel/mm/xswap/type0/limit', text: '60000\n' };

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleForNode(path.join(import.meta.dirname, 'testing/node-host.ts'));
}, 60_000);
afterAll(() => rmSync(bundle.folder, { recursive: true, force: true }));

let stop: (() => void) | undefined;
afterEach(() => stop?.());

interface Setup {
  readonly supervisor: Supervisor<void>;
  readonly statuses: EngineStatus[];
  readonly children: ChildProcess[];
  readonly until: (condition: (status: EngineStatus) => boolean, timeoutMs?: number) => Promise<EngineStatus>;
  /** The window's end: calls, and the frames that came. */
  readonly connect: () => {
    calls: EngineApi;
    frames: TelemetryFrame[];
    nextFrame: (condition: (frame: TelemetryFrame) => boolean) => Promise<TelemetryFrame>;
  };
}

function setUp(limits: Partial<SupervisorLimits> = {}, file = bundle.file): Setup {
  const statuses: EngineStatus[] = [];
  const children: ChildProcess[] = [];
  const waiting = new Set<() => void>();
  let fromPort: (message: unknown) => void = () => undefined;
  const supervisor = new Supervisor<void>({
    spawn: (events) => {
      const child = fork(file, { serialization: 'advanced' });
      children.push(child);
      child.on('message', (message) => {
        const { from, message: inner } = message as FromChild;
        if (from === 'host') events.onMessage(inner);
        else fromPort(inner);
      });
      child.on('exit', (code) => events.onExit(code));
      return {
        post: (message) => {
          if (child.connected) child.send({ to: 'host', message } satisfies ToChild);
        },
        kill: () => child.kill('SIGKILL'),
      };
    },
    now: () => performance.now(),
    schedule: (callback, delayMs) => {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    onStatus: (status) => {
      statuses.push(status);
      for (const check of waiting) check();
    },
    limits: { firstBackOffMs: 20, ...limits },
  });
  stop = () => supervisor.stop();
  return {
    supervisor, statuses, children,
    until: (condition, timeoutMs = 30_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`still ${JSON.stringify(supervisor.status)}`)), timeoutMs);
        const check = (): void => {
          if (!condition(supervisor.status)) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(supervisor.status);
        };
        waiting.add(check);
        check();
      }),
    connect: () => {
      const { generation } = supervisor.status;
      const child = children.at(-1);
      const post = (message: unknown): void => {
        if (child?.connected === true) child.send({ to: 'window-port', message } satisfies ToChild);
      };
      const frames: TelemetryFrame[] = [];
      let onFrame: () => void = () => undefined;
      expect(supervisor.connect(undefined)).toBe(true);
      const calls = createBirpc<EngineApi>({}, {
        post,
        on: (receive: (data: unknown) => void) => {
          fromPort = (message) => {
            if ((message as { kind?: string }).kind !== 'frame') return receive(message);
            frames.push(message as TelemetryFrame);
            onFrame();
            post({ kind: 'credit', generation });
          };
        },
      });
      post({ kind: 'credit', generation });
      return {
        calls, frames,
        nextFrame: (condition) =>
          new Promise((resolve) => {
            onFrame = () => {
              const frame = frames.at(-1);
              if (frame !== undefined && condition(frame)) resolve(frame);
            };
          }),
      };
    },
  };
}

function digestOf(given: ExperimentSpec): string {
  const machine = createMachine(given);
  while (!machine.advance(Infinity, 100_000).done);
  return machine.digest();
}

describe('an engine process that is lost in the middle of a run', () => {
  it('is started again, replays to what was seen, and the run ends as if nothing had been', async () => {
    const { supervisor, statuses, children, until, connect } = setUp();
    supervisor.start();
    await until(({ state }) => state === 'ready');
    const first = connect();
    await first.calls.load(spec, {});
    await first.calls.run(0.02);
    await first.nextFrame(({ now }) => now > 2e6);
    expect(await first.calls.change(lower)).toMatchObject({ ok: true });
    const seen = await first.nextFrame(({ now, progress }) => now > 5e6 && progress > 0);
    const events: readonly WorkloadEvent[] = await first.calls.events();
    // One more frame is on its way, so that this one counts as taken.
    await first.nextFrame(({ now }) => now > seen.now);
    children[0]?.kill('SIGKILL');

    const back = await until(({ state, generation }) => state === 'ready' && generation === 2);
    expect(statuses.map(({ state }) => state)).toEqual(['starting', 'ready', 'lost', 'backing-off', 'starting', 'starting', 'ready']);
    expect(back.recovered?.at).toBeGreaterThanOrEqual(seen.now);
    const second = connect();
    const frame = await second.nextFrame(() => true);
    expect(frame).toMatchObject({ generation: 2, runId: seen.runId, state: 'running' });
    expect(frame.now).toBeGreaterThanOrEqual(seen.now);
    expect(await second.calls.events()).toEqual(events);
    await second.calls.setSpeed(Infinity);
    await second.nextFrame(({ state }) => state === 'done');
    expect(await second.calls.digest()).toBe(digestOf({ ...spec, workload: { ...spec.workload, events } }));
  }, 60_000);

  it('compares the digest of the last checkpoint on the way', async () => {
    const { supervisor, children, until, connect } = setUp();
    supervisor.start();
    await until(({ state }) => state === 'ready');
    const { calls, nextFrame } = connect();
    await calls.load(spec, {});
    await calls.run(0.005);
    const deadline = Date.now() + 30_000;
    while (supervisor.journal?.checkpoint === undefined && Date.now() < deadline) await nextFrame(() => true);
    expect(supervisor.journal?.checkpoint?.digest).toMatch(/^[0-9a-f]{32}$/);
    children[0]?.kill('SIGKILL');
    const back = await until(({ state, generation }) => state === 'ready' && generation === 2);
    expect(back.recovered?.digestMatches).toBe(true);
  }, 60_000);

  it('one that hangs is killed after its time without an answer, and brought back', async () => {
    const { supervisor, children, statuses, until, connect } = setUp({ heartbeatMs: 50, hungMs: 400 });
    supervisor.start();
    await until(({ state }) => state === 'ready');
    const { calls } = connect();
    await calls.load(spec, {});
    children[0]?.send({ to: 'hang' } satisfies ToChild);
    await until(({ state, generation }) => state === 'ready' && generation === 2);
    expect(statuses.find(({ state }) => state === 'lost')?.message).toMatch(/did not answer/);
    expect(children[0]?.signalCode).toBe('SIGKILL');
  }, 30_000);
});

describe('an engine process that cannot live', () => {
  it('is given up after three restarts, until the user asks again', async () => {
    const { supervisor, statuses, children, until } = setUp();
    supervisor.start();
    for (let generation = 1; generation <= 4; generation += 1) {
      await until((status) => status.state === 'ready' && status.generation === generation);
      children.at(-1)?.kill('SIGKILL');
    }
    const failed = await until(({ state }) => state === 'failed');
    expect(failed.message).toMatch(/restarted 3 times within 5 minutes/);
    expect(children).toHaveLength(4);
    expect(statuses.filter(({ state }) => state === 'backing-off').map(({ retryInMs }) => retryInMs)).toEqual([20, 40, 80]);
    supervisor.restart();
    expect(await until(({ state }) => state === 'ready')).toMatchObject({ generation: 5 });
  }, 60_000);

  it('does not start in its time: killed, tried again', async () => {
    const { supervisor, statuses, until } = setUp({ startMs: 1, mostRestarts: 1 });
    supervisor.start();
    await until(({ state }) => state === 'failed');
    expect(statuses.filter(({ state }) => state === 'lost').map(({ message }) => message)).toEqual([
      'The engine process did not start within 0.001 s.', 'The engine process did not start within 0.001 s.',
    ]);
  }, 30_000);

  it('hands out no port while there is no engine', () => {
    const { supervisor } = setUp();
    expect(supervisor.connect(undefined)).toBe(false);
    supervisor.start();
    expect(supervisor.connect(undefined)).toBe(false);
  });

  it('is not restarted once the app ends', async () => {
    const { supervisor, statuses, children, until } = setUp();
    supervisor.start();
    await until(({ state }) => state === 'ready');
    const ended = new Promise((resolve) => children[0]?.on('exit', resolve));
    supervisor.stop();
    await ended;
    expect(statuses.at(-1)?.state).toBe('ready');
    expect(children).toHaveLength(1);
  });
});
