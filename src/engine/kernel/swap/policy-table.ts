/** Every policy with its values and the kernels that have them, as rows: what `swaplab kernels` prints and the window shows. */
import { POLICY_CHOICES, POLICY_SETTINGS, type ValueText } from './policy-catalogue';
import { kernelIds, policiesOf } from './registry';

/** One value of a policy, and the kernels that have it. */
export interface ValueRow {
  readonly value: string;
  /** Empty: the value says it itself (true, 512). */
  readonly what: string;
  readonly source: string;
  readonly kernels: readonly string[];
}

export interface PolicyRow {
  readonly policy: string;
  readonly what: string;
  readonly values: readonly ValueRow[];
}

export const policyRows = (): PolicyRow[] => [...choiceRows(), ...settingRows()];

function choiceRows(): PolicyRow[] {
  const choices: Readonly<Record<string, { what: string; values: Readonly<Record<string, ValueText>> }>> = POLICY_CHOICES;
  return Object.entries(choices).map(([policy, { what, values }]) => ({
    policy,
    what,
    values: Object.entries(values).map(([value, text]) => ({ value, what: text.what, source: text.source, kernels: usersOf(policy, value) })),
  }));
}

function settingRows(): PolicyRow[] {
  return Object.entries(POLICY_SETTINGS).map(([policy, { what, source }]) => {
    const values = [...new Set(kernelIds().map((id) => policyText(id, policy)))].sort();
    return { policy, what, values: values.map((value) => ({ value, what: '', source, kernels: usersOf(policy, value) })) };
  });
}

/** The value of a policy in a kernel, as text; a list: its names, or none. */
export function policyText(id: string, policy: string): string {
  const value: unknown = Reflect.get(policiesOf(id), policy);
  return Array.isArray(value) ? value.join(',') || 'none' : String(value);
}

const usersOf = (policy: string, value: string): string[] => kernelIds().filter((id) => policyText(id, policy) === value);
