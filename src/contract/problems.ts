/** What is wrong with a file, in sentences: `machine.swap[1].priority: expected a whole number from 0 to 32767, got "ten"`. */
import type { z } from 'zod';

export interface Problem {
  /** `machine.swap[1].priority`; empty for the file as a whole. */
  readonly path: string;
  readonly expected: string;
  /** What stands there, as JSON, shortened; `nothing` when it is missing. */
  readonly got: string;
}

const MAX_PROBLEMS = 20;
const MAX_SHOWN = 60;

/** A value as JSON, shortened so that a hostile file cannot flood a message. Control and bidirectional marks are escaped. */
export const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const json = JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_SHOWN + 1) : value);
  const clean = json.replace(/[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return clean.length > MAX_SHOWN ? `${clean.slice(0, MAX_SHOWN)}…` : clean;
};

export const pathText = (path: readonly PropertyKey[]): string => {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else {
      const key = String(part);
      const plain = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key);
      text += plain ? `${text ? '.' : ''}${key}` : `[${shown(key)}]`;
    }
  }
  return text;
};

export const sentence = (problem: Problem): string => `${problem.path ? `${problem.path}: ` : ''}expected ${problem.expected}, got ${problem.got}`;

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown => {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
};

type Issue = z.core.$ZodIssue;

/** Of the alternatives of a union the one that the value was probably meant to be: with the fewest missing and unknown keys. */
const closest = (alternatives: readonly (readonly Issue[])[], value: unknown): readonly Issue[] | undefined => {
  let best: readonly Issue[] | undefined;
  let bestScore = Infinity;
  for (const issues of alternatives) {
    let score = 0;
    for (const issue of issues) {
      if (issue.path.length === 0 && issue.code !== 'unrecognized_keys') score += 1000;
      else if (issue.code === 'unrecognized_keys') score += 10 * issue.keys.length;
      else score += valueAt(value, issue.path) === undefined ? 100 : 1;
    }
    if (score < bestScore) {
      best = issues;
      bestScore = score;
    }
  }
  return bestScore < 1000 ? best : undefined;
};

/** The keys that could begin an object here: what the alternatives of a union miss first. */
const firstKeys = (alternatives: readonly (readonly Issue[])[]): string[] => {
  const keys = alternatives.flatMap((issues) => issues.filter((issue) => issue.path.length === 1).slice(0, 1).map((issue) => String(issue.path[0])));
  return [...new Set(keys)];
};

const collect = (issues: readonly Issue[], root: unknown, base: readonly PropertyKey[], problems: Problem[]): void => {
  for (const issue of issues) {
    if (problems.length >= MAX_PROBLEMS) return;
    const path = [...base, ...issue.path];
    const value = valueAt(root, path);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_PROBLEMS)) {
        problems.push({ path: pathText(path), expected: /^one of/.test(issue.message) ? issue.message : 'no other keys', got: shown(key) });
      }
    } else if (issue.code === 'invalid_union') {
      const best = value === undefined ? undefined : closest(issue.errors, value);
      const keys = firstKeys(issue.errors);
      const known = typeof value === 'object' && value !== null && keys.some((key) => Object.hasOwn(value, key));
      if (best && (known || keys.length === 0)) collect(best, root, path, problems);
      else if (typeof value === 'object' && value !== null && !Array.isArray(value) && keys.length > 2) {
        const got = Object.keys(value).slice(0, 3).map((key) => shown(key)).join(', ');
        problems.push({ path: pathText(path), expected: `one of the keys ${keys.map((key) => `"${key}"`).join(', ')}`, got: got || 'an empty object' });
      } else {
        const expected = issue.message === 'Invalid input' ? 'another kind of value' : issue.message;
        problems.push({ path: pathText(path), expected, got: shown(value) });
      }
    } else if (issue.code === 'invalid_key') {
      const expected = issue.issues.map((inner) => inner.message)[0] ?? 'another name';
      problems.push({ path: pathText(path.slice(0, -1)), expected, got: shown(String(path.at(-1))) });
    } else {
      const expected = /^Invalid/.test(issue.message) ? `${'expected' in issue ? String(issue.expected) : 'another value'}` : issue.message;
      problems.push({ path: pathText(path), expected: expected === 'object' ? 'an object' : expected, got: shown(value) });
    }
  }
};

/** At most MAX_PROBLEMS, in the order of the file. */
export const problemsOf = (error: z.ZodError, root: unknown): Problem[] => {
  const problems: Problem[] = [];
  collect(error.issues, root, [], problems);
  return problems;
};
