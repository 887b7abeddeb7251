/** Entry of the engine process, an Electron utility process. */
import type { MessagePortMain } from 'electron';
import type { FromEngine, ToEngine } from '../contract/host-messages';
import { Host } from './host';
import type { HostPort } from './window-link';

const { parentPort } = process;

// Since Electron 37 an unhandled rejection only warns here; a process in an unknown state is worse than a lost one, which is brought back.
process.on('unhandledRejection', (reason) => {
  console.error(reason);
  process.exit(1);
});

const host = new Host({ send: (message: FromEngine) => parentPort.postMessage(message) });

parentPort.on('message', (event) => {
  const [port] = event.ports;
  host.receive(event.data as ToEngine, port === undefined ? undefined : wrap(port));
});
parentPort.postMessage({ kind: 'ready' } satisfies FromEngine);

function wrap(port: MessagePortMain): HostPort {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', (event) => listener(event.data));
      port.start();
    },
    close: () => port.close(),
  };
}
