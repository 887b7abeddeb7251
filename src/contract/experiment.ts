/**
 * The experiment file (`*.swaplab.json`) as zod schemas: strict objects, ranges, length caps. The engine's own types
 * (engine/experiment/spec.ts) describe the same shapes; the check at the end keeps both in step.
 * Messages say what was expected; gate.ts adds the place and what was found.
 */
import { z } from 'zod';
import type { ExperimentSpec } from '../engine/experiment/spec';

export const EXPERIMENT_FORMAT = 'swaplab/experiment';
export const EXPERIMENT_VERSION = 1;

/** Most slots that one device can have (a swap entry holds 27 bits of offset). */
export const MAX_DEVICE_PAGES = 2 ** 27;
/** All devices of a machine together: bounds the memory that a file can ask for. */
export const MAX_TOTAL_PAGES = 2 ** 28;
/** All programs of a workload together, 128 GiB: the engine holds some 40 bytes a page of theirs. */
export const MAX_PROGRAM_PAGES = 2 ** 25;
export const MIN_RAM_PAGES = 512;
export const MAX_RAM_PAGES = 2 ** 28;

/** JSON has a -0 that files do not keep: what was saved and read again must run to the same bit. */
const positiveZero = (value: number): number => value + 0;

const whole = (low: number, high: number) => {
  const message = `a whole number from ${low} to ${high}`;
  return z.number({ error: message }).int({ error: message }).min(low, { error: message }).max(high, { error: message }).overwrite(positiveZero);
};
const real = (low: number, high: number) => {
  const message = `a number from ${low} to ${high}`;
  return z.number({ error: message }).min(low, { error: message }).max(high, { error: message }).overwrite(positiveZero);
};
const finite = z.number({ error: 'a finite number' }).overwrite(positiveZero);
const flag = z.boolean({ error: 'true or false' });
/**
 * Inside of a character class: control characters (DEL, C1), line separators, the marks that turn the direction of writing, and halves
 * of surrogate pairs. None of them is to be seen, and all of them change what is seen around them.
 */
const UNSEEN = String.raw`\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff`;
/** Texts of one line, of lines and tabs, and without any blank. */
const ONE_LINE = new RegExp(String.raw`^[^\u0000-\u001f${UNSEEN}]*$`, 'u');
const LINES = new RegExp(String.raw`^[^\u0000-\u0008\u000b-\u001f${UNSEEN}]*$`, 'u');
const WORD = new RegExp(String.raw`^[^\u0000-\u0020${UNSEEN}]+$`, 'u');
const ABSOLUTE = new RegExp(String.raw`^/[^\u0000-\u0020${UNSEEN}]+$`, 'u');

/** One line, or with `multiline` several. */
const text = (max: number, options: { min?: number; multiline?: boolean } = {}) => {
  const { min = 0, multiline = false } = options;
  const message = `${multiline ? 'a text' : 'one line of text'} of ${min ? `${min} to` : 'at most'} ${max} characters without control characters`;
  const pattern = multiline ? LINES : ONE_LINE;
  return z.string({ error: message }).min(min, { error: message }).max(max, { error: message }).regex(pattern, { error: message });
};
const matching = (pattern: RegExp, message: string, max = 256) =>
  z.string({ error: message }).max(max, { error: message }).regex(pattern, { error: message });
const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) => z.enum(values, { error: `one of ${values.map((v) => `"${v}"`).join(', ')}` });
const list = <T extends z.ZodType>(item: T, max: number, min = 0) => {
  const message = `a list of ${min ? `${min} to` : 'at most'} ${max} entries`;
  return z.array(item, { error: message }).min(min, { error: message }).max(max, { error: message });
};
/** An object with these keys and no others; of one that has another key the message says which there are. */
const object = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape, {
  error: (issue) => (issue.code === 'unrecognized_keys' ? `one of the keys ${Object.keys(shape).map((key) => `"${key}"`).join(', ')}` : undefined),
});
const absent = <T extends z.ZodType>(schema: T) => schema.optional();

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const name = (what: string) => matching(NAME, `${what} (a letter, then letters, digits, "_", "." or "-", at most 64)`);
const errnoName = matching(/^E[A-Z0-9]{2,14}$/, 'an errno name such as "EINVAL"');
const filePath = matching(ABSOLUTE, 'an absolute path of at most 256 characters without spaces');
const kernelId = matching(/^[a-z][a-z0-9.-]{0,63}$/, 'a kernel id such as "linux-6.18"');
const cgroupPath = matching(/^(\/[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}){1,8}$/, 'a cgroup path such as "/app" or "/app/worker"');
const sysfsText = matching(LINES, 'a text of at most 4096 characters without control characters', 4096);
const priority = whole(0, 32767);

