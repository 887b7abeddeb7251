/** Searching and sorting the library's list. */
import type { LibraryEntry } from '../../contract/app-api';

export type SortKey = 'title' | 'kernel' | 'ramPages' | 'devices' | 'claims' | 'savedAt';

/** Every word has to occur somewhere in title or kernel; letters in either case. */
export function matches(entry: LibraryEntry, search: string): boolean {
  const text = `${entry.title} ${entry.kernel}`.toLocaleLowerCase();
  return search.toLocaleLowerCase().split(/\s+/).every((word) => text.includes(word));
}

export function arrange(entries: readonly LibraryEntry[], search: string, key: SortKey, ascending: boolean): LibraryEntry[] {
  const compare = (a: LibraryEntry, b: LibraryEntry): number => {
    const [left, right] = [a[key], b[key]];
    const order = typeof left === 'string' && typeof right === 'string'
      ? left.localeCompare(right, undefined, { numeric: true, sensitivity: 'base' })
      : Number(left) - Number(right);
    // Equal rows keep one order whichever way the list is sorted.
    return (ascending ? order : -order) || a.title.localeCompare(b.title) || a.id.localeCompare(b.id);
  };
  return entries.filter((entry) => matches(entry, search)).sort(compare);
}

/** `2026-11-30 17:04`, in the time zone of the machine. */
export function savedText(milliseconds: number): string {
  const date = new Date(milliseconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
