/** The steps of a script: which fields each kind has, for the editor, the checks and both conversions. */
import { programSchema } from '../../../contract/experiment';
import type { RepeatedStep } from '../../../engine/experiment/spec';
import type { RowKey } from '../draft';

export type StepKind =
  | 'start' | 'fork' | 'wait' | 'waitUsed' | 'sleep' | 'write' | 'swapon' | 'swapoff' | 'kill' | 'pageout' | 'probe' | 'mkdir' | 'rmdir' | 'repeat';

export interface StepDraft {
  readonly key: RowKey;
  kind: StepKind;
  /** By field name; absent: empty. */
  fields: Record<string, string>;
  /** The steps inside a repeat, carried as they are. */
  inner?: readonly RepeatedStep[];
}

export type FieldType =
  /** Free text. */
  | 'text'
  /** parseSize to pages; the unit has to be said. */
  | 'size'
  /** A plain number of pages. */
  | 'pages'
  | 'seconds'
  | 'whole'
  | 'percent'
  /** One of `options`. */
  | 'choice'
  /** Name of a program that a step before starts. */
  | 'program'
  | 'cgroup'
  | 'device'
  | 'errno';

export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly optional?: boolean;
  readonly options?: readonly string[];
  readonly placeholder?: string;
  readonly initial?: string;
  /** Shown and read only where the program is this one. */
  readonly of?: string;
  /** Width in characters. */
  readonly width: number;
}

export interface StepKindSpec {
  readonly kind: StepKind;
  readonly label: string;
  readonly about: string;
  readonly fields: readonly FieldSpec[];
}

const program: FieldSpec = { name: 'program', label: 'program', type: 'program', width: 14 };
const expectError: FieldSpec = { name: 'expect', label: 'must fail with', type: 'errno', optional: true, placeholder: 'EINVAL', width: 11 };
const device: FieldSpec = { name: 'device', label: 'device', type: 'device', width: 18 };

