/** An experiment in short: for cards and lists. */
import type { ExperimentSpec, KernelSpec, SwapDeviceSpec } from '../../engine/experiment/spec';
import { roundSize } from '../wizard/units';

export const kernelText = (kernel: KernelSpec): string => {
  if (typeof kernel === 'string') return kernel;
  const set = Object.entries(kernel.set ?? {}).map(([name, value]) => `${name} = ${value}`);
  return set.length > 0 ? `${kernel.base} with ${set.join(', ')}` : kernel.base;
};

function deviceText(device: SwapDeviceSpec): string {
  return device.kind === 'xswap' ? 'xswap' : `${device.kind} ${roundSize(device.size_pages ?? 0)}`;
}

/** `2 × zram 512 MiB, partition 1 GiB`: devices of one kind and size are counted. */
export function devicesText(devices: readonly SwapDeviceSpec[]): string {
  const counts = new Map<string, number>();
  for (const device of devices) counts.set(deviceText(device), (counts.get(deviceText(device)) ?? 0) + 1);
  if (counts.size === 0) return 'no device at the start';
  return [...counts].map(([text, count]) => (count > 1 ? `${count} × ${text}` : text)).join(', ');
}

export function machineText({ machine }: ExperimentSpec): string {
  const parts = [`${roundSize(machine.ram_pages)} RAM`, `${machine.cpus} ${machine.cpus === 1 ? 'CPU' : 'CPUs'}`];
  if (machine.nodes > 1) parts.push(`${machine.nodes} nodes`);
  return parts.join(' · ');
}

/** The first paragraph of the notes: what the experiment shows. */
export const leadText = (spec: ExperimentSpec): string => spec.notes.trim().split(/\n\s*\n/)[0]?.replace(/\s*\n\s*/g, ' ') ?? '';

/** What follows the first paragraph. */
export const restText = (spec: ExperimentSpec): string => spec.notes.trim().split(/\n\s*\n/).slice(1).join('\n\n');

/** Where the published numbers come from, each source once. */
export const sourcesOf = (spec: ExperimentSpec): string[] => [...new Set(spec.claims.map((claim) => claim.source))];
