import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkLayers, findCycle, importsOf } from './check-layers.mjs';
import { LAYERS } from './layers.mjs';
import { ROOT } from './lib/paths.mjs';
import { removeTemporary, temporaryFolder } from './testing/in-a-copy.mjs';

afterAll(removeTemporary);

function sources(files) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const COMPONENT = "<template><p/></template>\n<script setup lang=\"ts\">\nimport { m } from '../main/m';\n</script>";

const problemsOf = (files) => checkLayers(sources(files)).problems;

describe('check-layers', () => {
  it('is content with imports that point down', () => {
    expect(problemsOf({
      'engine/errno.ts': 'export const a = 1;',
      'contract/gate.ts': "import { a } from '../engine/errno';\nimport * as z from 'zod';\nexport const b = [a, z];",
      'renderer/main.ts': "import { b } from '../contract/gate';\nimport { ref } from 'vue';\nexport const c = [b, ref];",
    })).toEqual([]);
  });

  it.each([
    ['engine → contract', { 'engine/errno.ts': "import { b } from '../contract/gate';", 'contract/gate.ts': 'export const b = 1;' },
      ['src/engine/errno.ts:1: engine/errno may not import contract (../contract/gate)']],
    ['swap → memory', { 'engine/kernel/swap/a.ts': "\nexport * from '../memory/b';", 'engine/kernel/memory/b.ts': 'export const b = 1;' },
      ['src/engine/kernel/swap/a.ts:2: engine/kernel/swap may not import engine/kernel/memory (../memory/b)']],
    ['types count too', { 'engine/errno.ts': "export type T = import('../cli/a').A;", 'cli/a.ts': 'export type A = 1;' },
      ['src/engine/errno.ts:1: engine/errno may not import cli (../cli/a)']],
    ['a component', { 'renderer/App.vue': COMPONENT, 'main/m.ts': 'export const m = 1;' },
      ['src/renderer/App.vue:3: renderer may not import main (../main/m)']],
    ['Node in the engine', { 'engine/errno.ts': "import { readFileSync } from 'node:fs';" },
      ['src/engine/errno.ts:1: engine/errno may not import the package node:fs']],
    ['zod in the engine', { 'engine/simulation/x.ts': "const z = await import('zod');" },
      ['src/engine/simulation/x.ts:1: engine/simulation may not import the package zod']],
    ['Electron in the window', { 'renderer/x.ts': "import { ipcRenderer } from 'electron';" },
      ['src/renderer/x.ts:1: renderer may not import the package electron']],
    ['a file that is not there', { 'engine/errno.ts': "import './nowhere';" }, ['src/engine/errno.ts:1: there is no ./nowhere']],
    ['a folder without a layer', { 'misc/x.ts': 'export const x = 1;' }, ['src/misc/x.ts: stands in no layer of scripts/layers.mjs']],
    ['a circle of files', { 'engine/hardware/a.ts': "import './b';", 'engine/hardware/b.ts': "import './a';" },
      ['files import each other in a circle: engine/hardware/a.ts → engine/hardware/b.ts → engine/hardware/a.ts']],
  ])('reports %s', (_, files, expected) => expect(problemsOf(files)).toEqual(expected));

  it('lets types go in a circle, which is none when the program runs', () => {
    expect(problemsOf({
      'engine/hardware/a.ts': "import type { B } from './b';\nexport type A = B;",
      'engine/hardware/b.ts': "import './a';\nexport type B = 1;",
    })).toEqual([]);
  });

  it('reports allowed edges that form a circle', () => {
    const layers = { cli: { mayImport: ['host'], packages: [] }, host: { mayImport: ['cli'], packages: [] } };
    expect(checkLayers(sources({ 'cli/a.ts': '' }), layers).problems)
      .toEqual(['scripts/layers.mjs: the allowed edges form a cycle: cli → host → cli']);
  });

  it('finds every form of import', () => {
    const folder = sources({
      'x.ts': "import a from 'a';\nimport type { B } from 'b';\nexport * from 'c';\nconst d = require('d');\nimport('e');\n// import 'f'\n",
    });
    expect(importsOf(join(folder, 'x.ts')).map(({ specifier, line, typeOnly }) => [specifier, line, typeOnly])).toEqual([
      ['a', 1, false], ['b', 2, true], ['c', 3, false], ['d', 4, false], ['e', 5, false],
    ]);
  });

  it('reads all of src', () => {
    const { files, edges } = checkLayers(join(ROOT, 'src'));
    expect(files).toBeGreaterThan(50);
    expect(edges).toBeGreaterThan(100);
  });

  it('gives a reason for each layer', () => {
    for (const [name, { why }] of Object.entries(LAYERS)) expect(why, name).not.toBe('');
  });
});

describe('findCycle', () => {
  it('finds one, or none', () => {
    expect(findCycle(new Map([['a', ['b', 'c']], ['b', ['c']], ['c', []]]))).toBeUndefined();
    expect(findCycle(new Map([['a', ['b']], ['b', ['c']], ['c', ['b']]]))).toEqual(['b', 'c', 'b']);
  });
});
