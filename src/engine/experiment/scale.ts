/**
 * An experiment at its scale: every size of machine and workload divided alike, so that a file states the sizes that were published
 * and runs in a fraction of them. Divided are RAM, devices, limits of cgroups (memory.max and the like, where they are numbers),
 * programs with their access counts, pages that steps wait for or page out, and what steps write to these limits, to an xswap limit, and to
 * a zram disksize. Rounds of a churn, times, priorities and percentages are not.
 */
import type { AccessSpec, CgroupSpec, ExperimentSpec, MachineSpec, ProgramSpec, RepeatedStep, Step } from './spec';

/** Files of a cgroup that hold sizes. */
const LIMIT = /^memory\.(min|low|high|max|swap\.high|swap\.max|zswap\.max|reclaim)$/;
/** A file whose text is a size when it is a number. */
const SIZE_FILE = /^\/sys\/(kernel\/mm\/xswap\/type\d+\/limit|block\/zram\d+\/disksize)$/;
const isSizeFile = (path: string): boolean =>
  SIZE_FILE.test(path) || (path.startsWith('/sys/fs/cgroup/') && LIMIT.test(path.slice(path.lastIndexOf('/') + 1)));
const UNITS: Readonly<Record<string, number>> = {
  '': 1, K: 1024, M: 1048576, G: 1073741824, T: 1099511627776, P: 1125899906842624, E: 1152921504606846976,
};

/** `2147483648`, `2g`, `0x80000000`: whatever memparse reads as a number is divided, and becomes a plain one; `max` stays as it is. */
const scaledText = (text: string, by: number): string => {
  const found = /^\s*(0x[0-9a-f]{1,13}|0[0-7]{1,17}|\d{1,15})([KMGTPE]?)(\s*)$/i.exec(text);
  if (!found) return text;
  const [, digits, unit, end] = found;
  const value = /^0[0-7]/.test(digits) ? parseInt(digits, 8) : Number(digits);
  return `${Math.floor((value * UNITS[unit.toUpperCase()]) / by)}${end}`;
};

const scaledProgram = (program: ProgramSpec, by: number, pages: (pages: number) => number): ProgramSpec => {
  const access: AccessSpec | undefined = program.access && { ...program.access, count: Math.max(1, Math.floor(program.access.count / by)) };
  return { ...program, size_pages: pages(program.size_pages), ...(access ? { access } : {}) };
};

/** The experiment as it runs; itself where no scale is given. */
export const scaled = (spec: ExperimentSpec): ExperimentSpec => {
  const { scale = 1, ...plain } = spec;
  if (scale === 1) return spec.scale === undefined ? spec : plain;
  const pages = (count: number): number => (count === 0 ? 0 : Math.max(1, Math.floor(count / scale)));
  const group = ({ set, ...rest }: CgroupSpec): CgroupSpec => (set
    ? { ...rest, set: Object.fromEntries(Object.entries(set).map(([file, text]) => [file, LIMIT.test(file) ? scaledText(text, scale) : text])) }
    : rest);
  const machine: MachineSpec = {
    ...plain.machine,
    ram_pages: pages(plain.machine.ram_pages),
    swap: plain.machine.swap.map((device) => (device.size_pages === undefined ? device : { ...device, size_pages: pages(device.size_pages) })),
    ...(plain.machine.cgroups ? { cgroups: plain.machine.cgroups.map(group) } : {}),
  };
  const inner = (step: RepeatedStep): RepeatedStep => {
    if ('write' in step) return isSizeFile(step.write) ? { ...step, text: scaledText(step.text, scale) } : step;
    if ('wait_used' in step) return { ...step, wait_used: pages(step.wait_used) };
    return 'pageout' in step ? { ...step, pages: pages(step.pages) } : step;
  };
  const outer = (step: Step): Step => {
    if ('start' in step) return { start: scaledProgram(step.start, scale, pages) };
    if ('repeat' in step) return { ...step, steps: step.steps.map(inner) };
    return 'probe' in step || 'fork' in step ? step : inner(step);
  };
  const { steps, events } = plain.workload;
  return {
    ...plain,
    machine,
    workload: { steps: steps.map(outer), ...(events ? { events: events.map((event) => ({ ...event, step: outer(event.step) })) } : {}) },
  };
};
