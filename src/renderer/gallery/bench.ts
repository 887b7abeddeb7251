/** From a list to the run screen: asks about unsaved work, puts the experiment on the bench, goes there. */
import type { ExperimentSpec } from '../../engine/experiment/spec';
import { useDocument } from '../stores/document';
import type { DocumentSource } from '../stores/document';
import { useNavigation } from '../stores/navigation';
import { useRun } from '../stores/run';
import { builtins } from './builtins';
import { useWizard } from '../wizard/wizard-store';

/** @returns false when the user chose to stay with unsaved work. */
export async function putOnBench(spec: ExperimentSpec, source: DocumentSource, options: { run?: boolean } = {}): Promise<boolean> {
  const doc = useDocument();
  if (!(await doc.mayLeave())) return false;
  doc.open(spec, source);
  useNavigation().go('run');
  if (options.run) useRun().runSoon();
  return true;
}

/** Into the wizard as a changed copy. A draft that is being worked on is not thrown away without a question. */
export function copyIntoWizard(spec: ExperimentSpec): void {
  const wizard = useWizard();
  if (wizard.changed) wizard.pendingCopy = spec;
  else wizard.startCopy(spec);
  useNavigation().go('wizard');
}

/** The default experiment stands ready until another one is opened; a file given at the start takes its place without a question. */
export function openDefault(): void {
  const doc = useDocument();
  const [first] = builtins().experiments;
  if (doc.spec || !first) return;
  doc.open(first.spec, { kind: 'builtin', name: first.id });
  useNavigation().go('run');
}
