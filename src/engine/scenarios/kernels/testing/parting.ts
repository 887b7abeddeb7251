/** Runs on two swap layers, and what may be expected of where they part. */
import { expect } from 'vitest';
import { RECORD_WORDS } from '../../../kernel/swap/clusters';
import { FROM, type Decision } from '../../../kernel/swap/decisions';
import type { SwaponArgs } from '../../../kernel/swap/types';
import { Lockstep, zram, type AnswerPair, type DecisionPair, type Machine } from './lockstep';
import type { Sides } from './policy-switch';

export type Run = (pair: Lockstep) => void;

export function run(sides: Sides, machine: Machine | readonly SwaponArgs[], requests: Run): Lockstep {
  const pair = new Lockstep(sides.a, sides.b, 'devices' in machine ? machine : { devices: machine });
  requests(pair);
  return pair;
}

/** The first decision and the first answer that differ. */
export function parting(sides: Sides, machine: Machine | readonly SwaponArgs[], requests: Run): { decision: DecisionPair; answer: AnswerPair } {
  const { decision, answer } = run(sides, machine, requests);
  if (decision === undefined || answer === undefined) throw new Error('the machines do not differ');
  return { decision, answer };
}

/** Not one decision differs. */
export function same(sides: Sides, machine: Machine | readonly SwaponArgs[], requests: Run): void {
  const { decision, answer, step } = run(sides, machine, requests);
  expect([decision, answer]).toEqual([undefined, undefined]);
  expect(step).toBeGreaterThan(3);
}

/** Every request gets the same slot, by other ways. */
export function sameSlots(sides: Sides, machine: Machine | readonly SwaponArgs[], requests: Run): void {
  const { answer, step } = run(sides, machine, requests);
  expect(answer).toBeUndefined();
  expect(step).toBeGreaterThan(500);
}

/** A run took: the number of the list from which its cluster came (0 free, 3… nonfull[0…]), or OWN, and the LIST number afterwards. */
export const took = (decision: Decision | undefined): { from: number; to: number } | undefined =>
  (decision?.did === 'took' ? { from: decision.from < 0 ? decision.from : decision.from / RECORD_WORDS, to: decision.to >>> 8 } : undefined);
export const OWN = FROM.own;
export const did = (decision: Decision | undefined): string => decision?.did ?? 'no more';
export const dids = ({ a, b }: DecisionPair): string[] => [did(a), did(b)];

export const disk = (i: number, more: Partial<SwaponArgs> = {}): SwaponArgs => zram(i, { kind: 'partition', name: `/dev/sd${i}`, ...more });
export const two = [zram(0), zram(1)];
export const unnamed = (i: number, more: Partial<SwaponArgs> = {}): SwaponArgs => zram(i, { priority: undefined, ...more });

export const FREE = 0;
export const NONFULL = 3;
