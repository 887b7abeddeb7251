/** The gate process as a child process of Node. The text `hang` stands for one that keeps the gate busy for ever, `die` for one that ends it. */
import type { GateAnswer, GateRequest } from '../../contract/host-messages';
import { judge } from '../../host/judge';

process.on('message', ({ id, text }: GateRequest) => {
  if (text === 'hang') for (;;);
  if (text === 'die') process.exit(1);
  process.send?.({ kind: 'verdict', id, verdict: judge(text) } satisfies GateAnswer);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ kind: 'ready' } satisfies GateAnswer);
