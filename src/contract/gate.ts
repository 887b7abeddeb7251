/**
 * The one gate for experiments from outside: files, the library, overrides on the command line, specs from the window.
 * Size, syntax, depth, forbidden keys, format and version, shape and ranges, then the cost of running it. Either a spec comes
 * out or a reason with its places; nothing half done. It never throws for what a file can contain.
 */
import type { ExperimentSpec, KernelSpec } from '../engine/experiment/spec';
import { estimateRun } from '../engine/experiment/estimate';
import { checkExpressions } from '../engine/experiment/claims';
import { applyArm, armNames } from '../engine/experiment/arms';
import { policiesOf, UnknownPolicyError } from '../engine/kernel/swap/registry';
import { EXPERIMENT_FORMAT, EXPERIMENT_VERSION, experimentSchema } from './experiment';
import { type Problem, pathText, problemsOf, sentence, shown } from './problems';

export const MAX_FILE_BYTES = 16 * 1024 * 1024;
export const MAX_DEPTH = 32;
/** Numbers, texts, lists and objects in a file: a list of millions of wrong entries would give as many error messages. */
export const MAX_VALUES = 200_000;
/** Page operations of all arms and seeds together above which a run has to be asked for: hours of work. */
export const MAX_OPERATIONS = 2e10;
/** Numbers that all probes of all runs keep until the end, some 20 bytes each in memory and in the result. */
export const MAX_RECORDED = 2e7;
/** Arms times seeds: each keeps its metrics and columns until the end. */
export const MAX_RUNS = 1000;
/** Simulated seconds that whole nanoseconds in a double can count exactly: 2^53 ns is 104 days. */
export const MAX_SIMULATED_SECONDS = 9e6;

/** `limit`: more than can be done at all; `cost`: more than is done without being asked for (`allowLong`). */
export type GateReason = 'size' | 'encoding' | 'syntax' | 'depth' | 'keys' | 'format' | 'newer' | 'shape' | 'limit' | 'cost';

export type GateOutcome =
  | {
    readonly ok: true;
    readonly spec: ExperimentSpec;
    /** Page operations of the longest arm, one seed; an upper estimate. */
    readonly estimatedOps: number;
  }
  | {
    readonly ok: false;
    readonly reason: GateReason;
    /** One sentence. */
    readonly message: string;
    /** The places, one sentence each. */
    readonly problems: readonly string[];
  };

export interface GateOptions {
  /** Lets through what would take hours; the user has been asked. */
  readonly allowLong?: boolean;
}

const refuse = (reason: GateReason, message: string, problems: readonly Problem[] = []): GateOutcome => ({
  ok: false, reason, message, problems: problems.map(sentence),
});

const QUOTE = 34;
const BACKSLASH = 92;

/** Deepest nesting of a JSON text, found without parsing it; stops counting at `limit` + 1. */
const depthOf = (text: string, limit: number): number => {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
    } else if (c === 91 || c === 123) {
      if (++depth > deepest) deepest = depth;
      if (deepest > limit) return deepest;
    } else if (c === 93 || c === 125) depth--;
  }
  return deepest;
};

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Place of the first key that could reach into a prototype. Depth is bounded by the caller. */
const forbiddenKey = (value: unknown, path: PropertyKey[] = []): readonly PropertyKey[] | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const keys: readonly PropertyKey[] = Array.isArray(value) ? [] : Object.getOwnPropertyNames(value);
  const bad = keys.find((key) => FORBIDDEN.has(key as string));
  if (bad !== undefined) return [...path, bad];
  const inner: readonly [PropertyKey, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, item] of inner) {
    if (typeof item !== 'object') continue;
    path.push(key);
    const found = forbiddenKey(item, path);
    if (found) return found;
    path.pop();
  }
  return undefined;
};

/** More values than `limit` in plain data of bounded depth? */
const holdsMoreThan = (value: unknown, limit: number): boolean => {
  let left = limit;
  const visit = (item: unknown): boolean => {
    if (--left < 0) return true;
    return typeof item === 'object' && item !== null && Object.values(item).some(visit);
  };
  return visit(value);
};

/** Place of the first key that stands twice in one object of a JSON text that was parsed already; of two values the first would be lost. */
const doubledKey = (text: string): readonly PropertyKey[] | undefined => {
  /** The lists and objects around the present place: keys seen (null: a list) and the key or index of the present value. */
  const around: { keys: Set<string> | null; at: PropertyKey }[] = [];
  let keyNext = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const top = around.at(-1);
    if (c === QUOTE) {
      const start = i;
      for (i++; text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
      if (!keyNext || !top?.keys) continue;
      const key = JSON.parse(text.slice(start, i + 1)) as string;
      top.at = key;
      if (top.keys.has(key)) return around.map(({ at }) => at);
      top.keys.add(key);
      keyNext = false;
    } else if (c === 123 || c === 91) {
      keyNext = c === 123;
      around.push({ keys: keyNext ? new Set() : null, at: 0 });
    } else if (c === 125 || c === 93) {
      around.pop();
      keyNext = false;
    } else if (c === 44 && top) {
      if (top.keys) keyNext = true;
      else top.at = (top.at as number) + 1;
    }
  }
  return undefined;
};

