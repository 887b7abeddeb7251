'use strict';
const { readdirSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

/**
 * Runs the task `scripts/tasks/<name>.mjs` and ends the process with the exit code it returns. A failure that was foreseen
 * (Stop) ends with its one sentence and code 1, any other with its stack.
 */
module.exports = async function load(name, args) {
  const folder = join(__dirname, 'tasks');
  const tasks = readdirSync(folder).filter((file) => /^[a-z0-9-]+\.mjs$/.test(file)).map((file) => file.slice(0, -4));
  if (!tasks.includes(name)) {
    console.error(`Swaplab has no task "${name}": expected one of ${tasks.join(', ')}.`);
    process.exit(2);
  }
  const { explain } = await import('./lib/stop.mjs');
  try {
    const task = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    process.exitCode = await task.default(args);
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
};
