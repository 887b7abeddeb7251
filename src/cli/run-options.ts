/** The arguments of `swaplab run`. */
import { parseArgs } from 'node:util';
import { UsageError } from './io';

export const RUN_USAGE = 'usage: swaplab run FILE [--arm NAME]… [--seed N]… [--set path=value]… [--scale N] [--out DIR] [--json] [--allow-long]';

export interface RunOptions {
  readonly file: string;
  readonly arms: readonly string[];
  readonly seeds: readonly number[];
  readonly set: readonly { readonly path: string; readonly value: unknown }[];
  readonly out: string | undefined;
  readonly json: boolean;
  readonly allowLong: boolean;
}

/** JSON where it is JSON, else a text as it stands: `--set machine.ram_pages=4096 --set workload.steps[2].text=max`. */
const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** Longest path of an override: no field of an experiment lies deeper. */
const MAX_PATH = 200;

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** @throws UsageError */
export const runOptions = (args: readonly string[]): RunOptions => {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        arm: { type: 'string', multiple: true },
        seed: { type: 'string', multiple: true },
        set: { type: 'string', multiple: true },
        scale: { type: 'string' },
        out: { type: 'string' },
        json: { type: 'boolean', default: false },
        'allow-long': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    // Of what parseArgs says the first sentence; the others tell of "--", which is of no use here.
    const message = error instanceof Error ? error.message.replace(/(\.\s[\s\S]*|\.)$/, '') : String(error);
    throw new UsageError(`${message}; ${RUN_USAGE}`);
  }
  const { values, positionals } = parsed;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError(`${file === undefined ? 'no experiment was named' : 'one experiment at a time'}; ${RUN_USAGE}`);
  const seeds = (values.seed ?? []).map((text) => {
    const seed = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed)) throw new UsageError(`--seed ${shortened(text)}: expected a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
    return seed;
  });
  if (values.out === '') throw new UsageError('--out: expected the name of a folder, got nothing');
  const set = (values.set ?? []).map((text) => {
    const equals = text.indexOf('=');
    if (equals < 1) throw new UsageError(`--set ${shortened(text)}: expected path=value, such as machine.ram_pages=4096`);
    if (equals > MAX_PATH) throw new UsageError(`--set ${shortened(text)}: expected a path of at most ${MAX_PATH} characters, got ${equals}`);
    return { path: text.slice(0, equals), value: valueOf(text.slice(equals + 1)) };
  });
  if (values.scale !== undefined) {
    if (!/^[1-9]\d{0,6}$/.test(values.scale)) throw new UsageError(`--scale ${shortened(values.scale)}: expected a whole number from 1 to 1000000`);
    set.push({ path: 'scale', value: Number(values.scale) });
  }
  return { file, arms: values.arm ?? [], seeds, set, out: values.out, json: values.json, allowLong: values['allow-long'] };
};
