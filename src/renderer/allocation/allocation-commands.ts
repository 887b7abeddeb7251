/** Commands that run to single requests and frees of the swap layer. */
import { CircleDot, CornerDownRight, Split, Undo2 } from '@lucide/vue';
import type { CommandRegistry } from '../commands/registry';
import { useNavigation } from '../stores/navigation';
import { useAllocation } from './allocation-store';

export function registerAllocationCommands(commands: CommandRegistry): void {
  const allocation = useAllocation();
  const navigation = useNavigation();
  const can = (): boolean => navigation.screen === 'run' && allocation.canSeek;
  commands.register(
    {
      id: 'run.seek.allocation', title: 'Run to the next allocation', group: 'Run', keys: ['A'], icon: CornerDownRight, when: can,
      run: () => allocation.seek({ kind: 'allocation' }),
    },
    {
      id: 'run.seek.free', title: 'Run to the next free', group: 'Run', keys: ['F'], icon: Undo2, when: can,
      run: () => allocation.seek({ kind: 'free' }),
    },
    {
      id: 'run.seek.fallback', title: 'Run to the next fallback', group: 'Run', keys: ['B'], icon: Split, when: can,
      run: () => allocation.seek({ kind: 'fallback' }),
    },
    {
      id: 'run.seek.breakpoint', title: 'Run to the breakpoint', group: 'Run', keys: ['G'], icon: CircleDot,
      when: () => can() && allocation.hasBreakpoint, run: () => allocation.seekBreakpoint(),
    },
  );
}
