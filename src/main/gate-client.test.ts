import { fork, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GateAnswer, GateVerdict } from '../contract/host-messages';
import { GateClient } from './gate-client';
import { bundleForNode, type Bundle } from './testing/bundle';

let bundle: Bundle;
let children: ChildProcess[];
let client: GateClient;

beforeAll(async () => {
  bundle = await bundleForNode(path.join(import.meta.dirname, 'testing/node-gate.ts'));
}, 60_000);
afterAll(() => rmSync(bundle.folder, { recursive: true, force: true }));

beforeEach(() => {
  children = [];
  client = new GateClient((events) => {
    const child = fork(bundle.file, { serialization: 'advanced' });
    children.push(child);
    child.on('message', (answer) => events.onMessage(answer as GateAnswer));
    child.on('exit', () => events.onExit());
    return { post: (request) => child.send(request), kill: () => child.kill('SIGKILL') };
  }, 3000);
});
afterEach(() => client.stop());

const experiment = (title: string): string =>
  JSON.stringify({
    format: 'swaplab/experiment', version: 1, title, notes: '',
    machine: { ram_pages: 4096, cpus: 1, nodes: 1, swap: [] },
    kernel: 'linux-6.18', workload: { steps: [] }, arms: [], measure: {}, seeds: [1], claims: [],
  });
const titleOf = (verdict: GateVerdict): string => (verdict.kind === 'taken' ? verdict.spec.title : verdict.message);

describe('the gate in a process of its own', () => {
  it('judges texts in the order they came, in one process', async () => {
    const verdicts = await Promise.all([client.judge(experiment('a')), client.judge('{"format":'), client.judge(experiment('b'))]);
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['taken', 'refused', 'taken']);
    expect(titleOf(verdicts[2])).toBe('b');
    expect(children).toHaveLength(1);
  });

  it('is ended when a text keeps it busy too long; the next text is judged by a new one', async () => {
    const [hung, next] = await Promise.all([client.judge('hang'), client.judge(experiment('after'))]);
    expect(titleOf(hung)).toBe('Judging it took longer than 3 s; it was given up.');
    expect(titleOf(next)).toBe('after');
    expect(children).toHaveLength(2);
    expect(children[0]?.killed).toBe(true);
  }, 20_000);

  it('survives a text that ends its process', async () => {
    const [died, next] = await Promise.all([client.judge('die'), client.judge(experiment('after'))]);
    expect(died).toMatchObject({ kind: 'refused' });
    expect(titleOf(next)).toBe('after');
  });

  it('an honest file of 10 MiB that is no experiment and one 20,000 levels deep are refused in time', async () => {
    const big = await client.judge(JSON.stringify({ format: 'swaplab/experiment', version: 1, notes: 'x'.repeat(10 * 1024 * 1024) }));
    expect(big).toMatchObject({ kind: 'refused' });
    const deep = await client.judge(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(titleOf(deep)).toMatch(/deep/);
    expect(children).toHaveLength(1);
  });
});
