/** The engine process as a child process of Node: the same Host, with the parent's channel in place of Electron's ports. */
import type { FromEngine, ToEngine } from '../../contract/host-messages';
import { Host } from '../../host/host';

export type ToChild =
  | { readonly to: 'host'; readonly message: ToEngine }
  | { readonly to: 'window-port'; readonly message: unknown }
  | { readonly to: 'hang' };
export type FromChild = { readonly from: 'host'; readonly message: FromEngine } | { readonly from: 'window-port'; readonly message: unknown };

const send = (message: FromChild): void => {
  process.send?.(message);
};
const host = new Host({ send: (message) => send({ from: 'host', message }) });
let toWindowPort: (message: unknown) => void = () => undefined;

process.on('message', (given: ToChild) => {
  if (given.to === 'host') {
    const port =
      given.message.kind !== 'port'
        ? undefined
        : {
            post: (message: unknown) => send({ from: 'window-port', message }),
            onMessage: (listener: (message: unknown) => void) => {
              toWindowPort = listener;
            },
            close: () => undefined,
          };
    host.receive(given.message, port);
  } else if (given.to === 'window-port') {
    toWindowPort(given.message);
  } else {
    for (;;);
  }
});
process.on('disconnect', () => process.exit(0));
send({ from: 'host', message: { kind: 'ready' } });
