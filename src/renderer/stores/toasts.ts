import { defineStore } from 'pinia';
import { ref } from 'vue';

export type ToastTone = 'info' | 'ok' | 'warn' | 'bad';
export interface ToastOptions { readonly text?: string; readonly tone?: ToastTone; readonly action?: { readonly label: string; run(): void } }
interface Toast extends ToastOptions { readonly id: number; readonly title: string; readonly tone: ToastTone }

/** Good news go by themselves; what is wrong stays until closed. */
const STAYS_MS: Record<ToastTone, number> = { info: 6000, ok: 4000, warn: 12000, bad: 0 };

export const useToasts = defineStore('toasts', () => {
  const items = ref<Toast[]>([]);
  let next = 1;

  function close(id: number): void { items.value = items.value.filter((toast) => toast.id !== id); }
  function show(title: string, options: ToastOptions = {}): number {
    const tone = options.tone ?? 'info';
    const id = next++;
    items.value = [...items.value.slice(-4), { ...options, id, title, tone }];
    const stay = options.action ? Math.max(10000, STAYS_MS[tone]) : STAYS_MS[tone];
    if (stay > 0) setTimeout(() => { close(id); }, stay);
    return id;
  }
  function act(id: number): void {
    items.value.find((toast) => toast.id === id)?.action?.run();
    close(id);
  }
  return { items, show, close, act };
});
