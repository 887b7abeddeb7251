/**
 * The one writer of files: stable key order, one field a line, no machine path, no time. Known keys come in the order of the
 * format, free keys (metrics, overrides, cgroup files) sorted where their order means nothing and as given where it does.
 * Lists of numbers stand on one line. Reading what this wrote and writing it again gives the same bytes.
 */
import type { ExperimentSpec } from '../engine/experiment/spec';

const KEY_ORDER: readonly string[] = [
  'format', 'version', 'title', 'notes', 'scale', 'complete', 'kind', 'name', 'seed', 'digest',
  'machine', 'kernel', 'workload', 'arms', 'measure', 'seeds', 'claims',
  // machine
  'ram_pages', 'cpus', 'nodes', 'swap', 'zswap', 'thp', 'cgroups', 'swappiness', 'page_cluster',
  'enabled', 'max_pool_percent', 'accept_threshold_percent', 'shrinker_enabled',
  'path', 'size_pages', 'priority', 'node', 'rotational', 'discard', 'compressor', 'on', 'base', 'set',
  // workload
  'steps', 'events', 'at', 'step', 'write', 'text', 'mkdir', 'rmdir', 'start', 'fork', 'as', 'touch', 'wait', 'until', 'wait_used', 'rule',
  'kill', 'sleep', 'swapon', 'swapoff',
  'pageout', 'pages', 'probe', 'repeat', 'expect', 'program', 'fill', 'copies', 'cgroup', 'cpu', 'hold_s',
  'churn', 'aligned', 'small', 'rounds', 'access', 'count', 'write_percent', 'law', 'pause_s',
  'bucket_ms', 'buckets', 'check_every',
  // claims and results
  'id', 'source', 'what', 'published', 'metric', 'expression', 'band', 'equals', 'value', 'holds', 'missing',
  'runs', 'operations', 'simulated_ns', 'failure', 'metrics', 'mean', 'min', 'max', 'deviation',
  'series', 'start_ns', 'bucket_ns', 'columns', 'last',
];
const RANK = new Map(KEY_ORDER.map((key, rank) => [key, rank]));
/** Objects under these keys hold free keys. `set` of a cgroup is a list of writes in order. */
const SORTED = new Set(['metrics', 'spread', 'columns', 'thp']);
const AS_GIVEN = new Set(['set']);

const keysOf = (value: object, under: string): string[] => {
  const keys = Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
  if (AS_GIVEN.has(under)) return keys;
  if (SORTED.has(under)) return keys.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return keys.sort((a, b) => (RANK.get(a) ?? Infinity) - (RANK.get(b) ?? Infinity) || (a < b ? -1 : a > b ? 1 : 0));
};

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;
/** NaN and infinities, which JSON lacks, are written as null ("nothing recorded"). */
const primitive = (value: unknown): string => JSON.stringify(value) ?? 'null';

const write = (value: unknown, indent: string, under: string): string => {
  if (ArrayBuffer.isView(value)) return `[${Array.from(value as Float64Array, primitive).join(', ')}]`;
  if (isPrimitive(value)) return primitive(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (value.every(isPrimitive)) return `[${value.map(primitive).join(', ')}]`;
    return `[\n${value.map((item) => inner + write(item, inner, '')).join(',\n')}\n${indent}]`;
  }
  const keys = keysOf(value as object, under);
  if (keys.length === 0) return '{}';
  const fields = keys.map((key) => `${inner}${JSON.stringify(key)}: ${write((value as Record<string, unknown>)[key], inner, key)}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
};

/** Any document of ours as text, with a newline at the end. */
export const canonicalText = (document: unknown): string => `${write(document, '', '')}\n`;

export const experimentText = (spec: ExperimentSpec): string => canonicalText(spec);
