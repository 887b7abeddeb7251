import { ref } from 'vue';
import type { ChangeResult } from '../../contract/engine-api';
import type { Step } from '../../engine/experiment/spec';
import { useRun } from '../stores/run';

/** A control that writes to the machine: the last answer, and whether one is awaited. */
export function useLiveChange(): {
  readonly answer: ReturnType<typeof ref<ChangeResult | undefined>>;
  readonly waiting: ReturnType<typeof ref<boolean>>;
  apply(...steps: readonly Step[]): Promise<ChangeResult | undefined>;
  refusal(): string;
  clear(): void;
} {
  const run = useRun();
  const answer = ref<ChangeResult>();
  const waiting = ref(false);

  /** One after the other; stops at the first that the kernel refuses. */
  async function apply(...steps: readonly Step[]): Promise<ChangeResult | undefined> {
    waiting.value = true;
    answer.value = undefined;
    try {
      for (const step of steps) {
        answer.value = await run.change(step);
        if (!answer.value.ok) break;
      }
    } catch (error) {
      answer.value = { ok: false, at: run.now, errno: '', message: error instanceof Error ? error.message : String(error), why: '' };
    } finally {
      waiting.value = false;
    }
    return answer.value;
  }
  /** `EINVAL (Invalid argument): a whole number of pages is expected`; empty when the last change was taken. */
  function refusal(): string {
    const last = answer.value;
    if (!last || last.ok) return '';
    const head = last.errno ? `${last.errno} (${last.message})` : last.message;
    return last.why ? `${head}: ${last.why}` : head;
  }
  function clear(): void { answer.value = undefined; }
  return { answer, waiting, apply, refusal, clear };
}