export const kernelSchema = z.union([
  kernelId,
  object({
    base: kernelId,
    set: absent(z.record(name('a policy'), z.union([text(64), finite, flag], { error: 'a text, a number, true or false' }))),
  }),
], { error: 'a kernel id, or {"base": kernel id, "set": {policy: value}}' });

/** Names that fit each kind of device. */
const DEVICE_NAME: Record<string, [RegExp, string]> = {
  zram: [/^\/dev\/zram(0|[1-9][0-9]{0,3})$/, '"/dev/zram0", "/dev/zram1", …'],
  partition: [/^\/dev\/[A-Za-z0-9][A-Za-z0-9/_-]{0,63}$/, 'a block device such as "/dev/vdc"'],
  file: [ABSOLUTE, 'the absolute path of a swap file without spaces'],
  xswap: [/^xswap(0|[1-9][0-9]?)$/, '"xswap0", "xswap1", …'],
};

export const swapDeviceSchema = object({
  kind: oneOf('zram', 'partition', 'file', 'xswap'),
  name: text(128, { min: 1 }),
  size_pages: absent(whole(10, MAX_DEVICE_PAGES)),
  priority: absent(priority),
  node: absent(whole(0, 63)),
  rotational: absent(flag),
  discard: absent(oneOf('none', 'once', 'pages')),
  compressor: absent(matching(/^[a-z0-9-]{1,32}$/, 'a compressor such as "lzo-rle"')),
  on: absent(flag),
}).superRefine((device, ctx) => {
  const issue = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message });
  const [pattern, expected] = DEVICE_NAME[device.kind] as [RegExp, string];
  if (!pattern.test(device.name)) issue('name', `for kind "${device.kind}" ${expected}`);
  if (device.kind !== 'xswap' && device.size_pages === undefined) issue('size_pages', `a whole number from 10 to ${MAX_DEVICE_PAGES}`);
  if (device.kind !== 'partition' && device.kind !== 'file') {
    if (device.rotational !== undefined) issue('rotational', 'nothing: it belongs to partitions and files');
    if (device.discard !== undefined) issue('discard', 'nothing: it belongs to partitions and files');
  }
  if (device.kind === 'xswap' && device.node !== undefined) issue('node', 'nothing: an xswap device is attached to no node');
  if (device.kind !== 'zram' && device.compressor !== undefined) issue('compressor', 'nothing: it belongs to zram');
});

export const zswapSchema = object({
  enabled: flag,
  compressor: absent(matching(/^[a-z0-9-]{1,32}$/, 'a compressor such as "lzo"')),
  max_pool_percent: absent(whole(0, 100)),
  accept_threshold_percent: absent(whole(0, 100)),
  shrinker_enabled: absent(flag),
});

export const cgroupSchema = object({
  path: cgroupPath,
  set: absent(z.record(
    matching(/^(memory|cgroup)\.[a-z.]{1,40}$/, 'a file of the cgroup such as "memory.max"'),
    sysfsText,
    { error: 'an object of file: text' },
  )),
});

const THP_SIZE = /^(16|32|64|128|256|512|1024|2048)kB$/;

