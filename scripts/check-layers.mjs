import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { LAYERS } from './layers.mjs';
import { ROOT } from './lib/paths.mjs';

const SOURCE = /\.(ts|vue)$/;
// Tests may reach for anything that they test with.
const SKIPPED = /\.test\.ts$|\.d\.ts$|(^|\/)testing\//;
const ASSET = /\.(css|svg|png|woff2|json)(\?.*)?$/;

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => SOURCE.test(file) && statSync(file).isFile())
    .sort();
}

/** The code of a file: of a Vue component its script blocks, on the lines where they stand. */
function codeOf(file) {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.vue')) return text;
  let code = '';
  let end = 0;
  for (const match of text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)) {
    const start = match.index + match[0].indexOf('>') + 1;
    code += text.slice(end, start).replace(/[^\n]/g, '') + match[1];
    end = start + match[1].length;
  }
  return code;
}

/** Imports of a file: `{specifier, line, typeOnly}`. */
export function importsOf(file) {
  const source = ts.createSourceFile(file, codeOf(file), ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, typeOnly) => {
    found.push({ specifier: node.text, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, typeOnly });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly === true);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.arguments.length > 0 && ts.isStringLiteralLike(node.arguments[0])
      && (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText(source) === 'require')) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function resolveFile(from, specifier) {
  const path = resolve(dirname(from), specifier.replace(/\?.*$/, ''));
  for (const candidate of [path, `${path}.ts`, `${path}.vue`, join(path, 'index.ts')]) {
    if (existsSync(candidate) && statSync(candidate).isFile()) return candidate;
  }
  return undefined;
}

function nodeOf(path, layers) {
  const name = path.replace(SOURCE, '');
  let best;
  for (const node of Object.keys(layers)) {
    if ((name === node || name.startsWith(`${node}/`)) && (best === undefined || node.length > best.length)) best = node;
  }
  return best;
}

const matches = (pattern, name) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern);
const packageName = (specifier) => specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');

/** First cycle in a graph of name → names; undefined if there is none. */
export function findCycle(graph) {
  const state = new Map();
  const path = [];
  const visit = (node) => {
    state.set(node, 'open');
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      if (state.get(next) === 'open') return [...path.slice(path.indexOf(next)), next];
      if (!state.has(next)) {
        const cycle = visit(next);
        if (cycle) return cycle;
      }
    }
    path.pop();
    state.set(node, 'done');
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = state.has(node) ? undefined : visit(node);
    if (cycle) return cycle;
  }
  return undefined;
}

function checkPackage(specifier, layer) {
  const name = specifier.startsWith('node:') ? specifier : packageName(specifier);
  return layer.packages.some((pattern) => matches(pattern, name));
}

/**
 * Compares the imports in a source folder with the layers.
 * @param {string} src folder
 * @param {typeof LAYERS} layers
 * @returns {{problems: string[], files: number, edges: number}}
 */
export function checkLayers(src, layers = LAYERS) {
  const problems = [];
  const names = Object.keys(layers);
  const expand = (patterns) => names.filter((name) => patterns.some((pattern) => matches(pattern, name)));
  const allowed = new Map(names.map((name) => [name, expand(layers[name].mayImport)]));
  const cycleOfLayers = findCycle(allowed);
  if (cycleOfLayers) problems.push(`scripts/layers.mjs: the allowed edges form a cycle: ${cycleOfLayers.join(' → ')}`);

  const runtime = new Map();
  let edges = 0;
  const files = sourcesIn(src).filter((file) => !SKIPPED.test(relative(src, file).split(sep).join('/')));
  for (const file of files) {
    const path = relative(src, file).split(sep).join('/');
    const node = nodeOf(path, layers);
    if (!node) {
      problems.push(`src/${path}: stands in no layer of scripts/layers.mjs`);
      continue;
    }
    runtime.set(path, []);
    for (const { specifier, line, typeOnly } of importsOf(file)) {
      const where = `src/${path}:${line}`;
      if (!specifier.startsWith('.')) {
        if (!checkPackage(specifier, layers[node])) problems.push(`${where}: ${node} may not import the package ${specifier}`);
        continue;
      }
      if (ASSET.test(specifier)) continue;
      const target = resolveFile(file, specifier);
      if (!target) {
        problems.push(`${where}: there is no ${specifier}`);
        continue;
      }
      const targetPath = relative(src, target).split(sep).join('/');
      const targetNode = nodeOf(targetPath, layers);
      edges++;
      if (targetNode !== node && !allowed.get(node).includes(targetNode)) {
        problems.push(`${where}: ${node} may not import ${targetNode ?? targetPath} (${specifier})`);
      }
      if (!typeOnly && !specifier.includes('?modulePath')) runtime.get(path).push(targetPath);
    }
  }
  const cycle = findCycle(runtime);
  if (cycle) problems.push(`files import each other in a circle: ${cycle.join(' → ')}`);
  return { problems, files: files.length, edges };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { problems, files, edges } = checkLayers(join(ROOT, 'src'));
  for (const problem of problems) console.error(problem);
  console.log(`${files} files, ${edges} imports between them, ${problems.length} against the layers`);
  process.exitCode = problems.length > 0 || files === 0 ? 1 : 0;
}