export const STEP_KINDS: readonly StepKindSpec[] = [
  {
    kind: 'start', label: 'Start program',
    about: 'Starts a program that fills anonymous memory, works on it, and holds it; the script goes on at once. '
      + 'Several copies are spread over the CPUs.',
    fields: [
      { name: 'name', label: 'name', type: 'text', initial: 'hog', width: 10 },
      { name: 'program', label: 'program', type: 'choice', options: programSchema.shape.program.options, initial: 'memhog', width: 24 },
      { name: 'size', label: 'size', type: 'size', initial: '1 GiB', width: 12 },
      { name: 'fill', label: 'fill', type: 'choice', options: programSchema.shape.fill.options, initial: 'pattern', width: 10 },
      { name: 'accesses', label: 'accesses', type: 'whole', initial: '100000', width: 9, of: 'random_access' },
      { name: 'writes', label: 'writes (%)', type: 'percent', initial: '30', width: 7, of: 'random_access' },
      { name: 'law', label: 'law', type: 'choice', options: ['uniform', 'zipf'], initial: 'uniform', width: 10, of: 'random_access' },
      { name: 'pause', label: 'pause (s)', type: 'seconds', optional: true, placeholder: '0', width: 7, of: 'random_access' },
      { name: 'aligned', label: 'aligned (-a)', type: 'choice', options: ['no', 'yes'], initial: 'no', width: 8, of: 'thp_swap_allocator_test' },
      { name: 'small', label: 'small (-s)', type: 'choice', options: ['no', 'yes'], initial: 'no', width: 8, of: 'thp_swap_allocator_test' },
      { name: 'rounds', label: 'rounds', type: 'whole', optional: true, placeholder: '100', width: 6, of: 'thp_swap_allocator_test' },
      { name: 'copies', label: 'copies', type: 'whole', optional: true, placeholder: '1', width: 6 },
      { name: 'cgroup', label: 'cgroup', type: 'cgroup', optional: true, placeholder: '/', width: 12 },
      { name: 'cpu', label: 'CPU', type: 'whole', optional: true, placeholder: 'any', width: 5 },
      { name: 'hold', label: 'hold (s)', type: 'seconds', optional: true, placeholder: '300', width: 7 },
    ],
  },
  {
    kind: 'fork', label: 'Fork',
    about: 'fork(2): a child that shares the memory of a program until one of the two writes to it; it may go through all of it once.',
    fields: [
      program,
      { name: 'name', label: 'as', type: 'text', initial: 'child', width: 10 },
      { name: 'touch', label: 'goes through', type: 'choice', options: ['nothing', 'read', 'write'], initial: 'nothing', width: 10 },
      { name: 'cpu', label: 'CPU', type: 'whole', optional: true, placeholder: 'any', width: 5 },
      { name: 'hold', label: 'hold (s)', type: 'seconds', optional: true, placeholder: '300', width: 7 },
      expectError,
    ],
  },
  {
    kind: 'wait', label: 'Wait for',
    about: 'Until the program, or each of its copies, has touched all its memory, has done its work, or has ended (by itself or by a kill).',
    fields: [program, { name: 'until', label: 'until', type: 'choice', options: ['touched', 'done', 'ended'], initial: 'touched', width: 10 }],
  },
  {
    kind: 'waitUsed', label: 'Wait for swap use', about: 'Until at least, or at most, so many pages of swap are in use in total.',
    fields: [
      { name: 'rule', label: 'rule', type: 'choice', options: ['at-least', 'at-most'], initial: 'at-least', width: 10 },
      { name: 'pages', label: 'slots in use, pages', type: 'pages', initial: '1000', width: 12 },
    ],
  },
  {
    kind: 'sleep', label: 'Sleep', about: 'Lets simulated time pass.',
    fields: [{ name: 'seconds', label: 'seconds', type: 'seconds', initial: '1', width: 8 }],
  },
  {
    kind: 'write', label: 'Write file', about: 'echo TEXT > PATH, for any file of /proc and /sys.',
    fields: [
      { name: 'text', label: 'text', type: 'text', optional: true, width: 10 },
      { name: 'path', label: 'path', type: 'text', placeholder: '/sys/module/zswap/parameters/enabled', width: 32 },
      expectError,
    ],
  },
  {
    kind: 'swapon', label: 'swapon', about: 'Switches a device on.',
    fields: [device, { name: 'priority', label: 'priority', type: 'whole', optional: true, placeholder: 'default', width: 8 }, expectError],
  },
  { kind: 'swapoff', label: 'swapoff', about: 'Brings every page back and switches the device off.', fields: [device, expectError] },
  { kind: 'kill', label: 'Kill program', about: 'SIGKILL.', fields: [program, expectError] },
  {
    kind: 'pageout', label: 'Page out', about: 'madvise(MADV_PAGEOUT) over the program’s memory until so many slots are in use in total.',
    fields: [program, { name: 'pages', label: 'slots in use, pages', type: 'pages', initial: '1000', width: 12 }],
  },
  {
    kind: 'probe', label: 'Probe', about: 'Records every metric under this name, for claims and the result table.',
    fields: [{ name: 'name', label: 'name', type: 'text', initial: 'end', width: 16 }],
  },
  {
    kind: 'mkdir', label: 'Make cgroup', about: 'mkdir below /sys/fs/cgroup.',
    fields: [{ name: 'path', label: 'path', type: 'text', initial: '/sys/fs/cgroup/app', width: 32 }, expectError],
  },
  {
    kind: 'rmdir', label: 'Remove cgroup', about: 'rmdir below /sys/fs/cgroup.',
    fields: [{ name: 'path', label: 'path', type: 'text', initial: '/sys/fs/cgroup/app', width: 32 }, expectError],
  },
  {
    kind: 'repeat', label: 'Repeat', about: 'The steps inside, so many times over.',
    fields: [{ name: 'times', label: 'times', type: 'whole', initial: '10', width: 8 }],
  },
];

const BY_KIND: ReadonlyMap<StepKind, StepKindSpec> = new Map(STEP_KINDS.map((spec) => [spec.kind, spec]));

export function stepKind(kind: StepKind): StepKindSpec {
  const spec = BY_KIND.get(kind);
  if (!spec) throw new Error(`no step of kind ${kind}`);
  return spec;
}

/** The fields that a step has as it stands: those of another program are left out. */
export const fieldsOf = (step: StepDraft): readonly FieldSpec[] =>
  stepKind(step.kind).fields.filter((field) => field.of === undefined || field.of === step.fields.program);

/** Kinds that can be added by hand; a repeat comes with the experiment that is copied. */
export const ADDABLE_KINDS: readonly StepKindSpec[] = STEP_KINDS.filter((spec) => spec.kind !== 'repeat');

export function newStep(key: RowKey, kind: StepKind): StepDraft {
  const fields: Record<string, string> = {};
  for (const field of stepKind(kind).fields) fields[field.name] = field.initial ?? '';
  return { key, kind, fields };
}
