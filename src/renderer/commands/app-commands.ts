import { CircleHelp, Cpu, FilePlus2, FolderOpen, Info, LayoutGrid, Library, Monitor, Moon, Play, Save, SaveAll, Search, Sun } from '@lucide/vue';
import type { SeriesFrame } from '../../contract/engine-api';
import { useDocument } from '../stores/document';
import { useFiles } from '../stores/files';
import { useNavigation } from '../stores/navigation';
import { useRun } from '../stores/run';
import { useSettings } from '../stores/settings';
import { useToasts } from '../stores/toasts';
import type { CommandRegistry } from './registry';

/** Commands of files, views and help. Those of the run stand in run-commands.ts. */
export function registerAppCommands(commands: CommandRegistry): void {
  const doc = useDocument();
  const files = useFiles();
  const navigation = useNavigation();
  const run = useRun();
  const settings = useSettings();
  const toasts = useToasts();

  const hasDocument = (): boolean => doc.spec !== undefined;
  /** Says what came of it; silent when the user called it off. */
  async function saved(attempt: Promise<boolean>): Promise<void> {
    doc.failure = '';
    const ok = await attempt;
    if (ok) toasts.show('Saved', { tone: 'ok', text: doc.source.kind === 'file' ? doc.source.path : 'in the library' });
    else if (doc.failure) toasts.show('Not saved', { tone: 'bad', text: doc.failure });
  }
  /** What a finished run leaves beside the experiment: its digest and the columns of its charts. */
  async function finishedRun(): Promise<{ digest?: string; series?: SeriesFrame }> {
    if (run.state !== 'done') return {};
    try {
      return { digest: await run.digest(), series: await run.series(run.subscriptions.metrics(), 2048) };
    } catch { return {}; } // The engine went away: the experiment is saved without them.
  }
  const theme = (value: 'system' | 'light' | 'dark') => () => settings.set({ theme: value });

  commands.register(
    { id: 'file.new', title: 'New experiment…', group: 'File', keys: ['Mod+N'], icon: FilePlus2, run: () => { navigation.go('wizard'); } },
    { id: 'file.open', title: 'Open…', group: 'File', keys: ['Mod+O'], icon: FolderOpen, run: async () => { await files.open(); } },
    { id: 'file.save', title: 'Save', group: 'File', keys: ['Mod+S'], icon: Save, when: hasDocument, run: () => saved(doc.save()) },
    {
      id: 'file.saveAs', title: 'Save as…', group: 'File', keys: ['Mod+Shift+S'], icon: SaveAll, when: hasDocument,
      run: () => saved(doc.saveAs()),
    },
    {
      id: 'file.saveToLibrary', title: 'Save to the library', group: 'File', icon: Library, when: hasDocument,
      run: async () => { await saved(doc.saveToLibrary(await finishedRun())); },
    },
    { id: 'view.gallery', title: 'Gallery', group: 'View', keys: ['Mod+1'], icon: LayoutGrid, run: () => { navigation.go('gallery'); } },
    { id: 'view.library', title: 'Library', group: 'View', keys: ['Mod+2'], icon: Library, run: () => { navigation.go('library'); } },
    { id: 'view.run', title: 'Run screen', group: 'View', keys: ['Mod+3'], icon: Play, run: () => { navigation.go('run'); } },
    { id: 'view.kernels', title: 'Kernels and policies', group: 'View', keys: ['Mod+5'], icon: Cpu, run: () => { navigation.go('kernels'); } },
    { id: 'view.palette', title: 'Commands', group: 'View', keys: ['Mod+K'], icon: Search, run: () => { navigation.paletteOpen = true; } },
    { id: 'view.theme.system', title: 'Theme: as the system', group: 'View', icon: Monitor, run: theme('system') },
    { id: 'view.theme.light', title: 'Theme: light', group: 'View', icon: Sun, run: theme('light') },
    { id: 'view.theme.dark', title: 'Theme: dark', group: 'View', icon: Moon, run: theme('dark') },
    { id: 'help.keys', title: 'Keys', group: 'Help', keys: ['?'], icon: CircleHelp, run: () => { navigation.keysOpen = true; } },
    { id: 'help.about', title: 'About Swaplab', group: 'Help', icon: Info, run: () => { navigation.aboutOpen = true; } },
  );
}