/** Line and column of a syntax error, from the position that engines name in their messages, if they do. */
const syntaxPlace = (text: string, error: unknown): string => {
  const message = error instanceof Error ? error.message : '';
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return /end of JSON|Unterminated/i.test(message) ? ' (it ends too early)' : '';
  const before = text.slice(0, Number(position));
  const line = before.split('\n').length;
  const found = text.charAt(Number(position));
  return ` at line ${line}, column ${before.length - before.lastIndexOf('\n')}${found ? ` (at ${shown(found)})` : ' (it ends too early)'}`;
};

export type JsonOutcome = { readonly ok: true; readonly value: unknown } | Extract<GateOutcome, { ok: false }>;

export const tooLarge = (bytes: number): string => `The file is larger than ${MAX_FILE_BYTES / 1048576} MiB (${bytes} bytes or more); no more are read.`;

/** Bytes or text to plain JSON data: size, UTF-8, depth, syntax, forbidden keys. */
export const openJson = (source: Uint8Array | string): JsonOutcome => {
  const size = source.length;
  const no = (reason: GateReason, message: string): JsonOutcome => ({ ok: false, reason, message, problems: [] });
  if (size > MAX_FILE_BYTES) return no('size', tooLarge(size));
  let text: string;
  try {
    text = typeof source === 'string' ? source : decodeUtf8(source);
  } catch {
    return no('encoding', 'The file is not a text in UTF-8.');
  }
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  if (text.trim() === '') return no('syntax', 'The file is empty.');
  if (depthOf(text, MAX_DEPTH) > MAX_DEPTH) return no('depth', `The file nests lists and objects more than ${MAX_DEPTH} deep; no experiment does.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const nan = /(^|[[:,\s])-?(NaN|Infinity)\b/.test(text.slice(0, 100_000)) ? '; NaN and Infinity are no numbers of JSON' : '';
    return no('syntax', `The file is not JSON: syntax error${syntaxPlace(text, error)}${nan}.`);
  }
  if (holdsMoreThan(value, MAX_VALUES)) return no('size', `The file holds more than ${MAX_VALUES} values; no experiment does.`);
  const doubled = doubledKey(text);
  if (doubled) return no('keys', `The key ${shown(doubled.at(-1))} stands twice (at ${pathText(doubled.slice(0, -1)) || 'the top'}).`);
  const forbidden = forbiddenKey(value);
  if (forbidden) return no('keys', `The key "${String(forbidden.at(-1))}" is not allowed in a file (at ${pathText(forbidden.slice(0, -1)) || 'the top'}).`);
  return { ok: true, value };
};

/** TextDecoder stands in Node and in browsers alike, but in no library that this layer is compiled with. */
declare const TextDecoder: new (label: string, options: { fatal: boolean }) => { decode(bytes: Uint8Array): string };
const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** The gate for plain data (from JSON, from the window). */
export const checkExperiment = (value: unknown, options: GateOptions = {}): GateOutcome => {
  const forbidden = forbiddenKeyWithin(value);
  if (forbidden) return refuse('keys', forbidden);
  if (holdsMoreThan(value, MAX_VALUES)) return refuse('size', `The experiment holds more than ${MAX_VALUES} values; no experiment does.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('format', `Not an experiment: expected an object with "format": "${EXPERIMENT_FORMAT}", got ${shown(value)}.`);
  }
  const head = value as { format?: unknown; version?: unknown };
  if (head.format !== EXPERIMENT_FORMAT) {
    const other = head.format === 'swaplab/result' ? 'This is a result, not an experiment' : 'Not an experiment';
    return refuse('format', `${other}: expected "format": "${EXPERIMENT_FORMAT}", got ${shown(head.format)}.`);
  }
  if (typeof head.version === 'number' && head.version > EXPERIMENT_VERSION) {
    return refuse('newer', `The file has version ${head.version} of the format, written by a newer Swaplab; this one reads version ${EXPERIMENT_VERSION}.`);
  }
  const parsed = parse(value);
  if (!parsed.ok) return parsed;
  const { spec } = parsed;
  const expressions = checkExpressions(spec).map(({ claim, problem }) => `claims[${claim}].expression: ${problem}`);
  if (expressions.length) return { ok: false, reason: 'shape', message: `A claim cannot be read: ${expressions[0] ?? ''}.`, problems: expressions };
  return checkCost(spec, options);
};

