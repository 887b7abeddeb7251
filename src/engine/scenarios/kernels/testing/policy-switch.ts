import { policiesOf } from '../../../kernel/swap/registry';
import type { KernelSpec } from '../../../experiment/spec';

export type Value = string | number | boolean;
export type Settings = Readonly<Record<string, Value>>;

/** The two kernels that differ in one policy. */
export interface Sides {
  readonly a: KernelSpec;
  readonly b: KernelSpec;
}

/** One policy turned from the value that `kernel` has (with `set`) to another. */
export interface PolicySwitch {
  readonly policy: string;
  readonly kernel: string;
  /** On both sides. */
  readonly set?: Settings;
  readonly to: Value;
  /** What the first difference is, as the name of the test. */
  readonly first: string;
  /** The same requests to both: expects that the first difference is the policy's. */
  shows(sides: Sides): void;
  /** The same requests to both, which the policy cannot touch: expects that nothing differs. */
  spares(sides: Sides): void;
}

export const sidesOf = ({ kernel, set = {}, policy, to }: PolicySwitch): Sides =>
  ({ a: { base: kernel, set }, b: { base: kernel, set: { ...set, [policy]: to } } });

/** `policy=value`, for both values that a switch turns between. */
export function coveredBy(turned: PolicySwitch): string[] {
  const { a, b } = sidesOf(turned);
  return [a, b].flatMap((kernel) => {
    const value: unknown = Reflect.get(policiesOf(kernel), turned.policy);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.map((one) => `${turned.policy}=${String(one)}`);
  });
}
