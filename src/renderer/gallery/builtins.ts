/** The experiments that come with the app: bundled as texts, and let in through the same gate as every file. */
import { openExperiment } from '../../contract/gate';
import type { ExperimentSpec } from '../../engine/experiment/spec';

export interface Builtin {
  /** `xswap-cap`: its file is resources/experiments/xswap-cap.swaplab.json. */
  readonly id: string;
  readonly spec: ExperimentSpec;
  readonly estimatedOps: number;
}

/** A file that the gate refused: a fault of the build, shown rather than hidden. */
export interface BrokenBuiltin {
  readonly id: string;
  readonly message: string;
}

/** Experiments that belong together, under a heading. */
export interface BuiltinSection {
  readonly title: string;
  readonly experiments: readonly Builtin[];
}

export interface BuiltinList {
  /** In the order in which they are shown. */
  readonly experiments: readonly Builtin[];
  readonly sections: readonly BuiltinSection[];
  readonly broken: readonly BrokenBuiltin[];
}

const texts = import.meta.glob<string>('../../../resources/experiments/*.swaplab.json', { query: '?raw', import: 'default', eager: true });

/** The one that a start without a file makes ready. */
export const DEFAULT_BUILTIN = 'xswap-cap';

/** Headings, and how the names of their files begin. What fits none comes last. */
const SECTIONS: readonly (readonly [title: string, ...prefixes: string[]])[] = [
  ['xswap, the extendable swap device', 'xswap-'],
  ['mTHP: clusters by order', 'mthp-', 'free-cluster-'],
  ['Which device next', 'default-priorit', 'priorities-'],
  ['Per-priority queues', 'priority-queues-'],
  ['Free clusters first', 'free-first-'],
  ['Known defects', 'defect-'],
];
const OTHERS = 'Limits and set-ups';

const sectionOf = (id: string): number => {
  const at = SECTIONS.findIndex(([, ...prefixes]) => prefixes.some((prefix) => id.startsWith(prefix)));
  return at < 0 ? SECTIONS.length : at;
};

export function readBuiltins(files: Readonly<Record<string, string>> = texts): BuiltinList {
  const experiments: Builtin[] = [];
  const broken: BrokenBuiltin[] = [];
  for (const [path, text] of Object.entries(files)) {
    const id = path.replace(/^.*\//, '').replace(/\.swaplab\.json$/, '');
    const outcome = openExperiment(text);
    if (outcome.ok) experiments.push({ id, spec: outcome.spec, estimatedOps: outcome.estimatedOps });
    else broken.push({ id, message: outcome.message });
  }
  // By section; the default first, the rest by title.
  experiments.sort((a, b) => (
    sectionOf(a.id) - sectionOf(b.id) || Number(b.id === DEFAULT_BUILTIN) - Number(a.id === DEFAULT_BUILTIN)
    || a.spec.title.localeCompare(b.spec.title)
  ));
  const sections = [...SECTIONS.map(([title]) => title), OTHERS]
    .map((title, at) => ({ title, experiments: experiments.filter(({ id }) => sectionOf(id) === at) }))
    .filter((section) => section.experiments.length > 0);
  return { experiments, sections, broken };
}

let cached: BuiltinList | undefined;

/** Read once: the files cannot change while the app runs. */
export function builtins(): BuiltinList {
  cached ??= readBuiltins();
  return cached;
}
