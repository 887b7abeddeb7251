/** What `swaplab run` prints: a table of probes by arm, then the claims beside what was published. */
import { expectedText, isReport } from '../engine/experiment/claims';
import { BASE_ARM } from '../engine/experiment/arms';
import type { ArmResult, ClaimResult, RunResult } from '../engine/experiment/result';
import { scaled } from '../engine/experiment/scale';
import type { ExperimentSpec } from '../engine/experiment/spec';
import { spreadOf } from '../engine/experiment/statistics';
import { countText, folded, sizeText, tableText } from './table';

const probeNames = (spec: ExperimentSpec, arm: ArmResult): string[] => {
  const scripted = spec.workload.steps.flatMap((step) => ('probe' in step ? [step.probe] : []));
  const metrics = arm.runs[0]?.metrics ?? {};
  const kills = Object.keys(metrics).flatMap((name) => /^(oom\.\d+)\.meminfo\.SwapTotal_kB$/.exec(name)?.[1] ?? []);
  const at = (probe: string): number => Number(metrics[`${probe}.time.elapsed_s`] ?? Infinity);
  return [...kills, ...scripted].sort((a, b) => at(a) - at(b));
};

/** Mean over the seeds, with the deviation where they differ. */
const cell = (arm: ArmResult, name: string, show: (value: number) => string): string => {
  const values = arm.runs.map((run) => run.metrics[name]);
  if (values.length === 0 || !values.every((value): value is number => typeof value === 'number')) return '–';
  const { mean, deviation } = spreadOf(values);
  return deviation > 0 ? `${show(mean)} ±${show(deviation)}` : show(mean);
};

const armText = (spec: ExperimentSpec, arm: ArmResult): string => {
  const kB = (value: number): string => `${Math.round(value)} kB`;
  const rows = probeNames(spec, arm).map((probe) => [
    probe,
    cell(arm, `${probe}.time.elapsed_s`, (s) => `${s.toFixed(3)} s`),
    cell(arm, `${probe}.meminfo.SwapTotal_kB`, kB),
    cell(arm, `${probe}.meminfo.SwapFree_kB`, kB),
    cell(arm, `${probe}.swap.used_kB`, (value) => sizeText(value * 1024)),
    cell(arm, `${probe}.oom.kills`, String),
  ]);
  const title = arm.name === BASE_ARM && spec.arms.length === 0 ? '' : `Arm ${arm.name}, kernel ${arm.kernel}\n`;
  const failures = arm.runs.flatMap((run) => (run.failure === undefined ? [] : [`  FAILED (seed ${run.seed}): ${run.failure}\n`]));
  if (rows.length === 0) return `${title}${failures.join('')}`;
  const columns = [
    { title: 'probe' }, { title: 'simulated', right: true }, { title: 'SwapTotal', right: true }, { title: 'SwapFree', right: true },
    { title: 'in use', right: true }, { title: 'OOM kills', right: true },
  ];
  return `${title}${tableText(columns, rows)}${failures.join('')}\n`;
};

const valueText = (value: number | string | null | undefined): string => {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value === '' ? '(nothing)' : value.replace(/\n$/, '').replace(/\n/g, ' ⏎ ');
  return Number.isInteger(value) ? String(value) : value.toPrecision(6).replace(/\.?0+$/, '');
};

const WHAT_WIDTH = 52;

/** How much of two names is the same from the front and from the back, of the longer one: 0 to 1. */
const likeness = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let front = 0;
  while (front < most && a[front] === b[front]) front++;
  let back = 0;
  while (back < most - front && a[a.length - 1 - back] === b[b.length - 1 - back]) back++;
  return (front + back) / Math.max(a.length, b.length, 1);
};

/** A name less like than this is another one, not a slip of the finger. */
const LIKE = 0.75;

/** Why a metric is not there, and what was probably meant. */
const missingText = (written: string, arms: readonly ArmResult[]): string => {
  const named = arms.find(({ name }) => written.startsWith(`${name}:`));
  const [first] = arms;
  if (!first || (!named && arms.length > 1)) {
    return `"${written}" names no arm: expected ARM:METRIC with one of ${arms.map(({ name }) => name).join(', ')}`;
  }
  const prefix = named ? `${named.name}:` : '';
  const metric = written.slice(prefix.length);
  const known = (named ?? first).runs[0]?.metrics ?? {};
  if (Object.hasOwn(known, metric) && typeof known[metric] === 'string') return `"${written}" is a text, where a number is needed`;
  const [best] = Object.keys(known).map((name) => ({ name, like: likeness(name, metric) })).sort((a, b) => b.like - a.like);
  return `there is no metric "${written}"${best && best.like >= LIKE ? `; was "${prefix}${best.name}" meant?` : ''}`;
};

/** Lines below a claim that could not be judged. */
const notes = (claim: ClaimResult, arms: readonly ArmResult[]): string[] => {
  if (claim.missing) return claim.missing.flatMap((name) => folded(missingText(name, arms), WHAT_WIDTH));
  return claim.value === null ? ['its expression gives no finite number'] : [];
};

const claimsText = (claims: readonly ClaimResult[], arms: readonly ArmResult[]): string => {
  if (claims.length === 0) return '';
  const rows = claims.flatMap((claim) => {
    const [first = '', ...rest] = folded(claim.what, WHAT_WIDTH);
    const exactly = claim.equals === claim.published ? 'the same' : valueText(claim.equals);
    const expected = claim.equals === undefined ? expectedText(claim) : exactly;
    return [
      [isReport(claim) && claim.holds ? '·' : claim.holds ? '✓' : '✗', first, valueText(claim.published), expected, valueText(claim.value)],
      ...[...rest, ...notes(claim, arms)].map((line) => ['', line]),
    ];
  });
  const columns = [{ title: '' }, { title: 'claim' }, { title: 'published' }, { title: 'expected' }, { title: 'this run' }];
  return `${tableText(columns, rows)}\n`;
};

export const resultText = (spec: ExperimentSpec, result: RunResult, work: { seconds: number; operations: number }): string => {
  const { machine } = scaled(spec);
  const kernels = [...new Set(result.arms.map((arm) => arm.kernel))].join(', ');
  const seeds = spec.seeds.length === 1 ? `seed ${spec.seeds[0] ?? ''}` : `${spec.seeds.length} seeds`;
  const scale = (spec.scale ?? 1) > 1 ? ` · at 1/${spec.scale ?? 1} of its size` : '';
  const ram = `${sizeText(machine.ram_pages * 4096)} RAM (${machine.ram_pages} pages)`;
  const head = `${spec.title}\nkernel ${kernels} · ${ram} · ${machine.cpus} CPU${machine.cpus > 1 ? 's' : ''} · ${seeds}${scale}\n\n`;
  const judged = result.claims.filter((claim) => !isReport(claim));
  const held = judged.filter((claim) => claim.holds).length;
  const reported = result.claims.filter((claim) => isReport(claim) && claim.holds).length;
  const verdict = (judged.length ? `${held} of ${judged.length} claims hold. ` : '') + (reported ? `${reported} ${reported === 1 ? 'value' : 'values'} reported. ` : '');
  const pace = `${countText(work.operations)} page operations in ${work.seconds.toFixed(1)} s (${countText(work.operations / Math.max(work.seconds, 1e-3))}/s)`;
  const tail = `${verdict}${result.complete ? '' : 'The run did not reach its end. '}${pace}.\ndigest ${result.digest ?? '–'}\n`;
  return head + result.arms.map((arm) => armText(spec, arm)).join('') + claimsText(result.claims, result.arms) + tail;
};
