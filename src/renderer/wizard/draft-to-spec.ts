/**
 * A draft as an experiment. Called only on a draft without errors (checks/): a field that cannot be read is a fault of the
 * checks and throws. Only what differs from the kernel's default is written.
 */
import type {
  CgroupSpec, ExperimentSpec, ForkStep, KernelSpec, MachineSpec, ProgramSpec, Step, SwapDeviceSpec, ZswapSpec,
} from '../../engine/experiment/spec';
import type { CgroupDraft, DeviceDraft, Draft, ZswapDraft } from './draft';
import type { StepDraft } from './script/step-kinds';
import { accessSpec, churnSpec } from './script/program-options';
import { parseSize } from './units';
import { compact, numberOf, optionalNumber } from './values';

export function pagesOf(text: string, bare: 'refuse' | 'pages' = 'refuse'): number {
  const size = parseSize(text, bare);
  if (!size.ok) throw new Error(size.message);
  return size.pages;
}

const optionalText = (text: string | undefined): string | undefined => (text === undefined || text.trim() === '' ? undefined : text.trim());

/** The kernel names an xswap device by its swap type: its place among the devices that are on; those left off come after. */
export function xswapNumbers(devices: readonly DeviceDraft[]): readonly number[] {
  let on = 0;
  let off = devices.filter((device) => device.on).length;
  return devices.map((device) => (device.on ? on++ : off++));
}

export function deviceSpec(device: DeviceDraft, type: number): SwapDeviceSpec {
  const onDisk = device.kind === 'partition' || device.kind === 'file';
  return compact<SwapDeviceSpec>({
    kind: device.kind,
    name: device.kind === 'xswap' ? `xswap${type}` : device.name.trim(),
    size_pages: device.kind === 'xswap' ? undefined : pagesOf(device.size),
    priority: optionalNumber(device.priority),
    node: device.kind === 'xswap' ? undefined : device.node,
    rotational: onDisk && device.rotational ? true : undefined,
    discard: onDisk && device.discard !== 'none' ? device.discard : undefined,
    compressor: device.kind === 'zram' ? optionalText(device.compressor) : undefined,
    on: device.on ? undefined : false,
  });
}

function zswapSpec(zswap: ZswapDraft): ZswapSpec | undefined {
  const spec = compact<ZswapSpec>({
    enabled: zswap.enabled,
    compressor: optionalText(zswap.compressor),
    max_pool_percent: optionalNumber(zswap.maxPoolPercent),
    accept_threshold_percent: optionalNumber(zswap.acceptThresholdPercent),
    shrinker_enabled: zswap.shrinker ? true : undefined,
  });
  return !zswap.enabled && Object.keys(spec).length === 1 ? undefined : spec;
}

/** What is written to the file: sizes as bytes; `max` and what the kernel itself reads (2G) stay as typed. */
export function limitValue(text: string): string {
  const trimmed = text.trim();
  if (trimmed === 'max' || /^(0x[0-9a-f]+|\d+)[KMGTPE]?$/i.test(trimmed)) return trimmed;
  const size = parseSize(trimmed, 'bytes');
  if (!size.ok) throw new Error(size.message);
  return String(size.bytes);
}

function cgroupSpec(group: CgroupDraft): CgroupSpec {
  const set: Record<string, string> = {};
  if (group.memoryMax.trim() !== '') set['memory.max'] = limitValue(group.memoryMax);
  if (group.swapMax.trim() !== '') set['memory.swap.max'] = limitValue(group.swapMax);
  Object.assign(set, group.other);
  return compact<CgroupSpec>({ path: group.path.trim(), set: Object.keys(set).length > 0 ? set : undefined });
}

