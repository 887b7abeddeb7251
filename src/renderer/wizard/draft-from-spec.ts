/** An experiment as a draft: for a changed copy. Nothing is lost: what the wizard has no field for is carried along. */
import type { CgroupSpec, ExperimentSpec, Step, SwapDeviceSpec } from '../../engine/experiment/spec';
import type { CgroupDraft, DeviceDraft, Draft } from './draft';
import { emptyDraft, takeKey } from './draft';
import type { StepDraft } from './script/step-kinds';
import { exactBytes, exactSize } from './units';

const text = (value: number | string | undefined): string => (value === undefined ? '' : String(value));

const yesNo = (value: boolean | undefined): string => (value === true ? 'yes' : 'no');

function deviceDraft(draft: Draft, device: SwapDeviceSpec): DeviceDraft {
  return {
    key: takeKey(draft),
    kind: device.kind,
    name: device.name,
    size: device.size_pages === undefined ? '' : exactSize(device.size_pages),
    priority: text(device.priority),
    ...(device.node === undefined ? {} : { node: device.node }),
    rotational: device.rotational ?? false,
    discard: device.discard ?? 'none',
    compressor: device.compressor ?? '',
    on: device.on ?? true,
  };
}

/** Plain bytes read better as a size; anything else stays as it was written. */
function limitText(value: string | undefined): string {
  if (value === undefined) return '';
  return /^\d{1,15}$/.test(value) ? exactBytes(Number(value)) : value;
}

function cgroupDraft(draft: Draft, group: CgroupSpec): CgroupDraft {
  const { 'memory.max': max, 'memory.swap.max': swapMax, ...other } = group.set ?? {};
  return { key: takeKey(draft), path: group.path, memoryMax: limitText(max), swapMax: limitText(swapMax), other };
}

export function stepDraft(key: string, step: Step): StepDraft {
  if ('write' in step) return { key, kind: 'write', fields: { path: step.write, text: step.text, expect: text(step.expect) } };
  if ('mkdir' in step) return { key, kind: 'mkdir', fields: { path: step.mkdir, expect: text(step.expect) } };
  if ('rmdir' in step) return { key, kind: 'rmdir', fields: { path: step.rmdir, expect: text(step.expect) } };
  if ('start' in step) {
    const { name, program, size_pages, fill, copies, cgroup, cpu, hold_s, churn, access } = step.start;
    const fields = {
      name, program, size: exactSize(size_pages), fill, copies: text(copies), cgroup: text(cgroup), cpu: text(cpu), hold: text(hold_s),
      aligned: yesNo(churn?.aligned), small: yesNo(churn?.small), rounds: text(churn?.rounds),
      accesses: text(access?.count), writes: text(access?.write_percent), law: access?.law ?? 'uniform', pause: text(access?.pause_s),
    };
    return { key, kind: 'start', fields };
  }
  if ('fork' in step) {
    const { fork, as, touch, cpu, hold_s, expect } = step;
    const fields = { program: fork, name: as, touch: touch ?? 'nothing', cpu: text(cpu), hold: text(hold_s), expect: text(expect) };
    return { key, kind: 'fork', fields };
  }
  if ('wait_used' in step) return { key, kind: 'waitUsed', fields: { pages: text(step.wait_used), rule: step.rule ?? 'at-least' } };
  if ('wait' in step) return { key, kind: 'wait', fields: { program: step.wait, until: step.until } };
  if ('kill' in step) return { key, kind: 'kill', fields: { program: step.kill, expect: text(step.expect) } };
  if ('sleep' in step) return { key, kind: 'sleep', fields: { seconds: text(step.sleep) } };
  if ('swapon' in step) {
    return { key, kind: 'swapon', fields: { device: step.swapon, priority: text(step.priority), expect: text(step.expect) } };
  }
  if ('swapoff' in step) return { key, kind: 'swapoff', fields: { device: step.swapoff, expect: text(step.expect) } };
  if ('pageout' in step) return { key, kind: 'pageout', fields: { program: step.pageout, pages: text(step.pages) } };
  if ('probe' in step) return { key, kind: 'probe', fields: { name: step.probe } };
  return { key, kind: 'repeat', fields: { times: text(step.repeat) }, inner: step.steps };
}

/** @param copy true: a changed copy of the experiment, which keeps its title as the origin. */
export function draftFromSpec(spec: ExperimentSpec, copy: boolean): Draft {
  const draft = emptyDraft();
  const { machine } = spec;
  draft.title = copy ? `${spec.title} (changed copy)` : spec.title;
  draft.copyOf = copy ? spec.title : null;
  draft.notes = spec.notes;
  draft.seeds = spec.seeds.join(', ');
  draft.machine = {
    ram: exactSize(machine.ram_pages),
    cpus: text(machine.cpus),
    nodes: text(machine.nodes),
    swappiness: text(machine.swappiness),
    pageCluster: text(machine.page_cluster),
  };
  draft.kernel = typeof spec.kernel === 'string' ? spec.kernel : spec.kernel.base;
  draft.devices = machine.swap.map((device) => deviceDraft(draft, device));
  if (machine.zswap) {
    draft.zswap = {
      enabled: machine.zswap.enabled,
      compressor: machine.zswap.compressor ?? '',
      maxPoolPercent: text(machine.zswap.max_pool_percent),
      acceptThresholdPercent: text(machine.zswap.accept_threshold_percent),
      shrinker: machine.zswap.shrinker_enabled ?? false,
    };
  }
  draft.thp = { ...machine.thp };
  draft.cgroups = (machine.cgroups ?? []).map((group) => cgroupDraft(draft, group));
  draft.script = spec.workload.steps.map((step) => stepDraft(takeKey(draft), step));
  draft.carried = {
    kernelSet: typeof spec.kernel === 'string' ? {} : (spec.kernel.set ?? {}),
    arms: spec.arms,
    measure: spec.measure,
    claims: spec.claims,
    ...(spec.scale === undefined ? {} : { scale: spec.scale }),
    events: spec.workload.events ?? [],
  };
  return draft;
}
