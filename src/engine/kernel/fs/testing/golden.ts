/** Reads test-data/captures for the tests of the file tree. */
import { readFileSync } from 'node:fs';

export const golden = (name: string): string => readFileSync(new URL(`../../../../../test-data/captures/${name}`, import.meta.url), 'utf8');

/** A recorded call: tab-separated fields of one line. */
export const goldenRows = (name: string): string[][] => golden(name).trimEnd().split('\n').map((line) => line.split('\t'));

/** Sections of a `== name` capture. */
export function goldenSections(name: string): Map<string, string> {
  const sections = new Map<string, string>();
  for (const part of golden(name).split(/^== /m).slice(1)) {
    const end = part.indexOf('\n');
    sections.set(part.slice(0, end), part.slice(end + 1));
  }
  return sections;
}
