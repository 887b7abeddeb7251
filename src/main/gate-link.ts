/** The gate as a utility process of its own. */
import { utilityProcess } from 'electron';
import gatePath from '../host/gate-process?modulePath';
import type { GateAnswer } from '../contract/host-messages';
import type { GateProcess, GateProcessEvents } from './gate-client';

export function spawnGate(events: GateProcessEvents): GateProcess {
  const child = utilityProcess.fork(gatePath, [], { serviceName: 'Swaplab file gate', stdio: 'inherit' });
  child.on('message', (answer: GateAnswer) => events.onMessage(answer));
  child.on('exit', () => events.onExit());
  return {
    post: (request) => child.postMessage(request),
    kill: () => {
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
      else child.kill();
    },
  };
}
