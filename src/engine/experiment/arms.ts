/** Arms: an experiment with other values at some paths. Overrides are data; nothing of a file is run. */
import { scaled } from './scale';
import type { ExperimentSpec } from './spec';

export type PathOutcome = { readonly ok: true; readonly spec: ExperimentSpec } | { readonly ok: false; readonly problem: string };

type Key = string | number;

/** `machine.swap[0].priority` → keys. A bracket with a text in it is a key as it stands: `machine.cgroups[0].set[memory.max]`. */
export const parsePath = (path: string): Key[] | undefined => {
  const keys: Key[] = [];
  const pattern = /(?:^|\.)([A-Za-z_][A-Za-z0-9_-]*)|\[([A-Za-z0-9_.-]+)\]/y;
  while (pattern.lastIndex < path.length) {
    const found = pattern.exec(path);
    if (!found) return undefined;
    const [, dotted, bracket] = found;
    keys.push(dotted ?? (/^\d{1,6}$/.test(bracket) ? Number(bracket) : bracket));
  }
  return keys.length ? keys : undefined;
};

const FIXED = new Set(['format', 'version', 'arms', 'claims', 'seeds', 'title', 'notes']);
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** A copy of the experiment with another value at `path`. What stands on the way must exist; the last key may be new. */
export const setPath = (spec: ExperimentSpec, path: string, value: unknown): PathOutcome => {
  const keys = parsePath(path);
  if (!keys || keys.some((key) => FORBIDDEN.has(String(key)))) return { ok: false, problem: `"${path}" is no path such as machine.ram_pages or workload.steps[2].text` };
  if (FIXED.has(String(keys[0]))) return { ok: false, problem: `"${path}": "${String(keys[0])}" is the same for all arms` };
  const replace = (node: unknown, at: number): { value: unknown } | { problem: string } => {
    if (at === keys.length) return { value };
    const key = keys[at];
    const where = `"${path}" leads nowhere at "${String(key)}"`;
    if (Array.isArray(node)) {
      if (typeof key !== 'number' || key > node.length || (key === node.length && at < keys.length - 1)) return { problem: where };
      const inner = replace(node[key], at + 1);
      if ('problem' in inner) return inner;
      const copy = node.slice();
      copy[key] = inner.value;
      return { value: copy };
    }
    if (typeof node !== 'object' || node === null) return { problem: where };
    const known = Object.hasOwn(node, key);
    if (!known && at < keys.length - 1) return { problem: where };
    const inner = replace(known ? (node as Record<Key, unknown>)[key] : undefined, at + 1);
    return 'problem' in inner ? inner : { value: { ...node, [key]: inner.value } };
  };
  const result = replace(spec, 0);
  return 'problem' in result ? { ok: false, problem: result.problem } : { ok: true, spec: result.value as ExperimentSpec };
};

/** The only arm of an experiment that names none. */
export const BASE_ARM = 'base';

export const armNames = (spec: ExperimentSpec): string[] => (spec.arms.length ? spec.arms.map((arm) => arm.name) : [BASE_ARM]);

/** The experiment as the arm `name` runs it, at its scale. */
export const applyArm = (spec: ExperimentSpec, name: string): PathOutcome => {
  const arm = spec.arms.find((candidate) => candidate.name === name);
  if (!arm) {
    if (name === BASE_ARM && spec.arms.length === 0) return { ok: true, spec: scaled(spec) };
    return { ok: false, problem: `there is no arm "${name}": expected ${armNames(spec).map((known) => `"${known}"`).join(', ')}` };
  }
  let armed = spec;
  for (const [path, value] of Object.entries(arm.set ?? {})) {
    const outcome = setPath(armed, path, value);
    if (!outcome.ok) return outcome;
    armed = outcome.spec;
  }
  return { ok: true, spec: scaled(armed) };
};