export function stepSpec(step: StepDraft): Step {
  const field = (name: string): string => (step.fields[name] ?? '').trim();
  const optional = (name: string): string | undefined => optionalText(step.fields[name]);
  switch (step.kind) {
    case 'start':
      return {
        start: compact<ProgramSpec>({
          name: field('name'),
          program: field('program') as ProgramSpec['program'],
          size_pages: pagesOf(field('size')),
          fill: field('fill') as ProgramSpec['fill'],
          copies: optionalNumber(field('copies')),
          cgroup: optional('cgroup'),
          cpu: optionalNumber(field('cpu')),
          hold_s: optionalNumber(field('hold')),
          churn: field('program') === 'thp_swap_allocator_test' ? churnSpec(field) : undefined,
          access: field('program') === 'random_access' ? accessSpec(field) : undefined,
        }),
      };
    case 'fork':
      return compact<ForkStep>({
        fork: field('program'),
        as: field('name'),
        touch: field('touch') === 'nothing' ? undefined : (field('touch') as 'read' | 'write'),
        cpu: optionalNumber(field('cpu')),
        hold_s: optionalNumber(field('hold')),
        expect: optional('expect'),
      });
    case 'wait': return { wait: field('program'), until: field('until') as 'touched' | 'done' | 'ended' };
    case 'waitUsed': {
      const rule = field('rule') === 'at-most' ? ({ rule: 'at-most' } as const) : {};
      return { wait_used: numberOf(field('pages')), ...rule };
    }
    case 'sleep': return { sleep: numberOf(field('seconds')) };
    // The text goes to the file to the letter: spaces at either end are part of some experiments.
    case 'write': return compact({ write: field('path'), text: step.fields.text ?? '', expect: optional('expect') });
    case 'swapon': return compact({ swapon: field('device'), priority: optionalNumber(field('priority')), expect: optional('expect') });
    case 'swapoff': return compact({ swapoff: field('device'), expect: optional('expect') });
    case 'kill': return compact({ kill: field('program'), expect: optional('expect') });
    case 'pageout': return { pageout: field('program'), pages: numberOf(field('pages')) };
    case 'probe': return { probe: field('name') };
    case 'mkdir': return compact({ mkdir: field('path'), expect: optional('expect') });
    case 'rmdir': return compact({ rmdir: field('path'), expect: optional('expect') });
    case 'repeat': return { repeat: numberOf(field('times')), steps: step.inner ?? [] };
  }
}

export function seedsOf(text: string): number[] {
  return text.split(/[\s,]+/).filter((part) => part !== '').map(numberOf);
}

export function machineSpec(draft: Draft): MachineSpec {
  const types = xswapNumbers(draft.devices);
  const thp = Object.fromEntries(Object.entries(draft.thp).filter(([, mode]) => mode !== 'never'));
  return compact<MachineSpec>({
    ram_pages: pagesOf(draft.machine.ram),
    cpus: numberOf(draft.machine.cpus),
    nodes: numberOf(draft.machine.nodes),
    swap: draft.devices.map((device, index) => deviceSpec(device, types[index] ?? index)),
    zswap: zswapSpec(draft.zswap),
    thp: Object.keys(thp).length > 0 ? thp : undefined,
    cgroups: draft.cgroups.length > 0 ? draft.cgroups.map(cgroupSpec) : undefined,
    swappiness: optionalNumber(draft.machine.swappiness),
    page_cluster: optionalNumber(draft.machine.pageCluster),
  });
}

export function kernelSpec(draft: Draft): KernelSpec {
  const { kernelSet } = draft.carried;
  return Object.keys(kernelSet).length > 0 ? { base: draft.kernel, set: kernelSet } : draft.kernel;
}

export function draftToSpec(draft: Draft): ExperimentSpec {
  const { carried } = draft;
  return compact<ExperimentSpec>({
    format: 'swaplab/experiment',
    version: 1,
    title: draft.title.trim(),
    notes: draft.notes,
    scale: carried.scale,
    machine: machineSpec(draft),
    kernel: kernelSpec(draft),
    workload: compact({
      steps: draft.script.map(stepSpec),
      events: carried.events.length > 0 ? carried.events : undefined,
    }),
    arms: carried.arms,
    measure: carried.measure,
    seeds: seedsOf(draft.seeds),
    claims: carried.claims,
  });
}
