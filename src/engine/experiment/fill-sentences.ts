/** The plan of fill-order.ts in sentences. */
import type { DefaultPriorityRule, FillDevice, FillGroup, FillInput } from './fill-order';

/** mTHP sizes as in the machine: `{"64kB": "always"}`. */
export type ThpSizes = Readonly<Record<string, 'always' | 'inherit' | 'madvise' | 'never'>>;

/** `a`, `a and b`, `a, b and c`. */
export function listOf(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

const DEFAULT_RULES: Record<DefaultPriorityRule, string> = {
  'one-by-one': 'No priority was given, so this kernel counts down from -1 in order of swapon: one device after the other.',
  descending: 'No priority was given, so this kernel counts down from -2 in order of swapon: one device after the other.',
  equal: 'No priority was given, so this kernel gives -1 to each.',
};

/** Is any large folio ever made on this machine? */
function hasLargeFolios(thp: ThpSizes | undefined): boolean {
  return Object.values(thp ?? {}).some((mode) => mode !== 'never');
}

function shareSentence(members: readonly FillDevice[]): string {
  const names = listOf(members.map((device) => device.name));
  const slow = members.filter((device) => device.rotational);
  if (slow.length === 0) return `${names} have the same priority and take turns, one cluster of 512 pages (2 MiB) each.`;
  if (slow.length === members.length) return `${names} have the same priority and are rotational: they take turns page by page.`;
  const verb = slow.length === 1 ? 'is rotational and gets' : 'are rotational and get';
  return (
    `${names} have the same priority and take turns, but ${listOf(slow.map((device) => device.name))} ${verb} one page ` +
    'a turn where the others get a cluster of 512 pages: the CPU remembers its place only on devices that do not seek.'
  );
}

export function describeGroup(
  members: readonly FillDevice[],
  index: number,
  above: readonly FillGroup[],
  input: FillInput,
): { why: string; notes: string[] } {
  const priority = members[0]?.priority ?? 0;
  const sentences: string[] = [];
  if (members.length > 1) sentences.push(shareSentence(members));
  if (index === 0) {
    const subject = members.length > 1 ? 'They fill' : `${members[0]?.name} fills`;
    sentences.push(`${subject} first: ${priority} is the highest priority.`);
  } else {
    const before = above.flatMap((group) => group.devices.map((device) => device.name));
    const subject = members.length > 1 ? 'They come' : `${members[0]?.name} comes`;
    const full = before.length > 2 ? 'all above are full' : `${listOf(before)} ${before.length === 1 ? 'is' : 'are'} full`;
    sentences.push(`${subject} into use when ${full}.`);
  }
  const saidAbove = above.some((group) => group.devices.some((device) => !device.given));
  if (!saidAbove && members.some((device) => !device.given)) {
    const alone = members.length === 1 && input.defaults === 'equal';
    sentences.push(alone ? 'No priority was given, so this kernel gives it -1.' : DEFAULT_RULES[input.defaults]);
  }
  return { why: sentences.join(' '), notes: members.flatMap((device) => deviceNotes(device, input)) };
}

function deviceNotes(device: FillDevice, input: FillInput): string[] {
  const notes: string[] = [];
  if (device.kind === 'file' && hasLargeFolios(input.thp)) {
    notes.push(
      `${device.name} is a swap file and takes no large folio: each one offered to it is split and its pages go out one by one ` +
        '(counted as swpout_fallback).',
    );
  }
  if (device.pageDiscard) notes.push(`${device.name} discards: it takes a free cluster before it goes back to one partly used.`);
  if (device.kind === 'xswap') {
    notes.push(`${device.name} has no storage behind it: its pages live in zswap, and its cluster table grows as it fills.`);
  }
  if (device.kind === 'zram' && input.zswap) {
    notes.push(`${device.name} compresses in RAM behind zswap, which does too: pages that leave the pool are compressed twice.`);
  }
  return notes;
}

export function describeMachine(devices: readonly FillDevice[], input: FillInput): string[] {
  const notes: string[] = [];
  if (devices.length === 0) {
    notes.push('No swap device is on at the start: while none is, anonymous memory cannot go out, and a full limit ends in an OOM kill.');
    return notes;
  }
  if (input.zswap && devices.some((device) => device.kind !== 'xswap')) {
    notes.push(
      'zswap stands in front: slots are taken in this order all the same, but data stays compressed in RAM and reaches a ' +
        'device only when the pool is full or refuses a page.',
    );
  }
  if ((input.cpus ?? 1) > 1 && devices.length > 1) {
    notes.push(
      `Each of the ${input.cpus} CPUs fills a cluster of its own and looks at priorities again only when it is used up, ` +
        'so single clusters can run ahead or lag behind.',
    );
  }
  return notes;
}
