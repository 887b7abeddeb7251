import { defineStore } from 'pinia';
import { computed, reactive, ref, shallowRef } from 'vue';
import { checkExperiment } from '../../contract/gate';
import type { ArmSpec, ClaimSpec, ExperimentSpec } from '../../engine/experiment/spec';
import type { Problem } from './checks';
import { checkDraft } from './checks';
import type { Draft, StepId } from './draft';
import { STEPS, emptyDraft } from './draft';
import { draftFromSpec } from './draft-from-spec';
import { draftToSpec, kernelSpec } from './draft-to-spec';
import { starterDraft } from './starter';
import { KERNEL_FACTS, defaultPriorityRule } from './kernels';
import { fillPreview } from './preview';

const snapshot = (draft: Draft): string => JSON.stringify(draft);

/** The experiment being put together. Lives as long as the window, whichever screen is shown. */
export const useWizard = defineStore('wizard', () => {
  const draft = ref<Draft>(emptyDraft());
  const begun = ref(false);
  const at = ref<StepId>('machine');
  /** Steps that were left once: all their problems are shown from then on. */
  const left = reactive(new Set<StepId>());
  /** Fields that were filled in and left. */
  const touched = reactive(new Set<string>());
  /** Where the focus goes next: a field, or the heading of a step. A new object for each request, so that the same one can be asked for twice. */
  const focus = shallowRef<{ readonly step: StepId; readonly field: string | undefined }>();
  const initial = ref('');
  /** A copy that has not been shown yet. */
  const fresh = ref(false);
  /** The claims of the experiment that was copied, so that they can be left out and taken back. */
  const copiedClaims = shallowRef<readonly ClaimSpec[]>([]);
  /** Its arms, in the same manner. */
  const copiedArms = shallowRef<readonly ArmSpec[]>([]);
  /** An experiment that is to be copied while a changed draft is still there: the screen asks which to go on with. */
  const pendingCopy = shallowRef<ExperimentSpec>();

  const problems = computed(() => checkDraft(draft.value, KERNEL_FACTS));
  const errors = computed(() => problems.value.filter((problem) => problem.level === 'error'));
  /** The last word has the gate that every file passes: it also weighs what a run would cost. Undefined while a field is wrong. */
  const gate = computed(() => (errors.value.length === 0 ? checkExperiment(draftToSpec(draft.value)) : undefined));
  const spec = computed<ExperimentSpec | undefined>(() => (gate.value?.ok ? gate.value.spec : undefined));
  const preview = computed(() => fillPreview(draft.value, defaultPriorityRule(kernelSpec(draft.value))));
  const changed = computed(() => begun.value && snapshot(draft.value) !== initial.value);
  const index = computed(() => STEPS.indexOf(at.value));

  function begin(next: Draft): void {
    draft.value = next;
    pendingCopy.value = undefined;
    copiedClaims.value = next.carried.claims;
    copiedArms.value = next.carried.arms;
    initial.value = snapshot(next);
    begun.value = true;
    at.value = 'machine';
    left.clear();
    touched.clear();
  }
  const startNew = (): void => { begin(starterDraft()); };
  function startCopy(from: ExperimentSpec): void {
    begin(draftFromSpec(from, true));
    fresh.value = true;
  }
  /** The screen is shown: goes on with a copy just made or with a draft that holds work, else begins anew. */
  function enter(): void {
    if (!fresh.value && !changed.value) startNew();
    fresh.value = false;
  }
  function close(): void {
    begun.value = false;
    draft.value = emptyDraft();
  }

  function goTo(step: StepId, field?: string): void {
    if (step !== at.value) left.add(at.value);
    at.value = step;
    focus.value = { step, field };
  }
  /** Always moves: what is wrong stays marked in the list of steps and is named again in the review. */
  function next(): void {
    const step = STEPS[index.value + 1];
    if (step) goTo(step);
  }
  function back(): void {
    const step = STEPS[index.value - 1];
    if (step) goTo(step);
  }
  function touch(field: string): void { touched.add(field); }

  const isShown = (problem: Problem): boolean => (
    left.has(problem.step) || touched.has(problem.field) || problem.level === 'warning' || left.has('review') || at.value === 'review'
  );
  /** The problem to print under a field now: errors before warnings, and none while a field is being filled in for the first time. */
  function problemOf(field: string): Problem | undefined {
    const own = problems.value.filter((problem) => problem.field === field && isShown(problem));
    return own.find((problem) => problem.level === 'error') ?? own[0];
  }
  /** Errors of a step as the list of steps shows them. */
  const shownErrors = (step: StepId): number => errors.value.filter((problem) => problem.step === step && isShown(problem)).length;

  return {
    draft, begun, at, left, focus, pendingCopy, copiedClaims, copiedArms, problems, errors, gate, spec, preview, changed, index,
    startNew, startCopy, enter, close, goTo, next, back, touch, problemOf, shownErrors,
  };
});
