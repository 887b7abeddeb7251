/** Claims: what a published result says, held against what this run measured. */
import { checkExpression, evaluateExpression } from './expression';
import type { Lookup } from './expression';
import type { ClaimSpec, ExperimentSpec } from './spec';

export interface ClaimOutcome {
  /** Absent while a metric that it needs is not there. */
  readonly value?: number | string;
  readonly holds?: boolean;
  /** The metrics that are not there. */
  readonly missing: readonly string[];
}

/** Expressions that cannot be read: index of the claim and why. */
export const checkExpressions = (spec: ExperimentSpec): { claim: number; problem: string }[] =>
  spec.claims.flatMap(({ expression }, claim) => {
    const problem = expression === undefined ? undefined : checkExpression(expression);
    return problem === undefined ? [] : [{ claim, problem }];
  });

/** What a claim without band and exact value asks for. */
export const REPORTED = 'reported';

/** A claim that states what was measured and judges nothing. */
export const isReport = (claim: ClaimSpec): boolean => claim.band === undefined && claim.equals === undefined;

const number = (value: number): string => String(value);

/** What is asked for, in words: `8140796`, `0 … 814080`. */
export const expectedText = (claim: ClaimSpec): string => {
  if (claim.equals !== undefined) return String(claim.equals);
  return claim.band ? `${number(claim.band[0])} … ${number(claim.band[1])}` : REPORTED;
};

const holds = (claim: ClaimSpec, value: number | string): boolean => {
  if (claim.equals !== undefined) return value === claim.equals;
  if (claim.band === undefined) return true;
  return typeof value === 'number' && value >= claim.band[0] && value <= claim.band[1];
};

export const evaluateClaim = (claim: ClaimSpec, lookup: Lookup): ClaimOutcome => {
  if (claim.metric !== undefined) {
    const value = lookup(claim.metric);
    return value === undefined ? { missing: [claim.metric] } : { value, holds: holds(claim, value), missing: [] };
  }
  const outcome = evaluateExpression(claim.expression ?? '', lookup);
  return outcome.ok ? { value: outcome.value, holds: holds(claim, outcome.value), missing: [] } : { missing: outcome.missing };
};
