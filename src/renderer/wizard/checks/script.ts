import { CHURN_UNIT, MAX_COPIES, MAX_PROGRAM_PAGES, MAX_TOTAL_PAGES } from '../../../contract/experiment';
import { ERRNO } from '../../../engine/errno';
import type { Draft } from '../draft';
import { groupDigits, parseSize, roundSize } from '../units';
import type { FieldSpec, StepDraft } from '../script/step-kinds';
import { fieldsOf } from '../script/step-kinds';
import type { Problem } from './problem';
import { Findings } from './problem';

const MAX_STEPS = 10_000;
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
/** A probe of this name would hide counters in the result. */
const RESERVED = /^(always|oom|meminfo|swaps|swap|vmstat|thp|block|time|memcg|zswap|xswap|zram|lock|engine|dmesg|swapon|min|max|program|checker|reclaim)$/;

/** What the steps before have made: names to refer to. */
interface Seen {
  /** Pages of the latest program of each name: at most these are alive at a time. */
  readonly programs: Map<string, number>;
  readonly cgroups: Set<string>;
  readonly probes: Set<string>;
}

export function checkScript(draft: Draft): Problem[] {
  const found = new Findings('workload');
  const seen: Seen = { programs: new Map(), cgroups: new Set(draft.cgroups.map((group) => group.path.trim())), probes: new Set() };
  if (draft.script.length === 0) found.warn('script.list', 'No step: the machine starts and nothing happens. Add a program.');
  if (draft.script.length > MAX_STEPS) found.error('script.list', `expected at most ${MAX_STEPS} steps, got ${draft.script.length}`);
  for (const step of draft.script) {
    for (const field of fieldsOf(step)) checkField(found, draft, step, field, seen);
    remember(found, step, seen);
  }
  return found.problems;
}

function remember(found: Findings, step: StepDraft, seen: Seen): void {
  const name = (step.fields.name ?? '').trim();
  if (step.kind === 'start') {
    const size = parseSize(step.fields.size ?? '');
    const copies = /^\d+$/.test(step.fields.copies?.trim() ?? '') ? Number(step.fields.copies) : 1;
    seen.programs.set(name, size.ok ? size.pages * copies : 0);
    const alive = [...seen.programs.values()].reduce((sum, pages) => sum + pages, 0);
    if (size.ok && size.pages <= MAX_PROGRAM_PAGES && alive > MAX_PROGRAM_PAGES) {
      found.error(`script.${step.key}.size`, `expected programs of at most ${roundSize(MAX_PROGRAM_PAGES)} together, got ${roundSize(alive)}`);
    }
  }
  if (step.kind === 'fork') seen.programs.set(name, seen.programs.get((step.fields.program ?? '').trim()) ?? 0);
  if (step.kind === 'probe') {
    if (RESERVED.test(name)) found.error(`script.${step.key}.name`, `expected another name: ${name} stands for counters`);
    else if (seen.probes.has(name)) found.error(`script.${step.key}.name`, `${name} is the name of a probe before`);
    seen.probes.add(name);
  }
  if (step.kind === 'mkdir') seen.cgroups.add((step.fields.path ?? '').trim().replace(/^\/sys\/fs\/cgroup/, ''));
}

function checkField(found: Findings, draft: Draft, step: StepDraft, field: FieldSpec, seen: Seen): void {
  const id = `script.${step.key}.${field.name}`;
  const text = (step.fields[field.name] ?? '').trim();
  if (text === '') {
    if (!field.optional) found.error(id, `expected ${field.label}${field.placeholder === undefined ? '' : `, such as ${field.placeholder}`}`);
    return;
  }
  switch (field.type) {
    case 'size': {
      const size = parseSize(text);
      if (!size.ok) found.error(id, size.message);
      else if (size.pages < 1 || size.pages > MAX_PROGRAM_PAGES) {
        found.error(id, `expected 1 page to ${roundSize(MAX_PROGRAM_PAGES)}, got ${groupDigits(size.pages)} pages`);
      } else if (step.fields.program === 'thp_swap_allocator_test' && size.pages % CHURN_UNIT !== 0) {
        found.error(id, `expected a multiple of ${CHURN_UNIT * 4} KiB for this program, such as 60 MiB`);
      }
      return;
    }
    case 'pages': {
      found.whole(id, text, 0, MAX_TOTAL_PAGES, { what: 'a whole number of pages' });
      return;
    }
    case 'whole': {
      checkWhole(found, draft, id, text, field.name);
      return;
    }
    case 'percent': {
      found.whole(id, text, 0, 100);
      return;
    }
    case 'seconds': {
      const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
      if (!(value >= 0 && value <= 1e6)) found.error(id, `expected seconds from 0 to 1000000, got “${text}”`);
      return;
    }
    case 'program': {
      if (!seen.programs.has(text)) found.error(id, `no step before this one starts “${text}”${listed(seen.programs)}`);
      return;
    }
    case 'cgroup': {
      if (text !== '/' && !seen.cgroups.has(text)) found.error(id, `no cgroup ${text}: describe it, or make it in a step before${listed(seen.cgroups)}`);
      return;
    }
    case 'errno': {
      if (!(text in ERRNO)) found.error(id, `expected the name of an error such as EINVAL or EBUSY, got “${text}”`);
      return;
    }
    case 'device': {
      if (!/^\/|^xswap\d+$/.test(text)) found.error(id, `expected a device such as /dev/zram0 or /swapfile, got “${text}”`);
      else if (!draft.devices.some((device) => device.name.trim() === text) && !text.startsWith('xswap')) {
        found.warn(id, `No device ${text} is described: the step ends with ENOENT.`);
      }
      return;
    }
    case 'text': {
      checkText(found, step, id, text, field.name);
      return;
    }
    case 'choice': {
      if (!field.options?.includes(text)) found.error(id, `expected one of ${field.options?.join(', ')}, got “${text}”`);
    }
  }
}

function checkWhole(found: Findings, draft: Draft, id: string, text: string, name: string): void {
  if (name === 'cpu') {
    const cpus = Number(draft.machine.cpus);
    found.whole(id, text, 0, Number.isInteger(cpus) && cpus > 0 ? cpus - 1 : 511, { what: 'a CPU' });
  } else if (name === 'priority') found.whole(id, text, 0, 32767);
  else if (name === 'copies') found.whole(id, text, 1, MAX_COPIES);
  else if (name === 'rounds') found.whole(id, text, 1, 10_000);
  else if (name === 'accesses') found.whole(id, text, 1, 1e9);
  else found.whole(id, text, 1, 1_000_000);
}

function checkText(found: Findings, step: StepDraft, id: string, text: string, name: string): void {
  if (name === 'name' && !NAME.test(text)) found.error(id, `expected a letter, then letters, digits, “_”, “.” or “-”, got “${text}”`);
  if (name === 'text') found.plainText(id, step.fields.text ?? '', 4096, true);
  if (name !== 'path') return;
  if (step.kind === 'write' && !/^\/(proc|sys)\/\S{1,250}$/.test(text)) found.error(id, `expected a file of /proc or /sys without spaces, got “${text}”`);
  if (step.kind !== 'write' && !/^\/sys\/fs\/cgroup\/\S{1,240}$/.test(text)) found.error(id, `expected a folder below /sys/fs/cgroup, got “${text}”`);
}

const listed = (names: ReadonlySet<string> | ReadonlyMap<string, number>): string => (
  names.size === 0 ? '' : ` (there are: ${[...names.keys()].join(', ')})`
);
