import type { DeviceLists } from '../../engine/kernel/swap/moment';

/** One list of one device, before and after. */
export interface ListRow {
  readonly key: string;
  readonly device: string;
  readonly list: string;
  readonly before: string;
  readonly after: string;
  readonly changed: boolean;
}

/** Lists in the order in which they are tried and read: free, nonfull, frag, full, discard. */
const RANK: Readonly<Record<string, number>> = { free: 0, nonfull: 1, frag: 2, full: 3, discard: 4 };
const rankOf = (name: string): number => {
  const [kind = '', order = '0'] = name.split(/[[\]]/);
  return (RANK[kind] ?? 5) * 100 + Number(order);
};

function texts(devices: readonly DeviceLists[]): Map<string, { device: string; list: string; text: string }> {
  const map = new Map<string, { device: string; list: string; text: string }>();
  for (const device of devices) {
    for (const { name, clusters, more } of device.lists) {
      map.set(`${device.type} ${name}`, { device: device.name, list: name, text: `${clusters.join(' ')}${more ? ' …' : ''}` });
    }
  }
  return map;
}

/** Every list that holds anything before or after, those of one device together. */
export function listRows(before: readonly DeviceLists[], after: readonly DeviceLists[]): ListRow[] {
  const was = texts(before);
  const is = texts(after);
  const rows = [...new Set([...was.keys(), ...is.keys()])].map((key) => {
    const some = was.get(key) ?? is.get(key);
    const [old, now] = [was.get(key)?.text ?? '', is.get(key)?.text ?? ''];
    return { key, device: some?.device ?? '', list: some?.list ?? '', before: old, after: now, changed: old !== now };
  });
  return rows.sort((a, b) => a.device.localeCompare(b.device) || rankOf(a.list) - rankOf(b.list));
}