/** The gate for a file. */
export const openExperiment = (source: Uint8Array | string, options: GateOptions = {}): GateOutcome => {
  const json = openJson(source);
  return json.ok ? checkExperiment(json.value, options) : json;
};

const forbiddenKeyWithin = (value: unknown): string | undefined => {
  // Data that did not come through openJson may nest deeper than a call stack can follow.
  let level: unknown[] = [value];
  for (let depth = 0; level.length; depth++) {
    if (depth > MAX_DEPTH) return `Lists and objects nest more than ${MAX_DEPTH} deep; no experiment does.`;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      if (!Array.isArray(item)) for (const key of Object.getOwnPropertyNames(item)) if (FORBIDDEN.has(key)) return `The key "${key}" is not allowed.`;
      for (const inner of Object.values(item)) next.push(inner);
      if (next.length > MAX_VALUES) return `The experiment holds more than ${MAX_VALUES} values; no experiment does.`;
    }
    level = next;
  }
  return undefined;
};

const parse = (value: unknown): { ok: true; spec: ExperimentSpec } | Extract<GateOutcome, { ok: false }> => {
  let result;
  try {
    result = experimentSchema.safeParse(value);
  } catch {
    // A schema library may throw out of safeParse (stack overflow on odd input); that too is the file's fault.
    return { ok: false, reason: 'shape', message: 'The experiment could not be read.', problems: [] };
  }
  if (result.success) return { ok: true, spec: result.data };
  const problems = problemsOf(result.error, value).map(sentence);
  const first = problems[0] ?? 'it does not have the shape of one';
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return { ok: false, reason: 'shape', message: `The experiment is not valid: ${first}${more}.`, problems };
};

/** Arms must give valid experiments too, and all of it must end within reason. */
const checkCost = (spec: ExperimentSpec, options: GateOptions): GateOutcome => {
  const runs = Math.max(1, spec.arms.length) * spec.seeds.length;
  if (runs > MAX_RUNS) return refuse('limit', `The experiment asks for ${runs} runs (arms times seeds); at most ${MAX_RUNS} are done at a time.`);
  let longest = 0;
  let recorded = 0;
  let total = 0;
  for (const [i, name] of armNames(spec).entries()) {
    const applied = applyArm(spec, name);
    if (!applied.ok) return { ok: false, reason: 'shape', message: `Arm "${name}": ${applied.problem}.`, problems: [`arms[${i}].set: ${applied.problem}`] };
    let armed = applied.spec;
    // Without arms and scale it is the experiment that was read just now.
    if (armed !== spec) {
      const parsed = parse({ ...armed, arms: [] });
      if (!parsed.ok) {
        const [place, who] = spec.arms.length ? [`arms[${i}]`, `Arm "${name}"`] : ['scale', `Scale ${spec.scale ?? 1}`];
        const problems = parsed.problems.map((problem) => `${place} makes ${problem}`);
        return { ...parsed, message: `${who} does not give a valid experiment: ${parsed.problems[0] ?? parsed.message}.`, problems };
      }
      armed = parsed.spec;
    }
    const kernel = kernelProblem(armed.kernel);
    if (kernel !== undefined) return { ok: false, reason: 'shape', message: `The kernel does not exist: ${kernel}.`, problems: [`kernel: ${kernel}`] };
    const { operations, work, seconds, values } = estimateRun(armed);
    recorded += values * spec.seeds.length;
    if (seconds > MAX_SIMULATED_SECONDS) {
      return refuse('limit', `The run would last ${Math.round(seconds / 86400)} days of simulated time; at most ${Math.floor(MAX_SIMULATED_SECONDS / 86400)} days can be counted exactly.`);
    }
    longest = Math.max(longest, operations);
    total += work * spec.seeds.length;
  }
  if (recorded > MAX_RECORDED) {
    return refuse('limit', `The run would keep about ${recorded.toExponential(1)} numbers (probes, cgroups, devices and runs multiply); at most ${MAX_RECORDED.toExponential(0)} are kept.`);
  }
  if (total > MAX_OPERATIONS && !options.allowLong) {
    const hours = total / OPERATIONS_AN_HOUR;
    const time = hours >= 48 ? `about ${Math.round(hours / 24)} days` : `about ${Math.max(1, Math.round(hours))} hours`;
    return refuse('cost', `The run would take about ${total.toExponential(1)} page operations, ${time} of work; the limit is ${MAX_OPERATIONS.toExponential(0)}.`);
  }
  return { ok: true, spec, estimatedOps: longest };
};

const kernelProblem = (kernel: KernelSpec): string | undefined => {
  try {
    policiesOf(kernel);
    return undefined;
  } catch (error) {
    if (error instanceof UnknownPolicyError) return error.message;
    throw error;
  }
};

/** For the sentence above only: two million page operations a second. */
const OPERATIONS_AN_HOUR = 2e6 * 3600;
