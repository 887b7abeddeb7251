/**
 * Entry of the gate process, an Electron utility process apart from the engine: it judges texts from outside. A text that keeps it
 * busy too long gets it killed, and neither the window nor a run that goes on notices.
 */
import type { GateAnswer, GateRequest } from '../contract/host-messages';
import { judge } from './judge';

const { parentPort } = process;

parentPort.on('message', (event) => {
  const { id, text } = event.data as GateRequest;
  parentPort.postMessage({ kind: 'verdict', id, verdict: judge(text) } satisfies GateAnswer);
});
parentPort.postMessage({ kind: 'ready' } satisfies GateAnswer);
