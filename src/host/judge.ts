/** The gate's verdict on a text, with the canonical text of what it took. */
import { experimentText } from '../contract/canonical';
import { openExperiment } from '../contract/gate';
import type { GateVerdict } from '../contract/host-messages';

export function judge(text: string): GateVerdict {
  const outcome = openExperiment(text);
  if (!outcome.ok) return { kind: 'refused', message: outcome.message, problems: outcome.problems };
  return { kind: 'taken', spec: outcome.spec, text: experimentText(outcome.spec), estimatedOps: outcome.estimatedOps };
}
