import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkBanned } from './check-banned.mjs';
import { removeTemporary, temporaryFolder } from './testing/in-a-copy.mjs';

afterAll(removeTemporary);

/** Planted lines are put together here, so that this file has none of them. */
const joined = (...parts) => parts.join('');

function problemsOf(path, text) {
  const folder = temporaryFolder();
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return checkBanned(folder).problems;
}

describe('check-banned', () => {
  it.each([
    ['src/cli/x.ts', joined('// @ts-', 'ignore')],
    ['src/main/x.ts', joined('const a = b as ', 'any;')],
    ['src/renderer/X.vue', joined('<p v-', 'html="x"/>')],
    ['src/renderer/x.ts', joined('element.inner', 'HTML = text;')],
    ['src/engine/x.test.ts', joined('it.on', "ly('x', () => {});")],
    ['src/engine/x.test.ts', joined('describe.sk', "ip('x', () => {});")],
    ['src/engine/x.ts', joined('// TO', 'DO later')],
    ['src/engine/x.ts', joined('const a = Math.', 'random();')],
    ['scripts/x.mjs', joined('ev', 'al(text);')],
    ['package-lock.json', joined('"resol', 'ved": "https://example.org/x.tgz"')],
    ['scripts/x.mjs', joined("fetch('https://regis", "try.example.org/x')")],
  ])('finds it in %s: %s', (path, line) => {
    expect(problemsOf(path, `first line\n${line}\n`)).toEqual([expect.stringMatching(new RegExp(`^${path.replace('.', '\\.')}:2: `))]);
  });

  it('is content with the rest', () => {
    expect(problemsOf('src/engine/x.ts', 'const any = Math.sqrt(2);\n')).toEqual([]);
    expect(problemsOf('docs/x.md', joined('TO', 'DO'))).toEqual([]);
  });
});
