/** Commands that lead from the lists to the run screen and into the wizard. */
import { Copy, FlaskConical, Play, Scale } from '@lucide/vue';
import type { CommandRegistry } from '../commands/registry';
import { armNames } from '../../engine/experiment/arms';
import { useDocument } from '../stores/document';
import { useVerdict } from '../stores/verdict';
import { copyIntoWizard, putOnBench } from './bench';
import { builtins } from './builtins';

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function registerPageCommands(commands: CommandRegistry): void {
  const doc = useDocument();
  commands.register({
    id: 'file.copy', title: 'Make a changed copy of this experiment…', group: 'File', icon: Copy, when: () => doc.current !== undefined,
    run: () => { if (doc.current) copyIntoWizard(plain(doc.current)); },
  });
  for (const { id, spec } of builtins().experiments) {
    const source = { kind: 'builtin', name: id } as const;
    commands.register(
      { id: `builtin.run.${id}`, title: `Run: ${spec.title}`, group: 'Run', icon: Play, run: async () => { await putOnBench(spec, source, { run: true }); } },
      { id: `builtin.open.${id}`, title: `Open: ${spec.title}`, group: 'File', icon: FlaskConical, run: async () => { await putOnBench(spec, source); } },
      {
        id: `builtin.judge.${id}`, title: `Judge the claims of: ${spec.title}`, group: 'Run', icon: Scale,
        when: () => armNames(spec).length * spec.seeds.length > 1,
        run: async () => { if (await putOnBench(spec, source)) await useVerdict().start(); },
      },
      { id: `builtin.copy.${id}`, title: `Changed copy: ${spec.title}`, group: 'File', icon: Copy, run: () => { copyIntoWizard(spec); } },
    );
  }
}
