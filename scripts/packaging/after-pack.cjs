'use strict';
const { rmSync } = require('node:fs');
const { join } = require('node:path');

/** Electron's loader for unpackaged apps has no business in a packaged one; electron-builder keeps it when it copies a local Electron. */
exports.default = async function afterPack({ packager, appOutDir }) {
  rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
};
