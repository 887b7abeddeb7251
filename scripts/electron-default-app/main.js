'use strict';
// Electron's own resources/default_app.asar opens the app that is named on the command line. A packaged distribution has
// none, so an Electron taken out of one gets this loader: `electron [-r MODULE]… PATH [ARGUMENTS]`, `electron --version`.
const { app } = require('electron');
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, resolve } = require('node:path');

/** Splits the command line at the app's path: what stands before it is Electron's, what stands behind it the app's. */
function parse(words) {
  const preload = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '-r' || word === '--require') preload.push(words[++i]);
    else if (word === '-v' || word === '--version') return { preload, version: true };
    else if (!word.startsWith('-')) return { preload, target: word };
  }
  return { preload };
}

/** Takes the app's name and version from its package.json, as Electron does for an unpackaged app. Returns its folder. */
function introduce(folder) {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const { name, productName, version, desktopName } = JSON.parse(readFileSync(file, 'utf8'));
  if (version) app.setVersion(version);
  if (productName ?? name) app.setName(productName ?? name);
  app.setDesktopName?.(desktopName ?? `${app.getName()}.desktop`);
  return folder;
}

const { preload, target, version } = parse(process.argv.slice(1));
if (version) {
  process.stdout.write(`v${process.versions.electron}\n`);
  process.exit(0);
}
if (preload.length > 0) Module._preloadModules(preload);
if (!target) {
  process.stderr.write('usage: electron [-r MODULE] PATH-TO-APP\n');
  process.exit(1);
}
Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true });
const folder = introduce(resolve(target));
const main = Module._resolveFilename(resolve(target), null, true);
app.setAppPath(folder ?? dirname(main));
Module._load(main, Module, true);
