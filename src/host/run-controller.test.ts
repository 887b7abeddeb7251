import { describe, expect, it } from 'vitest';
import { createMachine } from '../engine/create-machine';
import type { ExperimentSpec, Step } from '../engine/experiment/spec';
import { writeJournal, type JournalEntry, type RunJournal } from '../contract/host-messages';
import { RunController, type FrameBody } from './run-controller';

const spec: ExperimentSpec = {
  format: 'swaplab/experiment', version: 1, title: 'A small run', notes: '',
  machine: {
    ram_pages: 16384, cpus: 1, nodes: 1, zswap: { enabled: true }, swap: [{ kind: 'xswap', name: 'xswap0' }],
    cgroups: [{ path: '/app', set: { 'memory.max': '16777216' } }],
  },
  kernel: 'xswap',
  workload: {
    steps: [
      { start: { name: 'hog', program: 'memhog', size_pages: 12000, fill: 'pattern', cgroup: '/app', hold_s: 2 } },
      { wait: 'hog', until: 'touched' },
      { probe: 'touched' },
      { sleep: 1 },
      { probe: 'end' },
    ],
  },
  arms: [], measure: {}, seeds: [7], claims: [],
};
const raise: Step = { write: '/sys/kernel/mm/xswap/type0/limit', text: '20000\n' };

/** A controller on a clock of its own: time passes only when the test lets it, each look at the clock costs a little. */
function setUp(): {
  controller: RunController;
  entries: JournalEntry[];
  journal: () => RunJournal | undefined;
  /** Carries out what is due for that many ms of wall-clock time. */
  pass: (ms: number) => void;
  frame: () => FrameBody;
} {
  let wall = 0;
  const due: { at: number; callback: () => void }[] = [];
  const entries: JournalEntry[] = [];
  let journal: RunJournal | undefined;
  const controller = new RunController({
    createMachine,
    now: () => (wall += 0.01),
    schedule: (callback, delayMs) => {
      const entry = { at: wall + delayMs, callback };
      due.push(entry);
      return () => {
        const at = due.indexOf(entry);
        if (at >= 0) due.splice(at, 1);
      };
    },
    bytes: () => 1,
    journal: (entry) => {
      entries.push(entry);
      journal = writeJournal(journal, entry);
    },
  });
  const pass = (ms: number): void => {
    const end = wall + ms;
    for (;;) {
      due.sort((a, b) => a.at - b.at);
      const next = due[0];
      if (next === undefined || next.at > end) break;
      due.shift();
      wall = Math.max(wall, next.at);
      next.callback();
    }
    wall = Math.max(wall, end);
  };
  const frame = (): FrameBody => {
    const made = controller.frame();
    if (made === undefined) throw new Error('nothing is loaded');
    return made;
  };
  return { controller, entries, journal: () => journal, pass, frame };
}

/** The digest of the whole run, straight from the machine. */
function digestOf(given: ExperimentSpec): string {
  const machine = createMachine(given, 7);
  while (!machine.advance(Infinity, 100_000).done);
  return machine.digest();
}

