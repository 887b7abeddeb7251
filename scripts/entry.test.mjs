import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from './lib/paths.mjs';
import { entry, isolatedEnv, removeTemporary, say, temporaryFolder } from './testing/in-a-copy.mjs';

afterAll(removeTemporary);

/** Runs the entry in a Node that says it is of another version. */
function withNode(version) {
  const disguise = join(temporaryFolder(), 'disguise.cjs');
  writeFileSync(disguise, `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`);
  return say(process.execPath, ['--require', disguise, join(ROOT, 'scripts/entry.cjs'), 'no-such-task'], { env: isolatedEnv() });
}

describe('entry.cjs', () => {
  it('knows a task for every command of package.json that calls it', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const called = Object.values(scripts).map((script) => /^node scripts\/entry\.cjs (\S+)$/.exec(script)?.[1]).filter(Boolean);
    const answer = say(process.execPath, [join(ROOT, 'scripts/entry.cjs'), 'no-such-task'], { env: isolatedEnv() });
    const known = /expected one of (.*)\.\s*$/.exec(answer.err)?.[1]?.split(', ') ?? [];
    expect(called.length).toBeGreaterThan(5);
    expect(known).toEqual(expect.arrayContaining(called));
  });

  it('is ECMAScript 5, so that an old Node can read it', () => {
    const problems = new Linter().verify(readFileSync(join(ROOT, 'scripts/entry.cjs'), 'utf8'), {
      languageOptions: { ecmaVersion: 5, sourceType: 'script' },
    });
    expect(problems).toEqual([]);
  });

  it.each(['0.10.48', '12.22.0', '18.20.8', '20.18.3'])('says that Node %s is too old, in one sentence', (version) => {
    const { code, out, err } = withNode(version);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(new RegExp(`^Swaplab needs Node 20\\.19 or newer and this is Node ${version.replaceAll('.', '\\.')}: install [^\\n]*\\n$`));
  });

  it.each(['20.19.0', '22.1.0', '100.0.0'])('goes on with Node %s', (version) => {
    const { code, err } = withNode(version);
    expect(code).toBe(2);
    expect(err).toMatch(/^Swaplab has no task "no-such-task": expected one of .*start.*\n$/);
  });

  it('knows no task that is a path', () => {
    expect(entry(ROOT, ['../tasks/start']).code).toBe(2);
  });
});
