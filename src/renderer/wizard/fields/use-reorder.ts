/** Rows that can be put in another order by dragging their handle; keyboard and buttons go through move(). */
import { nextTick, ref } from 'vue';
import { moveRow } from '../draft';

export interface ReorderOptions<T> {
  rows: () => T[];
  /** What is read out after a move. */
  announce: (row: T, place: number, count: number) => string;
}

export function useReorder<T>(options: ReorderOptions<T>) {
  /** Index of the row being dragged; -1: none. */
  const dragged = ref(-1);
  const message = ref('');

  function move(from: number, by: number): void {
    const rows = options.rows();
    const to = moveRow(rows, from, by);
    const row = rows[to];
    if (to !== from && row !== undefined) message.value = options.announce(row, to + 1, rows.length);
  }

  /** Keeps the focus on the handle or button that was used: the row moves in the page. */
  async function moveKeepingFocus(from: number, by: number): Promise<void> {
    const active = document.activeElement;
    move(from, by);
    await nextTick();
    if (active instanceof HTMLElement && active.isConnected) active.focus();
  }

  return {
    dragged,
    message,
    move: moveKeepingFocus,
    /** Only the handle starts a drag, so that text in the fields can be selected with the pointer; what is seen to move is the row. */
    onDragStart(event: DragEvent, index: number): void {
      dragged.value = index;
      const row = event.target instanceof Element ? event.target.closest('li') : null;
      if (row) event.dataTransfer?.setDragImage(row, 12, 24);
      event.dataTransfer?.setData('text/plain', String(index));
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
    },
    onDragOver(event: DragEvent, index: number): void {
      if (dragged.value < 0) return;
      event.preventDefault();
      if (index === dragged.value) return;
      move(dragged.value, index - dragged.value);
      dragged.value = index;
    },
    onDragEnd(): void {
      dragged.value = -1;
    },
  };
}