describe('a run', () => {
  it('goes to its end as fast as possible and has the digest of the machine run alone', async () => {
    const { controller, pass, frame } = setUp();
    expect(await controller.load(spec, {})).toMatchObject({ runId: 1, title: 'A small run', kernel: 'xswap', seed: 7, ramPages: 16384 });
    expect(frame()).toMatchObject({ state: 'ready', now: 0, progress: 0 });
    await controller.run(Infinity);
    pass(10_000);
    expect(frame()).toMatchObject({ state: 'done', progress: 1, secondsLeft: 0 });
    expect(await controller.digest()).toBe(digestOf(spec));
  });

  it('holds simulated time to the wanted speed', async () => {
    const { controller, pass, frame } = setUp();
    await controller.load(spec, {});
    await controller.run(0.01);
    pass(500);
    // 500 ms at a hundredth are 5 ms; a slice more or less.
    expect(frame().now / 1e6).toBeGreaterThan(4.8);
    expect(frame().now / 1e6).toBeLessThan(5.2);
    await controller.setSpeed(0.001);
    pass(500);
    expect(frame().now / 1e6).toBeLessThan(5.8);
    await controller.pause();
    const { now } = frame();
    pass(1000);
    expect(frame()).toMatchObject({ state: 'paused', now });
  });

  it('gives the same digest at every speed, paused and stepped on the way', async () => {
    const { controller, pass, frame } = setUp();
    await controller.load(spec, {});
    await controller.run(0.1);
    pass(60);
    await controller.pause();
    for (const kind of ['operation', 'millisecond', 'script-step'] as const) {
      const before = frame().now;
      await controller.step(kind);
      pass(10_000);
      expect(frame().state).toBe('paused');
      expect(frame().now).toBeGreaterThan(before);
    }
    await controller.run(Infinity);
    pass(10_000);
    expect(frame().state).toBe('done');
    expect(await controller.digest()).toBe(digestOf(spec));
  });

  it('a millisecond is a millisecond, a script step ends as soon as it has begun', async () => {
    const { controller, pass, frame } = setUp();
    await controller.load(spec, {});
    await controller.step('millisecond');
    pass(1000);
    expect(frame().now).toBe(1e6);
    await controller.step('script-step');
    pass(10_000);
    expect(frame().marks.at(-1)?.label).toBe('probe touched');
    expect(frame().counters['meminfo.SwapTotal_kB']).toBeGreaterThan(0);
  });

  it('cannot go on after its end, but restart', async () => {
    const { controller, pass, frame } = setUp();
    await controller.load(spec, {});
    await controller.run(Infinity);
    pass(10_000);
    await expect(controller.run(1)).rejects.toThrow(/restart/);
    await controller.restart({ keepLiveChanges: false });
    expect(frame()).toMatchObject({ state: 'ready', now: 0, runId: 1 });
  });

  it('a cancelled run keeps what it recorded and says so', async () => {
    const { controller, pass, frame } = setUp();
    await controller.load(spec, {});
    await controller.subscribe(['meminfo.SwapTotal_kB'], 100);
    await controller.run(0.1);
    pass(200);
    await controller.cancel();
    const cancelled = frame();
    expect(cancelled.state).toBe('failed');
    expect(cancelled.failure).toMatch(/^Cancelled at 0\.0\d\d s/);
    expect(cancelled.series.columns[0]?.last.some((value) => value > 0)).toBe(true);
  });
});

describe('live changes', () => {
  it('are answered by the kernel, stored with their time, and replayed to the same digest', async () => {
    const { controller, pass, frame } = setUp();
    await controller.load(spec, {});
    await controller.run(0.1);
    pass(100);
    const change = await controller.change(raise);
    expect(change).toEqual({ ok: true, at: frame().now, readsBack: '20479\n' });
    await controller.run(Infinity);
    pass(10_000);
    const events = await controller.events();
    expect(events).toEqual([{ at: change.at, step: raise }]);
    const digest = await controller.digest();
    expect(digest).not.toBe(digestOf(spec));
    expect(digestOf({ ...spec, workload: { ...spec.workload, events } })).toBe(digest);
  });

  it('kept at a restart they happen again, else not', async () => {
    const { controller, pass } = setUp();
    await controller.load(spec, {});
    await controller.run(0.1);
    pass(100);
    await controller.change(raise);
    await controller.run(Infinity);
    pass(10_000);
    const [digest, events] = [await controller.digest(), await controller.events()];
    await controller.restart({ keepLiveChanges: true });
    expect(await controller.events()).toEqual(events);
    await controller.run(Infinity);
    pass(10_000);
    expect(await controller.digest()).toBe(digest);
    await controller.restart({ keepLiveChanges: false });
    expect(await controller.events()).toEqual([]);
    await controller.run(Infinity);
    pass(10_000);
    expect(await controller.digest()).toBe(digestOf(spec));
  });

  it('refused by the kernel they change nothing and are not stored', async () => {
    const { controller, pass } = setUp();
    await controller.load(spec, {});
    await controller.run(0.1);
    pass(100);
    await controller.pause();
    const before = await controller.digest();
    const many = await controller.change({ write: '/sys/kernel/mm/xswap/type0/limit', text: 'many\n' });
    expect(many).toMatchObject({ ok: false, errno: 'EINVAL', message: 'Invalid argument' });
    const nowhere = await controller.change({ write: '/sys/kernel/mm/xswap/type9/limit', text: '1\n' });
    expect(nowhere).toMatchObject({ ok: false, errno: 'ENOENT' });
    expect(await controller.digest()).toBe(before);
    expect(await controller.events()).toEqual([]);
  });
});

