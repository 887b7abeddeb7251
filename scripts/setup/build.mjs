import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { runNode } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { Stop, fileSystemSentence } from '../lib/stop.mjs';

const VITE = 'node_modules/vite/bin/vite.js';
const ELECTRON_VITE = 'node_modules/electron-vite/bin/electron-vite.js';

/**
 * What is built: its sources (files and folders), the command, and one file of its output.
 * Sources name more than is needed in places; a build too many costs seconds, one too few shows yesterday's program.
 */
const PROGRAMS = {
  cli: {
    what: 'the command line',
    sources: ['src/engine', 'src/contract', 'src/cli', 'resources/experiments', 'vite.node.config.mts', 'package.json', 'package-lock.json'],
    command: [VITE, 'build', '-c', 'vite.node.config.mts', '--mode', 'cli', '--logLevel', 'warn'],
    output: 'out/cli/swaplab.cjs',
  },
  bench: {
    what: 'the bench',
    sources: ['src/engine', 'src/contract', 'src/cli', 'bench', 'vite.node.config.mts', 'package-lock.json'],
    command: [VITE, 'build', '-c', 'vite.node.config.mts', '--mode', 'bench', '--logLevel', 'warn'],
    output: 'out/bench/main.cjs',
  },
  app: {
    what: 'the app',
    sources: ['src', 'resources', 'electron.vite.config.ts', 'package.json', 'package-lock.json'],
    command: [ELECTRON_VITE, 'build', '--logLevel', 'warn'],
    output: 'out/main/index.js',
  },
};

function* filesIn(path) {
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) yield* filesIn(inner);
    else if (!/\.test\.ts$|\.md$/.test(entry.name)) yield inner;
  }
}

/** One hash over names and contents of the sources. */
function hashSources(sources, root) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    if (!existsSync(path)) continue;
    const files = /\.\w+$/.test(source) ? [path] : filesIn(path);
    for (const file of files) hash.update(relative(root, file).split(sep).join('/')).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function stampFile(name, root) {
  return join(root, 'out', 'stamps', name);
}

/** Whether the program was built from the sources as they are now. */
export function isCurrent(name, root = ROOT) {
  const stamp = stampFile(name, root);
  const { output, sources } = PROGRAMS[name];
  return existsSync(join(root, output)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources(sources, root);
}

/** Something else writes into the program's output: what is there afterwards is not what ensureBuilt() built. */
export function forgetBuild(name, root = ROOT) {
  rmSync(stampFile(name, root), { force: true });
}

/**
 * Builds a program where it is stale.
 * @param {'cli' | 'bench' | 'app'} name
 * @returns {Promise<string>} its output file
 * @throws {Stop}
 */
export async function ensureBuilt(name, { root = ROOT, env = process.env, force = false } = {}) {
  const { what, sources, command, output } = PROGRAMS[name];
  const file = join(root, output);
  if (!force && isCurrent(name, root)) return file;
  say(`Building ${what} …`);
  try {
    const hash = hashSources(sources, root);
    const stamp = stampFile(name, root);
    forgetBuild(name, root);
    mkdirSync(dirname(stamp), { recursive: true });
    const [script, ...args] = command;
    const { code, out, err } = await runNode(join(root, script), args, { cwd: root, env });
    if (code !== 0) {
      if (/ENOSPC/.test(err)) throw Object.assign(new Error('no space'), { code: 'ENOSPC', path: join(root, 'out') });
      throw new Stop(`${out}${err}\nBuilding ${what} failed: the lines above say why.`);
    }
    writeFileSync(stamp, hash);
  } catch (error) {
    const sentence = fileSystemSentence(error);
    throw sentence ? new Stop(sentence, { cause: error }) : error;
  }
  return file;
}