export const machineSchema = object({
  ram_pages: whole(MIN_RAM_PAGES, MAX_RAM_PAGES),
  cpus: whole(1, 512),
  nodes: whole(1, 64),
  swap: list(swapDeviceSchema, 32),
  zswap: absent(zswapSchema),
  thp: absent(z.record(
    matching(THP_SIZE, 'a size from "16kB" to "2048kB"'),
    oneOf('always', 'inherit', 'madvise', 'never'),
    { error: 'an object of size: mode' },
  )),
  cgroups: absent(list(cgroupSchema, 256)),
  swappiness: absent(whole(0, 200)),
  page_cluster: absent(whole(0, 31)),
}).superRefine((machine, ctx) => {
  if (machine.nodes > machine.cpus) ctx.addIssue({ code: 'custom', path: ['nodes'], message: `at most as many nodes as CPUs (${machine.cpus})` });
  const seen = new Set<string>();
  let pages = 0;
  machine.swap.forEach((device, i) => {
    if (seen.has(device.name)) ctx.addIssue({ code: 'custom', path: ['swap', i, 'name'], message: 'a name that no other device has' });
    seen.add(device.name);
    if (device.node !== undefined && device.node >= machine.nodes) {
      ctx.addIssue({ code: 'custom', path: ['swap', i, 'node'], message: `a node of the machine, 0 to ${machine.nodes - 1}` });
    }
    pages += device.size_pages ?? 0;
  });
  if (pages > MAX_TOTAL_PAGES) ctx.addIssue({ code: 'custom', path: ['swap'], message: `devices of at most ${MAX_TOTAL_PAGES} pages together` });
  const groups = new Set<string>();
  machine.cgroups?.forEach((group, i) => {
    if (groups.has(group.path)) ctx.addIssue({ code: 'custom', path: ['cgroups', i, 'path'], message: 'a path that no other cgroup has' });
    groups.add(group.path);
  });
});

/** Most tasks that one start makes. */
export const MAX_COPIES = 1024;
/** thp_swap_allocator_test divides its memory by 15 and by whole 64 KiB folios. */
export const CHURN_UNIT = 240;

export const programSchema = object({
  name: name('a program name'),
  program: oneOf('memhog', 'usemem', 'hog', 'thp_swap_allocator_test', 'random_access'),
  size_pages: whole(1, MAX_PROGRAM_PAGES),
  fill: oneOf('pattern', 'zero', 'random'),
  copies: absent(whole(1, MAX_COPIES)),
  cgroup: absent(cgroupPath),
  cpu: absent(whole(0, 511)),
  hold_s: absent(real(0, 1e6)),
  churn: absent(object({ aligned: absent(flag), small: absent(flag), rounds: absent(whole(1, 10_000)) })),
  access: absent(object({
    count: whole(1, 1e9), write_percent: whole(0, 100), law: oneOf('uniform', 'zipf'), pause_s: absent(real(0, 1e6)),
  })),
}).superRefine((program, ctx) => {
  const issue = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message });
  const { churn, access, size_pages } = program;
  if (program.program === 'thp_swap_allocator_test') {
    if (size_pages % CHURN_UNIT !== 0) issue('size_pages', `for thp_swap_allocator_test a multiple of ${CHURN_UNIT}, such as 15360`);
  } else if (churn) issue('churn', 'nothing: it belongs to thp_swap_allocator_test');
  if (program.program === 'random_access') {
    if (!access) issue('access', 'for random_access an object of "count", "write_percent" and "law"');
  } else if (access) issue('access', 'nothing: it belongs to random_access');
});
/** Pages that all copies of a program have, small folios of a churn included. */
const pagesOf = (program: z.infer<typeof programSchema>): number =>
  (program.size_pages + (program.churn?.small ? program.size_pages / 15 : 0)) * (program.copies ?? 1);

const expectation = { expect: absent(errnoName) };
const deviceArgument = matching(WORD, 'the name of a swap device', 128);
const plainSteps = {
  write: object({ write: filePath, text: sysfsText, ...expectation }),
  mkdir: object({ mkdir: filePath, ...expectation }),
  rmdir: object({ rmdir: filePath, ...expectation }),
  kill: object({ kill: name('the name of a program'), ...expectation }),
  swapon: object({ swapon: deviceArgument, priority: absent(priority), ...expectation }),
  swapoff: object({ swapoff: deviceArgument, ...expectation }),
  pageout: object({ pageout: name('the name of a program'), pages: whole(0, MAX_TOTAL_PAGES) }),
};
const start = object({ start: programSchema });
const sleep = object({ sleep: real(0, 1e6) });
const wait = object({ wait: name('the name of a program'), until: oneOf('touched', 'done', 'ended') });
const waitUsed = object({ wait_used: whole(0, MAX_TOTAL_PAGES), rule: absent(oneOf('at-least', 'at-most')) });

