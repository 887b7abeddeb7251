import { UsageError, type Io } from './io';
import { readTraceText } from './replay-file';
import { policiesOf, kernelIds, UnknownPolicyError, type SwapPolicies } from '../engine/kernel/swap/registry';
import { explanationText } from '../engine/kernel/swap/explain';
import type { DeviceLists } from '../engine/kernel/swap/moment';
import { explainTrace, replayTrace, type ReplayResult } from '../engine/kernel/swap/replay';
import { parseTrace, TraceError, type Trace } from '../engine/kernel/swap/trace';
import { findGap } from '../engine/kernel/swap/trace-gaps';

const USAGE = 'usage: swaplab replay TRACE [--kernel ID] [--explain LINE] [--json]';

/**
 * `swaplab replay TRACE [--kernel ID] [--explain LINE] [--json]`. Without --kernel the kernel is that of the trace's first line.
 * Returns the exit code: 0 all events matched, 1 one did not, 2 bad input or usage, with one sentence on stderr.
 */
export function replayCommand(args: readonly string[], io: Pick<Io, 'out' | 'err'>): Promise<number> {
  try {
    const options = parseArgs(args);
    const trace = parseTrace(readTraceText(options.file));
    const policies = choosePolicies(options.kernel, trace);
    if (options.explain !== undefined) return Promise.resolve(explainLine(options, options.explain, trace, policies, io));
    const result = replayTrace(trace, policies);
    io.out(options.json ? `${JSON.stringify(result)}\n` : report(options.file, policies, result, trace));
    return Promise.resolve(result.firstMismatch === null ? 0 : 1);
  } catch (error) {
    if (error instanceof UsageError || error instanceof UnknownPolicyError) io.err(`swaplab replay: ${error.message}\n`);
    else if (error instanceof TraceError) io.err(`swaplab replay: not a kernel trace that can be replayed: ${error.message}\n`);
    else throw error;
    return Promise.resolve(2);
  }
}

interface Options {
  readonly file: string;
  readonly kernel: string | undefined;
  /** Line of the trace whose request or free is told in words. */
  readonly explain: number | undefined;
  readonly json: boolean;
}

function parseArgs(args: readonly string[]): Options {
  let file: string | undefined;
  let kernel: string | undefined;
  let explain: number | undefined;
  let json = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--json') json = true;
    else if (arg === '--kernel' || arg.startsWith('--kernel=')) {
      kernel = arg === '--kernel' ? args[++i] : arg.slice('--kernel='.length);
      if (!kernel) throw new UsageError(`--kernel needs an id: ${kernelIds().join(', ')}`);
    } else if (arg === '--explain' || arg.startsWith('--explain=')) {
      const line = (arg === '--explain' ? args[++i] : arg.slice('--explain='.length)) ?? '';
      if (!/^[1-9]\d{0,8}$/.test(line)) throw new UsageError(`--explain needs a line number of the trace, from 1; ${USAGE}`);
      explain = Number(line);
    } else if (arg.startsWith('-')) throw new UsageError(`unknown option '${arg}'; ${USAGE}`);
    else if (file !== undefined) throw new UsageError(`one trace at a time; ${USAGE}`);
    else file = arg;
  }
  if (file === undefined) throw new UsageError(USAGE);
  return { file, kernel, explain, json };
}

function choosePolicies(kernel: string | undefined, trace: Trace): SwapPolicies {
  if (kernel !== undefined) return policiesOf(kernel);
  const release = trace.kernelRelease;
  if (release === undefined) throw new UsageError(`the trace does not name its kernel; name one of ${kernelIds().join(', ')} with --kernel`);
  const id = /^linux \d+\.\d+/.exec(release)?.[0].replace(' ', '-') ?? '';
  if (kernelIds().includes(id)) return policiesOf(id);
  throw new UsageError(`the trace is of ${release}, which is not modelled; name one of ${kernelIds().join(', ')} with --kernel`);
}

function report(file: string, policies: SwapPolicies, result: ReplayResult, trace: Trace): string {
  const { events, matched, firstMismatch } = result;
  if (firstMismatch === null) return `${file}: ${matched} of ${events} events match ${policies.id}\n`;
  const gap = findGap(trace);
  const note = gap === undefined ? '' : `  note:   the recording is not whole, by line ${gap.line}: ${gap.what}\n`;
  return (
    `${file}: ${matched} of ${events} events match ${policies.id}; the first difference is at line ${firstMismatch.line}\n` +
    `  kernel: ${firstMismatch.expected}\n` +
    `  model:  ${firstMismatch.got}\n${note}`
  );
}

/** The decisions of one request or free, and the lists before and after it. */
function explainLine(options: Options, line: number, trace: Trace, policies: SwapPolicies, io: Pick<Io, 'out'>): number {
  const { result, explained } = explainTrace(trace, policies, (first, last) => first <= line && line <= last);
  const [asked] = explained;
  if (asked === undefined) throw new UsageError(`line ${line} is no request and no free: expected an A, X, U, N or F line, or one of its pages`);
  const text = explanationText(asked.explanation);
  if (options.json) {
    io.out(`${JSON.stringify({ ...result, explanation: { line, ...(text ?? NOTHING_DONE) } })}\n`);
  } else {
    const lines = [report(options.file, policies, result, trace).trimEnd(), '', `Line ${line}:`, ...(text ?? NOTHING_DONE).decisions.map((sentence) => `  ${sentence}`)];
    if (text !== undefined) lines.push('', 'Lists before:', ...listLines(text.before), '', 'Lists after:', ...listLines(text.after));
    io.out(`${lines.join('\n')}\n`);
  }
  return result.firstMismatch === null ? 0 : 1;
}

/** Slots of a folio in the swap cache, of which others are still in use. */
const NOTHING_DONE = {
  decisions: ['nothing is freed yet: the folio stays in the swap cache until the last of its slots is dropped'], before: [], after: [],
};

const listLines = (devices: readonly DeviceLists[]): string[] =>
  devices.flatMap((device) => device.lists.map((list) => `  ${device.name} ${list.name}: ${list.clusters.join(' ')}${list.more ? ' …' : ''}`));
