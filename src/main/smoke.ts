/** `--smoke`: does this build work at all? One line of JSON on stdout, exit code 0 or 1. Nothing of the user's is touched. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createBirpc } from 'birpc';
import { app, MessageChannelMain, type MessagePortMain } from 'electron';
import type { EngineApi, TelemetryFrame } from '../contract/engine-api';
import { startApplication } from './application';
import { spawnEngine } from './engine-link';
import { SMOKE_EXPERIMENT } from './smoke-experiment';

const MOST_MS = 30_000;

export async function runSmokeTest(devServer: string | undefined): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'swaplab-smoke-'));
  if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', folder);
  const { electron, chrome, node } = process.versions;
  const versions = { app: app.getVersion(), electron, chrome, node };
  let report: { ok: boolean; [key: string]: unknown };
  try {
    await inTime(openWindow(devServer));
    const digest = await inTime(runEngine());
    report = { ok: true, versions, window: true, digest };
  } catch (error) {
    report = { ok: false, versions, error: error instanceof Error ? error.message : String(error) };
  }
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`${JSON.stringify(report)}\n`, () => app.exit(report.ok ? 0 : 1));
}

/** The whole app, unseen, until its window says that it is up. */
function openWindow(devServer: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const commandLine = { files: [], run: false, smoke: true };
    startApplication({ commandLine, devServer, show: false, onWindowReady: resolve }).catch(reject);
  });
}

/** A tiny run in an engine process of its own. @returns its digest */
function runEngine(): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannelMain();
    const engine = spawnEngine({
      onMessage: (message) => {
        if (message.kind === 'ready') {
          engine.post({ kind: 'port', generation: 1 }, port1);
          drive(port2).then(resolve, reject).finally(() => engine.kill());
        }
      },
      onExit: (code) => reject(new Error(`The engine process ended (code ${code ?? 'unknown'}).`)),
    });
  });
}

async function drive(port: MessagePortMain): Promise<string> {
  let onFrame: (frame: TelemetryFrame) => void = () => undefined;
  const calls = createBirpc<EngineApi>({}, {
    post: (data: unknown) => port.postMessage(data),
    on: (receive: (data: unknown) => void) => {
      port.on('message', ({ data }: { data: unknown }) => {
        if (typeof data === 'object' && data !== null && 'kind' in data) onFrame(data as TelemetryFrame);
        else receive(data);
      });
    },
  });
  port.start();
  await calls.load(SMOKE_EXPERIMENT, {});
  const ended = new Promise<void>((resolve, reject) => {
    onFrame = ({ state, failure }) => {
      if (state === 'done') resolve();
      else if (state === 'failed') reject(new Error(failure ?? 'The run failed.'));
      port.postMessage({ kind: 'credit', generation: 1 });
    };
  });
  await calls.run(Infinity);
  port.postMessage({ kind: 'credit', generation: 1 });
  await ended;
  return calls.digest();
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No answer within ${MOST_MS / 1000} s.`)), MOST_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
