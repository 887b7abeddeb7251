/** Commands of the comparison. */
import { FileDown, GitCompareArrows, Play, X } from '@lucide/vue';
import type { CommandRegistry } from '../commands/registry';
import { useNavigation } from '../stores/navigation';
import { useCompare } from './compare-store';
import { exportMetrics } from './export-metrics';

export function registerCompareCommands(commands: CommandRegistry): void {
  const compare = useCompare();
  const navigation = useNavigation();
  const here = (): boolean => navigation.screen === 'compare';
  commands.register(
    { id: 'view.compare', title: 'Compare arms', group: 'View', keys: ['Mod+4'], icon: GitCompareArrows, run: () => { navigation.go('compare'); } },
    {
      id: 'compare.start', title: 'Compare: run the arms', group: 'Run', icon: Play, when: () => here() && compare.canStart,
      run: () => compare.start(),
    },
    { id: 'compare.cancel', title: 'Compare: cancel', group: 'Run', icon: X, when: () => here() && compare.running, run: () => compare.cancel() },
    {
      id: 'compare.csv', title: 'Compare: save the table (CSV)…', group: 'File', icon: FileDown, when: () => here() && compare.result !== undefined,
      run: () => exportMetrics(),
    },
  );
}
