import { MAX_RAM_PAGES, MIN_RAM_PAGES } from '../../../contract/experiment';
import type { Draft } from '../draft';
import { groupDigits, parseSize, roundSize } from '../units';
import type { Problem } from './problem';
import { Findings } from './problem';

const CPUS = { low: 1, high: 512 } as const;
const MAX_SEEDS = 1000;
const NODES = { low: 1, high: 64 } as const;

export function checkMachine(draft: Draft): Problem[] {
  const found = new Findings('machine');
  const { machine } = draft;
  const ram = parseSize(machine.ram);
  if (!ram.ok) found.error('machine.ram', ram.message);
  else if (ram.pages < MIN_RAM_PAGES || ram.pages > MAX_RAM_PAGES) {
    found.error(
      'machine.ram',
      `expected ${roundSize(MIN_RAM_PAGES)} (${MIN_RAM_PAGES} pages) to ${roundSize(MAX_RAM_PAGES)}, got ${groupDigits(ram.pages)} pages`,
    );
  }
  const cpus = found.whole('machine.cpus', machine.cpus, CPUS.low, CPUS.high);
  const nodes = found.whole('machine.nodes', machine.nodes, NODES.low, NODES.high);
  if (cpus !== undefined && nodes !== undefined && nodes > cpus) {
    found.error('machine.nodes', `expected at most as many nodes as CPUs (${cpus}), got ${nodes}`);
  }
  found.whole('machine.swappiness', machine.swappiness, 0, 200, { optional: true });
  found.whole('machine.pageCluster', machine.pageCluster, 0, 31, { optional: true });
  return found.problems;
}

export function checkReview(draft: Draft): Problem[] {
  const found = new Findings('review');
  const title = draft.title.trim();
  if (title === '') found.error('review.title', 'expected a title, so that the library can list it');
  else found.plainText('review.title', title, 200, false);
  found.plainText('review.notes', draft.notes, 20_000, true);
  const seeds = draft.seeds.split(/[\s,]+/).filter((part) => part !== '');
  if (seeds.length === 0) found.error('review.seeds', 'expected at least one seed: a whole number, or several separated by commas');
  if (seeds.length > MAX_SEEDS) found.error('review.seeds', `expected at most ${MAX_SEEDS} seeds, got ${seeds.length}`);
  for (const seed of seeds) {
    if (!/^\d+$/.test(seed) || Number(seed) > Number.MAX_SAFE_INTEGER) {
      found.error('review.seeds', `expected whole numbers from 0 to 2^53 - 1, got “${seed}”`);
      break;
    }
  }
  if (new Set(seeds).size !== seeds.length) found.error('review.seeds', 'expected each seed once');
  return found.problems;
}
