/** After a row was removed the focus must not fall out of the list. */
import { nextTick } from 'vue';

/** Focuses the row that took the place of the removed one, or what comes before the list when it was the last. */
export async function focusRowAfterRemoval(list: HTMLElement | null | undefined, index: number, fallback: string): Promise<void> {
  await nextTick();
  const rows = list?.isConnected ? [...list.children] : [];
  const row = rows[Math.min(index, rows.length - 1)];
  const target = row?.querySelector<HTMLElement>('button, input, select') ?? document.querySelector<HTMLElement>(fallback);
  target?.focus();
}
