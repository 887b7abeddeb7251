import { COMPRESSORS } from '../../../engine/kernel/memory/compression';
import { MAX_DEVICE_PAGES, MAX_TOTAL_PAGES } from '../../../contract/experiment';
import type { DeviceDraft, Draft } from '../draft';
import { groupDigits, parseSize, roundSize } from '../units';
import type { Problem } from './problem';
import { Findings } from './problem';

/** Swap types that a kernel with the usual configuration gives out (MAX_SWAPFILES). */
export interface SwapLimits {
  readonly maxDevices: number;
  /** Kernels that have /sys/kernel/mm/xswap. */
  readonly xswap: boolean;
}

/** mkswap refuses less than ten pages. */
const MIN_DEVICE_PAGES = 10;
/** On and off together. */
const MAX_DESCRIBED = 32;
const PRIORITY = { low: 0, high: 32767 } as const;

const NAME_RULES: Record<DeviceDraft['kind'], { pattern: RegExp; expected: string } | null> = {
  zram: { pattern: /^\/dev\/zram(0|[1-9]\d{0,3})$/, expected: 'expected /dev/zram and a number, such as /dev/zram0' },
  partition: { pattern: /^\/dev\/[A-Za-z0-9][A-Za-z0-9/_-]{0,63}$/, expected: 'expected a device below /dev, such as /dev/vdb' },
  file: { pattern: /^\/[^\s\u007f]{1,120}$/, expected: 'expected a file with its path, such as /swapfile' },
  xswap: null,
};

export function checkSwap(draft: Draft, limits: SwapLimits): Problem[] {
  const found = new Findings('swap');
  const on = draft.devices.filter((device) => device.on).length;
  if (on > limits.maxDevices) {
    found.error('swap.list', `expected at most ${limits.maxDevices} devices: the kernel has no more swap types, swapon answers EPERM`);
  }
  if (draft.devices.length > MAX_DESCRIBED) found.error('swap.list', `expected at most ${MAX_DESCRIBED} devices, on and off, got ${draft.devices.length}`);
  const seen = new Set<string>();
  for (const device of draft.devices) checkDevice(found, draft, device, limits, seen);
  checkTotals(found, draft);
  return found.problems;
}

function checkDevice(found: Findings, draft: Draft, device: DeviceDraft, limits: SwapLimits, seen: Set<string>): void {
  const field = (name: string): string => `swap.${device.key}.${name}`;
  if (device.kind === 'xswap') {
    const ram = parseSize(draft.machine.ram);
    if (!limits.xswap) found.error(field('kind'), `kernel ${draft.kernel} has no xswap: choose kernel xswap or another kind`);
    else if (ram.ok && ram.pages > MAX_DEVICE_PAGES / 2) {
      found.error(field('kind'), `xswap reserves twice RAM: expected at most ${roundSize(MAX_DEVICE_PAGES / 2)} of RAM, got ${roundSize(ram.pages)}`);
    } else if (!draft.zswap.enabled) found.error(field('kind'), 'xswap needs zswap: the kernel answers EOPNOTSUPP at create. Switch zswap on');
  } else {
    const name = device.name.trim();
    const rule = NAME_RULES[device.kind];
    if (rule && !rule.pattern.test(name)) found.error(field('name'), rule.expected);
    else if (seen.has(name)) found.error(field('name'), `${name} is there already: swapon of the same device answers EBUSY`);
    seen.add(name);
    checkSize(found, field('size'), device.size);
    if (device.kind === 'zram') checkCompressor(found, field('compressor'), device.compressor);
  }
  found.whole(field('priority'), device.priority, PRIORITY.low, PRIORITY.high, {
    optional: true, what: 'nothing (the kernel’s default) or a whole number',
  });
}

/** Empty: the default. A name that the kernel lacks is answered with an error, and the machine would not start. */
export function checkCompressor(found: Findings, field: string, name: string): void {
  if (name.trim() !== '' && !COMPRESSORS.includes(name.trim())) found.error(field, `expected ${COMPRESSORS.join(', ')} or the default, got “${name}”`);
}

function checkSize(found: Findings, field: string, text: string): void {
  const size = parseSize(text);
  if (!size.ok) found.error(field, size.message);
  else if (size.pages < MIN_DEVICE_PAGES) found.error(field, `expected at least ${MIN_DEVICE_PAGES} pages (40 KiB): mkswap refuses less`);
  else if (size.pages > MAX_DEVICE_PAGES) {
    found.error(field, `expected at most ${roundSize(MAX_DEVICE_PAGES)} (${groupDigits(MAX_DEVICE_PAGES)} pages), got ${groupDigits(size.pages)}`);
  } else if (!size.exact) found.warn(field, 'Rounded down to whole pages of 4 KiB.');
}

/** A zram device is made of RAM: worth a word when its data could not fit even at half its size. */
function checkTotals(found: Findings, draft: Draft): void {
  const ram = parseSize(draft.machine.ram);
  let all = 0;
  let zram = 0;
  for (const device of draft.devices) {
    const size = device.kind === 'xswap' ? undefined : parseSize(device.size);
    if (!size?.ok) continue;
    all += size.pages;
    if (device.kind === 'zram' && device.on) zram += size.pages;
  }
  if (all > MAX_TOTAL_PAGES) found.error('swap.list', `expected at most ${roundSize(MAX_TOTAL_PAGES)} on all devices together, got ${roundSize(all)}`);
  if (ram.ok && zram > 2 * ram.pages) {
    found.warn('swap.list', `${roundSize(zram)} of zram on ${roundSize(ram.pages)} of RAM: full, it has to compress better than 2 : 1 to fit at all.`);
  }
}
