import './zod-jitless';
import { createApp } from 'vue';
import { createPinia } from 'pinia';
import App from './App.vue';
import { registerAllocationCommands } from './allocation/allocation-commands';
import { registerAppCommands } from './commands/app-commands';
import { commands } from './commands/registry';
import { registerCompareCommands } from './compare/compare-commands';
import { registerRunCommands } from './commands/run-commands';
import { openDefault } from './gallery/bench';
import { registerPageCommands } from './gallery/page-commands';
import { useDocument } from './stores/document';
import { useFiles } from './stores/files';
import { useRun } from './stores/run';
import { useSettings } from './stores/settings';
import { useToasts } from './stores/toasts';
import './styles/tokens.css';
import './styles/base.css';

async function start(): Promise<void> {
  const app = createApp(App);
  app.use(createPinia());
  await useSettings().start();
  registerAppCommands(commands);
  registerRunCommands(commands);
  registerAllocationCommands(commands);
  registerCompareCommands(commands);
  registerPageCommands(commands);
  app.mount('#app');

  useDocument().start();
  useFiles().start();
  openDefault();
  if ((await window.swaplab.info()).runAtStart) useRun().runSoon();
  window.swaplab.onMenuCommand((id) => { commands.run(id); });
  const toasts = useToasts();
  const tones = { info: 'info', warning: 'warn', error: 'bad' } as const;
  window.swaplab.onNotice((notice) => { toasts.show(notice.message, { tone: tones[notice.level] }); });
  for (const notice of await window.swaplab.notices()) toasts.show(notice.message, { tone: tones[notice.level] });
  await useRun().start();
  window.swaplab.windowReady();
}

void start();
