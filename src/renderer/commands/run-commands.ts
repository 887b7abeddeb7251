import { ChevronFirst, FastForward, Grid2x2, Play, Rewind, RotateCcw, Scale, StepForward, X } from '@lucide/vue';
import { useClusterView } from '../clusters/cluster-store';
import { useNavigation } from '../stores/navigation';
import { useRun } from '../stores/run';
import { useTimeAxis } from '../stores/time-axis';
import { useVerdict } from '../stores/verdict';
import type { CommandRegistry } from './registry';

/** Commands of the run. */
export function registerRunCommands(commands: CommandRegistry): void {
  const run = useRun();
  const axis = useTimeAxis();
  const navigation = useNavigation();
  const clusters = useClusterView();
  const verdict = useVerdict();
  const here = (): boolean => navigation.screen === 'run';
  const loaded = (): boolean => here() && run.alive && run.info !== undefined;
  const canStep = (): boolean => here() && run.canGo;

  commands.register(
    {
      id: 'run.toggle', title: 'Run or pause', group: 'Run', keys: ['Space'], icon: Play,
      when: () => here() && (run.canGo || run.running), run: () => { run.toggle(); },
    },
    {
      id: 'run.step', title: 'Step', group: 'Run', keys: ['.'], icon: StepForward, when: () => axis.lookingBack || canStep(),
      run: () => { if (axis.lookingBack) axis.forward(); else run.step('operation'); },
    },
    { id: 'run.step.operation', title: 'Step: one operation', group: 'Run', when: canStep, run: () => { run.step('operation'); } },
    { id: 'run.step.millisecond', title: 'Step: one millisecond', group: 'Run', when: canStep, run: () => { run.step('millisecond'); } },
    { id: 'run.step.script', title: 'Step: to the next script step', group: 'Run', when: canStep, run: () => { run.step('script-step'); } },
    {
      id: 'run.back', title: 'Back in recorded time', group: 'Run', keys: [','], icon: ChevronFirst,
      when: () => here() && run.frame !== undefined && !run.running, run: () => { axis.back(); },
    },
    {
      id: 'run.restart', title: 'Restart with the changes', group: 'Run', keys: ['Mod+R'], icon: RotateCcw, when: loaded,
      run: () => run.restart(true),
    },
    { id: 'run.restart.plain', title: 'Restart without the live changes', group: 'Run', when: loaded, run: () => run.restart(false) },
    {
      id: 'run.cancel', title: 'Cancel the run', group: 'Run', icon: X, when: () => here() && (run.running || run.state === 'paused'),
      run: () => { run.cancel(); },
    },
    {
      id: 'claims.judge', title: 'Judge the claims over all arms and seeds', group: 'Run', icon: Scale,
      when: () => run.alive && verdict.possible && !verdict.running, run: () => verdict.start(),
    },
    { id: 'claims.cancel', title: 'Stop judging the claims', group: 'Run', icon: X, when: () => verdict.running, run: () => verdict.cancel() },
    { id: 'run.slower', title: 'Slower', group: 'Run', keys: ['['], icon: Rewind, when: here, run: () => { run.faster(-1); } },
    { id: 'run.faster', title: 'Faster', group: 'Run', keys: [']'], icon: FastForward, when: here, run: () => { run.faster(1); } },
    {
      id: 'view.clusters', title: 'Cluster map: large or small', group: 'View', keys: ['M'], icon: Grid2x2, when: here,
      run: () => { clusters.large = !clusters.large; },
    },
    {
      id: 'view.clusters.table', title: 'Cluster map: as a table or a map', group: 'View', icon: Grid2x2, when: here,
      run: () => { clusters.asTable = !clusters.asTable; },
    },
    {
      id: 'view.clusters.all', title: 'Cluster map: all clusters', group: 'View', icon: Grid2x2, when: here,
      run: () => { clusters.stretch = undefined; },
    },
    {
      id: 'run.zoom.reset', title: 'Show all of recorded time', group: 'Run', keys: ['0'], when: () => here() && axis.zoomed,
      run: () => { axis.showAll(); },
    },
  );
}
