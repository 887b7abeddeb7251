import { policyRows, type PolicyRow } from '../engine/kernel/swap/policy-table';
import { kernelIds, policiesOf } from '../engine/kernel/swap/registry';
import { EXIT, UsageError, type Io } from './io';

const USAGE = 'usage: swaplab kernels [--json]';
const WIDTH = 100;

/**
 * `swaplab kernels [--json]`: every kernel id with its source, and every policy with one paragraph and a source a value and the ids
 * that use it. @throws UsageError
 */
export function kernelsCommand(args: readonly string[], io: Pick<Io, 'out'>): number {
  const unknown = args.find((arg) => arg !== '--json');
  if (unknown !== undefined) throw new UsageError(`unexpected '${unknown}'; ${USAGE}`);
  const kernels = kernelIds().map((id) => ({ id, source: policiesOf(id).source }));
  const policies = policyRows();
  if (args.includes('--json')) io.out(`${JSON.stringify({ kernels, policies }, null, 2)}\n`);
  else io.out(asText(kernels, policies));
  return EXIT.ok;
}

function asText(kernels: readonly { id: string; source: string }[], policies: readonly PolicyRow[]): string {
  const lines = ['Kernels', ''];
  for (const { id, source } of kernels) lines.push(...wrap(`${id.padEnd(21)} ${source}`, 2, 24));
  lines.push('', 'Policies, each of which can be set alone: {"base": "linux-6.18", "set": {"selection": "one-list"}}');
  for (const { policy, what, values } of policies) {
    lines.push('', policy, ...wrap(what, 2, 2));
    for (const row of values) {
      lines.push(...wrap(`${row.value}${row.what === '' ? '' : `: ${row.what}`} (${row.source})`, 4, 6));
      lines.push(...wrap(row.kernels.length === 0 ? 'no kernel by default' : row.kernels.join(', '), 6, 6));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Lines of at most WIDTH characters, the first indented by `first`, the others by `rest`. */
function wrap(text: string, first: number, rest: number): string[] {
  const lines: string[] = [];
  let line = ' '.repeat(first);
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = ' '.repeat(rest);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}
