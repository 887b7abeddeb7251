/**
 * The transcript of xswap v3 as its author made it: reads of /proc and /sys while builtin:xswap-cap runs. Bundled and run by
 * published.test.ts; prints one JSON object. Reads at every probe, and every few thousand page operations in between.
 */
import { readFileSync } from 'node:fs';
import { createMachine } from '../../engine/create-machine';
import type { ExperimentSpec } from '../../engine/experiment/spec';
import { swaponShow } from '../../engine/kernel/fs/commands/swapon';
import type { Machine } from '../../engine/machine';

export interface Reading {
  /** Lines of /proc/meminfo. */
  readonly SwapTotal: string;
  readonly SwapFree: string;
  readonly swapon: string;
  /** /sys/kernel/mm/xswap/type0/limit; empty: there is no such file. */
  readonly limit: string;
  readonly memoryEvents: string;
}

export interface Transcript {
  readonly probes: Record<string, Reading>;
  /** Of all reads in between. */
  readonly lowestFree: number;
  readonly highestFreeOverTotal: number;
  /** The last read before the OOM kill. */
  readonly freeBeforeKill: number;
  readonly killLog: readonly string[];
  readonly invariants: readonly string[];
  readonly failure: string | null;
}

const LIMIT = '/sys/kernel/mm/xswap/type0/limit';
const EVENTS = '/sys/fs/cgroup/xswap_limit/memory.events';

const line = (machine: Machine, key: string): string => new RegExp(`^${key}:.*$`, 'm').exec(machine.read('/proc/meminfo'))?.[0] ?? '';
const kB = (text: string): number => Number(/(-?\d+) kB$/.exec(text)?.[1]);
const has = (machine: Machine, folder: string, name: string): boolean => machine.list(folder).includes(name);

const read = (machine: Machine): Reading => ({
  SwapTotal: line(machine, 'SwapTotal'),
  SwapFree: line(machine, 'SwapFree'),
  swapon: swaponShow(machine.read('/proc/swaps')),
  limit: has(machine, '/sys/kernel/mm/xswap', 'type0') ? machine.read(LIMIT) : '',
  memoryEvents: machine.read(EVENTS),
});

const transcript = (spec: ExperimentSpec): Transcript => {
  const machine = createMachine(spec);
  const probes: Record<string, Reading> = {};
  let lowestFree = Infinity;
  let highestFreeOverTotal = -Infinity;
  let freeBeforeKill = NaN;
  let killed = false;
  for (;;) {
    const { done } = machine.advance(Infinity, 5000, true);
    const probe = /^probe (\w+)$/.exec(machine.script().label)?.[1];
    if (probe !== undefined) probes[probe] ??= read(machine);
    const free = kB(line(machine, 'SwapFree'));
    lowestFree = Math.min(lowestFree, free);
    highestFreeOverTotal = Math.max(highestFreeOverTotal, free - kB(line(machine, 'SwapTotal')));
    killed ||= machine.marks(0).some((mark) => mark.source === 'kernel');
    if (!killed) freeBeforeKill = free;
    if (done) break;
  }
  const killLog = machine.log(0).filter((text) => /oom-kill:|Killed process/.test(text));
  const invariants = machine.checkInvariants();
  return { probes, lowestFree, highestFreeOverTotal, freeBeforeKill, killLog, invariants, failure: machine.failure() ?? null };
};

process.stdout.write(JSON.stringify(transcript(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ExperimentSpec)));
