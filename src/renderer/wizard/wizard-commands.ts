/** Commands of the wizard, there while its screen is. */
import { ArrowLeft, ArrowRight, Library, Play, RotateCcw } from '@lucide/vue';
import type { CommandRegistry } from '../commands/registry';
import { putOnBench } from '../gallery/bench';
import { useNavigation } from '../stores/navigation';
import { useToasts } from '../stores/toasts';
import { useWizard } from './wizard-store';

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function registerWizardCommands(commands: CommandRegistry, screen: { startOver: () => void }): () => void {
  const wizard = useWizard();
  const toasts = useToasts();
  const ready = (): boolean => wizard.spec !== undefined;

  async function open(): Promise<void> {
    const { spec } = wizard;
    if (spec && (await putOnBench(plain(spec), { kind: 'new' }))) wizard.close();
  }
  async function save(): Promise<void> {
    const { spec } = wizard;
    if (!spec) return;
    const outcome = await window.swaplab.library.save(plain(spec), {});
    if (outcome.kind === 'refused') {
      toasts.show('Not saved', { tone: 'bad', text: [outcome.refusal.message, ...outcome.refusal.problems.slice(0, 3)].join(' ') });
      return;
    }
    toasts.show('Saved in the library', { tone: 'ok', text: outcome.value.title });
    wizard.close();
    useNavigation().go('library');
  }

  return commands.register(
    { id: 'wizard.next', title: 'Wizard: next step', group: 'File', keys: ['Alt+ArrowRight'], icon: ArrowRight, run: () => { wizard.next(); } },
    { id: 'wizard.back', title: 'Wizard: back', group: 'File', keys: ['Alt+ArrowLeft'], icon: ArrowLeft, run: () => { wizard.back(); } },
    { id: 'wizard.open', title: 'Wizard: open in the run screen', group: 'File', keys: ['Mod+Enter'], icon: Play, when: ready, run: open },
    { id: 'wizard.saveToLibrary', title: 'Wizard: save to the library', group: 'File', icon: Library, when: ready, run: save },
    {
      id: 'wizard.startOver', title: 'Wizard: start over', group: 'File', icon: RotateCcw,
      run: () => { if (wizard.changed) screen.startOver(); else wizard.startNew(); },
    },
  );
}
