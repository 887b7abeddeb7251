import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { removeTemporary, say, temporaryFolder } from '../testing/in-a-copy.mjs';
import { ensureBuilt, forgetBuild, isCurrent } from './build.mjs';

afterAll(removeTemporary);

describe('a build', () => {
  // A small command line of its own, built by the real Vite with the real configuration.
  const root = temporaryFolder();
  const main = join(root, 'src/cli/main.ts');
  const output = join(root, 'out/cli/swaplab.cjs');
  beforeAll(() => {
    for (const folder of ['src/cli', 'src/engine', 'src/contract']) mkdirSync(join(root, folder), { recursive: true });
    for (const file of ['package.json', 'package-lock.json', 'vite.node.config.mts']) cpSync(join(ROOT, file), join(root, file));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    writeFileSync(join(root, 'src/engine/number.ts'), 'export const NUMBER: number = 41 + 1;\n');
    writeFileSync(main, "import { NUMBER } from '../engine/number';\nconsole.log(NUMBER);\n");
  });

  it('makes one program that runs by itself', async () => {
    expect(isCurrent('cli', root)).toBe(false);
    expect(await ensureBuilt('cli', { root })).toBe(output);
    expect(isCurrent('cli', root)).toBe(true);
    expect(say(process.execPath, [output])).toMatchObject({ code: 0, out: '42\n' });
  });

  it('is stale when a source changes, also back and forth, and not when a test does', () => {
    const before = readFileSync(main, 'utf8');
    appendFileSync(main, '// changed\n');
    expect(isCurrent('cli', root)).toBe(false);
    writeFileSync(main, before);
    expect(isCurrent('cli', root)).toBe(true);
    writeFileSync(join(root, 'src/cli/main.test.ts'), 'export {};\n');
    expect(isCurrent('cli', root)).toBe(true);
    writeFileSync(join(root, 'src/contract/new.ts'), 'export {};\n');
    expect(isCurrent('cli', root)).toBe(false);
    rmSync(join(root, 'src/contract/new.ts'));
  });

  it('is stale when its output is gone or was written by something else', async () => {
    forgetBuild('cli', root);
    expect(isCurrent('cli', root)).toBe(false);
    await ensureBuilt('cli', { root });
    rmSync(output);
    expect(isCurrent('cli', root)).toBe(false);
  });

  it('that fails says why, and is not current', async () => {
    writeFileSync(main, "import { NUMBER } from '../engine/nowhere';\nconsole.log(NUMBER);\n");
    await expect(ensureBuilt('cli', { root })).rejects.toThrow(/nowhere[^]*Building the command line failed: the lines above say why\.$/);
    expect(isCurrent('cli', root)).toBe(false);
  });
});
