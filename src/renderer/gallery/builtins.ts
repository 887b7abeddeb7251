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

export interface BuiltinList {
  readonly experiments: readonly Builtin[];
  readonly broken: readonly BrokenBuiltin[];
}

const texts = import.meta.glob<string>('../../../resources/experiments/*.swaplab.json', { query: '?raw', import: 'default', eager: true });

/** The one that a start without a file makes ready. */
export const DEFAULT_BUILTIN = 'xswap-cap';

export function readBuiltins(files: Readonly<Record<string, string>> = texts): BuiltinList {
  const experiments: Builtin[] = [];
  const broken: BrokenBuiltin[] = [];
  for (const [path, text] of Object.entries(files)) {
    const id = path.replace(/^.*\//, '').replace(/\.swaplab\.json$/, '');
    const outcome = openExperiment(text);
    if (outcome.ok) experiments.push({ id, spec: outcome.spec, estimatedOps: outcome.estimatedOps });
    else broken.push({ id, message: outcome.message });
  }
  // The default first, the rest by title.
  experiments.sort((a, b) => (
    Number(b.id === DEFAULT_BUILTIN) - Number(a.id === DEFAULT_BUILTIN) || a.spec.title.localeCompare(b.spec.title)
  ));
  return { experiments, broken };
}

let cached: BuiltinList | undefined;

/** Read once: the files cannot change while the app runs. */
export function builtins(): BuiltinList {
  cached ??= readBuiltins();
  return cached;
}