const fork = object({
  fork: name('the name of a program'), as: name('a program name'), touch: absent(oneOf('read', 'write')), cpu: absent(whole(0, 511)),
  hold_s: absent(real(0, 1e6)), ...expectation,
});

/** Steps that may stand in an event: those that take effect at once. */
export const eventStepSchema = z.union([...Object.values(plainSteps), start, fork] as const);
/** Steps that may stand in a repeat. */
export const repeatedStepSchema = z.union([...Object.values(plainSteps), sleep, wait, waitUsed] as const);
export const stepSchema = z.union([
  ...Object.values(plainSteps), start, fork, sleep, wait, waitUsed,
  object({ probe: name('a probe name') }),
  object({ repeat: whole(1, 1e6), steps: list(repeatedStepSchema, 100, 1) }),
] as const);

export const eventSchema = object({ at: whole(0, Number.MAX_SAFE_INTEGER), step: eventStepSchema });

export const workloadSchema = object({
  steps: list(stepSchema, 10_000),
  events: absent(list(eventSchema, 10_000)),
}).superRefine((workload, ctx) => {
  /** Pages of the latest program of each name: at most these are alive at a time. */
  const started = new Map<string, number>();
  const probes = new Set<string>();
  /** Most copies of each program that has any: its tasks are called NAME.1 … NAME.n. */
  const copied = new Map<string, number>();
  const starts = [
    ...workload.steps.map((step, i) => ({ step, path: ['steps', i, 'start', 'name'] })),
    ...(workload.events ?? []).map(({ step }, i) => ({ step, path: ['events', i, 'step', 'start', 'name'] })),
  ].flatMap(({ step, path }) => ('start' in step ? [{ start: step.start, path }] : []));
  for (const { start: { name: of, copies = 0 } } of starts) copied.set(of, Math.max(copies, copied.get(of) ?? 0));
  for (const { start, path } of starts) {
    const [, of = '', number] = /^(.*)\.([1-9]\d*)$/.exec(start.name) ?? [];
    if (number !== undefined && Number(number) <= (copied.get(of) ?? 0)) ctx.addIssue({ code: 'custom', path, message: `another name: a copy of "${of}" is called so` });
  }
  let sum = 0;
  let live = 0;
  workload.steps.forEach((step, i) => {
    const issue = (path: (string | number)[], message: string): void => ctx.addIssue({ code: 'custom', path: ['steps', i, ...path], message });
    if ('start' in step) {
      const pages = pagesOf(step.start);
      sum += pages - (started.get(step.start.name) ?? 0);
      live = Math.max(live, sum);
      started.set(step.start.name, pages);
    }
    if ('probe' in step) {
      if (probes.has(step.probe)) issue(['probe'], 'a probe name that no other step has');
      if (RESERVED_PROBES.test(step.probe)) issue(['probe'], 'another name: "always", "oom" and the names of counters are taken');
      probes.add(step.probe);
    }
    if ('fork' in step) {
      const pages = started.get(step.fork) ?? 0;
      sum += pages - (started.get(step.as) ?? 0);
      live = Math.max(live, sum);
      if (step.as === step.fork) issue(['as'], 'another name than that of the parent');
    }
    for (const key of ['wait', 'kill', 'pageout', 'fork'] as const) {
      const program = (step as Record<string, unknown>)[key];
      if (typeof program === 'string' && !started.has(program)) issue([key], 'a program that a step before has started');
    }
    if ('fork' in step) started.set(step.as, started.get(step.fork) ?? 0);
  });
  // When an event takes place is known only when it runs: each of its programs may be alive at the same time as all others.
  const byEvents = new Map<string, number>();
  for (const { step } of workload.events ?? []) {
    if ('start' in step) byEvents.set(step.start.name, Math.max(pagesOf(step.start), byEvents.get(step.start.name) ?? 0));
  }
  for (const pages of byEvents.values()) live += pages;
  if (live > MAX_PROGRAM_PAGES) ctx.addIssue({ code: 'custom', path: ['steps'], message: `programs of at most ${MAX_PROGRAM_PAGES} pages at a time` });
});
const RESERVED_PROBES = /^(always|oom|meminfo|swaps|swap|vmstat|thp|block|time|memcg|zswap|xswap|zram|lock|engine|dmesg|swapon|min|max|program|checker|reclaim)$/;