describe('what is loaded', () => {
  it('passes the gate first; what is refused leaves the run that is there alone', async () => {
    const { controller, frame } = setUp();
    await controller.load(spec, {});
    await expect(controller.load({ ...spec, machine: { ...spec.machine, cpus: 0 } }, {})).rejects.toThrow(/machine\.cpus/);
    expect(frame()).toMatchObject({ runId: 1, state: 'ready' });
  });

  it('calls without anything loaded reject', async () => {
    const { controller } = setUp();
    await expect(controller.run(1)).rejects.toThrow(/No experiment/);
    await expect(controller.digest()).rejects.toThrow(/No experiment/);
    expect(controller.frame()).toBeUndefined();
  });

  it('each frame carries only new log lines, with their place in the whole log', async () => {
    const { controller, pass, frame } = setUp();
    await controller.load(spec, {});
    const first = frame();
    expect(first.logFrom).toBe(0);
    await controller.run(Infinity);
    pass(10_000);
    const second = frame();
    expect(second.logFrom).toBe(first.log.length);
    expect(frame().log).toEqual([]);
    controller.renew();
    expect(frame().log).toEqual([...first.log, ...second.log]);
  });

  it('clusters come whole once, then as changes; whole again for another window and another run', async () => {
    const { controller, frame, pass } = setUp();
    const query = { from: 0, to: Infinity, cells: 1000 };
    expect(await controller.watchClusters(query)).toBeNull();
    const partition = { kind: 'partition', name: '/dev/vdb', size_pages: 16384 } as const;
    await controller.load({ ...spec, kernel: 'linux-6.18', machine: { ...spec.machine, zswap: undefined, swap: [partition] } }, {});
    expect(frame().clusters).toMatchObject({ total: 32 });
    const whole = await controller.watchClusters(query);
    expect(whole?.cells.length).toBe(32);
    const cells = whole?.cells.slice() ?? new Uint16Array();
    await controller.run(0.01);
    let id = whole?.id;
    let sent = 0;
    for (let i = 0; i < 20; i++) {
      pass(20);
      const { clusters } = frame();
      expect(clusters?.after).toBe(id);
      id = clusters?.id;
      sent += clusters?.cells.length ?? 0;
      clusters?.changed?.forEach((cell, at) => { cells[cell] = clusters.cells[at] ?? 0; });
    }
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(32 * 20);
    expect([...cells]).toEqual([...(await controller.clusters(query)).cells]);
    controller.renew();
    expect(frame().clusters?.changed).toBeUndefined();
    expect(frame().clusters?.changed).toBeDefined();
    await controller.restart({ keepLiveChanges: false });
    expect(frame().clusters?.cells.length).toBe(32);
    await controller.watchClusters(null);
    expect(frame().clusters).toBeUndefined();
  });
});

describe('recovery from the journal', () => {
  it.each(['running', 'paused'] as const)('a run that was %s stands where it was, to the digest, and ends as if nothing had been', async (state) => {
    const lost = setUp();
    await lost.controller.load(spec, {});
    await lost.controller.run(0.1);
    lost.pass(100);
    await lost.controller.change(raise);
    lost.pass(4000);
    if (state === 'paused') await lost.controller.pause();
    lost.controller.acknowledge(lost.frame().now);
    const journal = lost.journal();
    if (journal === undefined) throw new Error('no journal');
    expect(journal.checkpoint).toBeDefined();
    const seen = lost.frame();

    const next = setUp();
    const recovering = next.controller.recover(journal);
    for (let i = 0; i < 10_000 && next.journal()?.state !== state; i += 1) {
      next.pass(1);
      await Promise.resolve();
    }
    const recovery = await recovering;
    expect(recovery).toMatchObject({ ok: true, digestMatches: true });
    expect(next.frame()).toMatchObject({ state, runId: seen.runId });
    if (state === 'paused') expect(await next.controller.digest()).toBe(await lost.controller.digest());
    expect(await next.controller.events()).toEqual(await lost.controller.events());
    await next.controller.run(Infinity);
    next.pass(60_000);
    await lost.controller.run(Infinity);
    lost.pass(60_000);
    expect(next.frame().state).toBe('done');
    expect(await next.controller.digest()).toBe(await lost.controller.digest());
  });

  it('a frame of the run before, taken after a restart, does not move the journal on', async () => {
    const { controller, pass, frame, journal } = setUp();
    await controller.load(spec, {});
    await controller.run(Infinity);
    pass(60_000);
    const { now } = frame();
    expect(now).toBeGreaterThan(0);
    await controller.restart({ keepLiveChanges: false });
    controller.acknowledge(now);
    expect(journal()?.acknowledged).toBe(0);
    controller.acknowledge(frame().now);
    expect(journal()?.acknowledged).toBe(0);
  });

  it('another digest than before stops the run with a reason', async () => {
    const lost = setUp();
    await lost.controller.load(spec, {});
    await lost.controller.run(0.05);
    lost.pass(4000);
    const journal = lost.journal();
    if (journal?.checkpoint === undefined) throw new Error('no checkpoint');
    const next = setUp();
    const recovering = next.controller.recover({ ...journal, checkpoint: { ...journal.checkpoint, digest: '0'.repeat(32) } });
    for (let i = 0; i < 10_000 && next.journal()?.state !== 'failed'; i += 1) {
      next.pass(1);
      await Promise.resolve();
    }
    expect(await recovering).toMatchObject({ ok: false });
    expect(next.frame()).toMatchObject({ state: 'failed' });
  });
});
