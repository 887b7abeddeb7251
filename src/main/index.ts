/** Entry of the main process. What it is made of stands in application.ts; here only what must happen before the app is ready. */
import { app } from 'electron';
import { startApplication } from './application';
import { parseCommandLine } from './command-line';
import { registerScheme } from './protocol';
import { hardenProcess } from './security';
import { runSmokeTest } from './smoke';

const commandLine = parseCommandLine(process.argv, process.defaultApp === true, process.cwd());
// electron-vite's development server; a packaged program never takes one.
const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'];

registerScheme();
hardenProcess(devServer);

if (commandLine.smoke) {
  void runSmokeTest(devServer);
} else if (app.requestSingleInstanceLock()) {
  startApplication({ commandLine, devServer, show: true }).catch((error: unknown) => {
    console.error(error);
    app.exit(1);
  });
} else {
  // The running app opens what this start was given: see its second-instance event.
  app.quit();
}