export const armSchema = object({
  name: name('an arm name'),
  set: absent(z.record(
    matching(/^[A-Za-z0-9_.[\]-]{1,200}$/, 'a path such as "machine.ram_pages" or "workload.steps[2].text"'),
    z.json(),
    { error: 'an object of path: value' },
  )),
});

export const measureSchema = object({
  bucket_ms: absent(whole(1, 1e6)),
  buckets: absent(whole(16, 16384)),
  check_every: absent(whole(1, 1e12)),
});

export const claimSchema = object({
  id: name('a claim id'),
  source: text(500, { min: 1 }),
  what: text(500, { min: 1 }),
  published: absent(z.union([finite, text(500)], { error: 'a number or one line of text' })),
  metric: absent(text(256, { min: 1 })),
  expression: absent(text(1024, { min: 1 })),
  band: absent(z.tuple([finite, finite], { error: 'two numbers [low, high]' })
    .refine(([low, high]) => low <= high, { error: 'two numbers [low, high], the lower one first' })),
  equals: absent(z.union([finite, text(500)], { error: 'a number or one line of text' })),
}).superRefine((claim, ctx) => {
  if ((claim.metric === undefined) === (claim.expression === undefined)) ctx.addIssue({ code: 'custom', message: 'either "metric" or "expression"' });
  if (claim.band !== undefined && claim.equals !== undefined) ctx.addIssue({ code: 'custom', message: '"band" or "equals", or neither: a report' });
});

export const experimentSchema = object({
  format: z.literal(EXPERIMENT_FORMAT, { error: `"${EXPERIMENT_FORMAT}"` }),
  version: z.literal(EXPERIMENT_VERSION, { error: `${EXPERIMENT_VERSION}` }),
  title: text(200, { min: 1 }),
  notes: text(20_000, { multiline: true }),
  scale: absent(whole(1, 1e6)),
  machine: machineSchema,
  kernel: kernelSchema,
  workload: workloadSchema,
  arms: list(armSchema, 64).refine((arms) => new Set(arms.map((arm) => arm.name)).size === arms.length, { error: 'arms of different names' }),
  measure: measureSchema,
  seeds: list(whole(0, Number.MAX_SAFE_INTEGER), 1000, 1).refine((seeds) => new Set(seeds).size === seeds.length, { error: 'different seeds' }),
  claims: list(claimSchema, 1000)
    .refine((claims) => new Set(claims.map((claim) => claim.id)).size === claims.length, { error: 'claims of different ids' }),
}).superRefine((experiment, ctx) => {
  const { cpus } = experiment.machine;
  const { steps, events = [] } = experiment.workload;
  const check = (step: unknown, path: (string | number)[]): void => {
    if (cpus < 1) return;
    const { start: program, cpu: own } = step as { start?: { cpu?: number }; cpu?: number };
    const cpu = program?.cpu ?? own ?? 0;
    const place = program ? ['start', 'cpu'] : ['cpu'];
    if (cpu >= cpus) ctx.addIssue({ code: 'custom', path: ['workload', ...path, ...place], message: `a CPU of the machine, 0 to ${cpus - 1}` });
  };
  steps.forEach((step, i) => check(step, ['steps', i]));
  events.forEach(({ step }, i) => check(step, ['events', i, 'step']));
});

export type ExperimentFile = z.infer<typeof experimentSchema>;

/** Compile-time check: what the gate lets through is what the engine takes, and the other way round. */
type Mutable<T> = T extends (infer U)[] | readonly (infer U)[]
  ? T extends readonly [infer A, infer B] ? [A, B] : Mutable<U>[]
  : T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
type Agrees<A extends B, B> = A;
export type FileIsSpec = Agrees<ExperimentFile, ExperimentSpec>;
/** Left out: what the gate narrows further than the engine's types do (values of overrides, steps allowed in events). */
type Compared<T extends ExperimentSpec> = Omit<T, 'arms' | 'workload'> & { steps: T['workload']['steps'] };
export type SpecIsFile = Agrees<Mutable<Compared<ExperimentSpec>>, Mutable<Compared<ExperimentFile>>>;
