import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './lib/paths.mjs';

/**
 * Text that must not stand in the sources, with the reason. `in`: where it is looked for, by path. `[x]` instead of x in a
 * pattern keeps the pattern from finding itself.
 */
const CODE = /^(src|bench|e2e|scripts)\/.*\.(ts|vue|mjs|cjs|js)$/;
const TEST = /\.test\.(ts|mjs)$/;

export const BANNED = [
  { pattern: /@ts-(ignor[e]|nochec[k])/, in: CODE, why: 'hides type errors' },
  { pattern: /\bas any\b|: any\b|<any>/, in: /^(src|bench|e2e)\/.*\.(ts|vue)$/, why: 'any switches the type checker off' },
  { pattern: /\bv-htm[l]\b|\binnerHTM[L]\b|\bouterHTM[L]\b|insertAdjacentHTM[L]/, in: /^src\/.*\.(ts|vue)$/, why: 'text goes into the page as text' },
  { pattern: /\b(it|test|describe)\.only\(/, in: TEST, why: 'keeps other tests from running' },
  { pattern: /\b(it|describe)\.(skip|todo)\(/, in: TEST, why: 'every test runs' },
  { pattern: /\b(TODO|FIXME|XXX)\b/, in: CODE, why: 'finish it, or file an issue' },
  { pattern: /\beva[l]\(|new Functio[n]\(/, in: CODE, why: 'nothing from a text is ever run' },
  { pattern: /Math\.(random|exp|expm1|log|log2|log10|log1p|pow|sin|cos|tan|tanh|cbrt|hypot)\b/, in: /^src\/engine\/(?!.*\.test\.ts$)/,
    why: 'differs in the last bit between engines, or is not deterministic' },
  { pattern: /https?:\/\/(registry\.|[\w.-]*npmjs)/, in: /^(package-lock\.json|\.npmrc|src\/|scripts\/|e2e\/|bench\/)/, why: 'names a registry host' },
  { pattern: /"resolved":/, in: /^package-lock\.json$/, why: 'the lock file names no addresses' },
];

const SKIPPED = new Set(['node_modules', 'out', 'dist', '.git', '.cache', 'test-results', 'test-data']);
const SELF = 'scripts/check-banned.mjs';

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile() && statSync(path).size < 2e6) yield path;
  }
}

/** @returns {{problems: string[], files: number}} */
export function checkBanned(root = ROOT, banned = BANNED) {
  const problems = [];
  let files = 0;
  for (const file of filesIn(root)) {
    const path = relative(root, file).split(sep).join('/');
    if (path === SELF) continue;
    const rules = banned.filter((rule) => rule.in.test(path));
    if (rules.length === 0) continue;
    files++;
    readFileSync(file, 'utf8').split('\n').forEach((line, index) => {
      for (const { pattern, why } of rules) if (pattern.test(line)) problems.push(`${path}:${index + 1}: ${pattern.exec(line)[0]} (${why})`);
    });
  }
  return { problems, files };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { problems, files } = checkBanned();
  for (const problem of problems) console.error(problem);
  console.log(`${files} files, ${problems.length} banned`);
  process.exitCode = problems.length > 0 || files === 0 ? 1 : 0;
}
