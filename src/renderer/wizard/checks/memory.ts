import type { Draft } from '../draft';
import { limitValue } from '../draft-to-spec';
import { parseSize, roundSize } from '../units';
import type { Problem } from './problem';
import { Findings } from './problem';
import { checkCompressor } from './swap';

/** zswap and the mTHP sizes. */
export function checkMemory(draft: Draft): Problem[] {
  const found = new Findings('memory');
  checkCompressor(found, 'memory.compressor', draft.zswap.compressor);
  found.whole('memory.maxPool', draft.zswap.maxPoolPercent, 0, 100, { optional: true, what: 'a percentage' });
  found.whole('memory.accept', draft.zswap.acceptThresholdPercent, 0, 100, { optional: true, what: 'a percentage' });
  if (draft.zswap.enabled && draft.devices.every((device) => !device.on)) {
    found.warn('memory.zswap', 'zswap needs a swap device: it keeps pages that have a slot. None is on at the start.');
  }
  return found.problems;
}

const MAX_CGROUPS = 256;
const PATH = /^(\/[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}){1,8}$/;

/** The limit of a cgroup file as the kernel reads it: a size, or `max`. */
export function limitProblem(text: string): string | undefined {
  try {
    limitValue(text);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return reason.startsWith('expected a size') ? 'expected a size such as 2 GiB, bytes, or max' : reason;
  }
}

export function checkCgroups(draft: Draft): Problem[] {
  const found = new Findings('cgroup');
  const paths = new Set<string>();
  const ram = parseSize(draft.machine.ram);
  if (draft.cgroups.length > MAX_CGROUPS) found.error('cgroup.list', `expected at most ${MAX_CGROUPS} cgroups, got ${draft.cgroups.length}`);
  for (const group of draft.cgroups) {
    const field = (name: string): string => `cgroup.${group.key}.${name}`;
    const path = group.path.trim();
    if (!PATH.test(path)) {
      found.error(field('path'), 'expected a path below /sys/fs/cgroup with a leading slash, such as /app');
    } else if (paths.has(path)) found.error(field('path'), `${path} is there already`);
    paths.add(path);
    for (const [name, text] of [['max', group.memoryMax], ['swapMax', group.swapMax]] as const) {
      const problem = text.trim() === '' ? undefined : limitProblem(text);
      if (problem !== undefined) found.error(field(name), problem);
    }
    const max = parseSize(group.memoryMax, 'bytes');
    if (ram.ok && max.ok && max.pages >= ram.pages) {
      found.warn(field('max'), `At or above RAM (${roundSize(ram.pages)}): the machine’s own memory runs out first.`);
    }
  }
  return found.problems;
}
