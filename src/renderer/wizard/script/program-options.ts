/** The options of a program as the fields of its step say them. */
import type { AccessSpec, ChurnSpec } from '../../../engine/experiment/spec';
import { compact, numberOf, optionalNumber } from '../values';

type Field = (name: string) => string;

/** Options of the churn, as far as they differ from the tool's; undefined: none does. */
export function churnSpec(field: Field): ChurnSpec | undefined {
  const churn = compact<ChurnSpec>({
    aligned: field('aligned') === 'yes' ? true : undefined,
    small: field('small') === 'yes' ? true : undefined,
    rounds: optionalNumber(field('rounds')),
  });
  return Object.keys(churn).length > 0 ? churn : undefined;
}

export const accessSpec = (field: Field): AccessSpec => compact<AccessSpec>({
  count: numberOf(field('accesses')),
  write_percent: numberOf(field('writes')),
  law: field('law') as AccessSpec['law'],
  pause_s: optionalNumber(field('pause')),
});
