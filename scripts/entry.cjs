'use strict';
// First file of every command. It must be parsed by any Node, however old, so it is written in ECMAScript 5: it says when
// Node is too old, and otherwise hands over to load.cjs, which is the first file in today's syntax.
var NEEDED = [20, 19];
var found = /^(\d+)\.(\d+)/.exec(process.versions.node) || ['', '0', '0'];
var major = Number(found[1]);
var minor = Number(found[2]);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  console.error(
    'Swaplab needs Node ' + NEEDED.join('.') + ' or newer and this is Node ' + process.versions.node +
    ': install a newer one (https://nodejs.org, or your distribution\'s package) and run the command again.'
  );
  process.exit(1);
}
require('./load.cjs')(process.argv[2], process.argv.slice(3));
