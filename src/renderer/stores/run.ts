import { defineStore } from 'pinia';
import { computed, markRaw, ref, shallowRef, watch } from 'vue';
import { ENGINE_PORT_MESSAGE } from '../../contract/app-api';
import type { EnginePortMessage, EngineStatus } from '../../contract/app-api';
import type { ChangeResult, EngineApi, RunInfo, RunState, TelemetryFrame } from '../../contract/engine-api';
import type { ExperimentSpec, Step } from '../../engine/experiment/spec';
import type { ClusterQuery } from '../../engine/machine';
import { ColourBook } from './colours';
import { useDocument } from './document';
import { EngineClient } from './engine-client';
import { LogTail } from './log-tail';
import { useSettings } from './settings';
import { speedOfStep, stepOfSpeed } from './speed';
import { Subscriptions } from './subscriptions';

/** The run: the engine's state as last told, and everything that can be asked of it. */
export const useRun = defineStore('run', () => {
  const doc = useDocument();
  const settings = useSettings();

  const frame = shallowRef<TelemetryFrame>();
  const info = shallowRef<RunInfo>();
  const engine = shallowRef<EngineStatus>({ state: 'starting', generation: -1 });
  const loading = ref(false);
  /** Why the experiment could not be loaded, or a call failed; one sentence. */
  const problem = ref('');
  const log = new LogTail();
  const logLines = shallowRef<readonly string[]>([]);
  const output = new LogTail();
  const outputLines = shallowRef<readonly string[]>([]);
  const colours = markRaw(new ColourBook());
  /** Which arm and seed of the experiment is on the machine; none chosen: the first. */
  const selection = shallowRef<{ readonly arm?: string; readonly seed?: number }>({});
  /** Wanted as soon as the machine is loaded. */
  let runWhenLoaded = false;
  let loadedAs = '';

  const client = new EngineClient((next) => {
    if (info.value && next.runId < info.value.runId) return;
    if (log.add(next.log, next.logFrom)) logLines.value = log.lines();
    if (output.add(next.output, next.outputFrom)) outputLines.value = output.lines();
    for (const device of next.devices) colours.of(device.name);
    frame.value = next;
  });
  const subscriptions = markRaw(new Subscriptions((metrics, points) => {
    if (client.connected) quietly(client.call('subscribe', metrics, points));
  }));

  const state = computed<RunState>(() => {
    if (!doc.spec) return 'empty';
    if (problem.value && !info.value) return 'failed';
    return frame.value && frame.value.runId === info.value?.runId ? frame.value.state : info.value ? 'ready' : 'empty';
  });
  const alive = computed(() => engine.value.state === 'ready' && !loading.value);
  const running = computed(() => state.value === 'running');
  const canGo = computed(() => alive.value && (state.value === 'ready' || state.value === 'paused'));
  const now = computed(() => frame.value?.now ?? 0);
  const speed = computed(() => (settings.values.speed === 'max' ? Infinity : settings.values.speed));

  /** A lost engine is told by its status; anything else is a sentence for the user. */
  function report(error: unknown): void {
    if (error instanceof Error && error.name === 'EngineLostError') return;
    problem.value = error instanceof Error ? error.message : String(error);
  }
  function quietly(promise: Promise<unknown>): void { promise.catch(report); }
  function send<K extends keyof EngineApi>(name: K, ...args: Parameters<EngineApi[K]>): void {
    problem.value = '';
    quietly(client.call(name, ...args));
  }

  const plainSpec = (value: ExperimentSpec): ExperimentSpec => JSON.parse(JSON.stringify(value)) as ExperimentSpec;

  const loadKey = (): string => `${doc.opened}@${client.generation} ${JSON.stringify(selection.value)}`;

  /** Loads the experiment on the bench if the engine is there and has not got it yet. */
  async function loadIfNeeded(): Promise<void> {
    const { spec } = doc;
    if (!spec || !client.connected || engine.value.state !== 'ready') return;
    const want = loadKey();
    if (loadedAs === want) return;
    loadedAs = want;
    if (engine.value.recovered && info.value && engine.value.generation === client.generation) { subscriptions.renew(); return; }
    loading.value = true;
    problem.value = '';
    frame.value = undefined;
    info.value = undefined;
    colours.reset(spec.machine.swap.map((device) => device.name));
    try {
      info.value = await client.call('load', plainSpec(doc.current ?? spec), { ...selection.value });
      subscriptions.renew();
      if (runWhenLoaded) send('run', speed.value);
    } catch (error) {
      loadedAs = '';
      report(error);
    } finally {
      runWhenLoaded = false;
      loading.value = false;
    }
  }

  /** Another arm or seed of the same experiment: the machine is built anew. */
  function choose(what: { readonly arm?: string; readonly seed?: number }): void {
    selection.value = { ...selection.value, ...what };
    void loadIfNeeded();
  }

  /** Runs what is on the bench, at once or as soon as it is loaded. */
  function runSoon(): void {
    const loadedNow = loadedAs === loadKey() && !loading.value;
    if (loadedNow && canGo.value) send('run', speed.value); else runWhenLoaded = true;
  }
  function toggle(): void { if (running.value) send('pause'); else if (canGo.value) send('run', speed.value); }
  function step(kind: Parameters<EngineApi['step']>[0]): void { send('step', kind); }
  async function restart(keepLiveChanges: boolean): Promise<void> {
    problem.value = '';
    try {
      await client.call('restart', { keepLiveChanges });
      if (!keepLiveChanges) doc.setEvents(await client.call('events'));
    } catch (error) { report(error); }
  }
  function cancel(): void { send('cancel'); }
  function setSpeedStep(at: number): void {
    const next = speedOfStep(at);
    void settings.set({ speed: next === Infinity ? 'max' : next });
    if (client.connected) send('setSpeed', next);
  }
  const faster = (by: number): void => { setSpeedStep(stepOfSpeed(speed.value) + by); };

  /** A live change. The answer is the kernel's; what was taken becomes an event of the experiment. */
  async function change(what: Step): Promise<ChangeResult> {
    const answer = await client.call('change', what);
    if (answer.ok) doc.setEvents(await client.call('events'));
    return answer;
  }
  const read = (path: string): Promise<string> => client.call('read', path);
  const series = (metrics: readonly string[], points: number): ReturnType<EngineApi['series']> => client.call('series', metrics, points);
  const clusters = (query: ClusterQuery): ReturnType<EngineApi['clusters']> => client.call('clusters', query);
  const watchClusters = (query: ClusterQuery | null): ReturnType<EngineApi['watchClusters']> => client.call('watchClusters', query);
  /** Any call of the engine. @throws EngineLostError when there is none */
  const call = <K extends keyof EngineApi>(name: K, ...args: Parameters<EngineApi[K]>): Promise<Awaited<ReturnType<EngineApi[K]>>> => (
    client.call(name, ...args)
  );
  const digest = (): Promise<string> => client.call('digest');
  const result = (): Promise<unknown> => client.call('result');

  /** Follows the engine's status and takes its ports. */
  async function start(): Promise<void> {
    window.addEventListener('message', (event: MessageEvent<Partial<EnginePortMessage> | undefined>) => {
      const [port] = event.ports;
      if (event.source !== window || event.data?.type !== ENGINE_PORT_MESSAGE || !port) return;
      if (client.attach(port, event.data.generation ?? 0)) void loadIfNeeded();
    });
    const take = (status: EngineStatus): void => {
      if (status.state === 'lost' || status.state === 'failed') client.lost(status.generation);
      engine.value = status;
      if (status.state === 'ready' && client.generation < status.generation) window.swaplab.engine.connect();
      void loadIfNeeded();
    };
    window.swaplab.engine.onStatus(take);
    take(await window.swaplab.engine.status());
    watch(() => doc.opened, () => { selection.value = {}; void loadIfNeeded(); });
  }

  return {
    frame, info, engine, loading, problem, logLines, outputLines, colours, state, alive, running, canGo, now, speed, subscriptions,
    start, choose, runSoon, toggle, step, restart, cancel, setSpeedStep, faster, change, read, series, digest, result, call, clusters, watchClusters,
  };
});
