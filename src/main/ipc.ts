/** The one gate for messages of the window: who sent it, and is the payload what the channel takes. */
import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { z } from 'zod';
import type { CallName, TellName } from '../contract/app-channels';
import { isAppAddress } from './app-file';
import { CALL_SCHEMAS, TELL_SCHEMAS } from './ipc-schemas';

type CallArguments<C extends CallName> = z.output<(typeof CALL_SCHEMAS)[C]>;
type TellArguments<C extends TellName> = z.output<(typeof TELL_SCHEMAS)[C]>;

export interface IpcGateOptions {
  /** The window's contents now; messages of anything else are dropped. */
  readonly contents: () => WebContents | undefined;
  readonly devServer: string | undefined;
}

export class IpcGate {
  readonly #options: IpcGateOptions;

  constructor(options: IpcGateOptions) {
    this.#options = options;
  }

  /** Answers a call of the window. A payload of another shape rejects the call. */
  handle<C extends CallName>(channel: C, handler: (...args: CallArguments<C>) => unknown): void {
    ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...args: unknown[]) => {
      this.#checkSender(channel, event);
      return handler(...(this.#checkPayload(channel, CALL_SCHEMAS[channel], args) as CallArguments<C>));
    });
  }

  /** Takes a message of the window that wants no answer. What is not of the window or not of the shape is dropped. */
  listen<C extends TellName>(channel: C, handler: (...args: TellArguments<C>) => void): void {
    ipcMain.on(channel, (event: IpcMainEvent, ...args: unknown[]) => {
      try {
        this.#checkSender(channel, event);
        handler(...(this.#checkPayload(channel, TELL_SCHEMAS[channel], args) as TellArguments<C>));
      } catch (error) {
        console.error(error instanceof Error ? error.message : error);
      }
    });
  }

  #checkSender(channel: string, event: IpcMainInvokeEvent | IpcMainEvent): void {
    const frame = event.senderFrame;
    const ours = this.#options.contents();
    const mainFrame = ours !== undefined && event.sender.id === ours.id && frame !== null && frame.parent === null;
    if (!mainFrame || !isAppAddress(frame.url, this.#options.devServer)) throw new Error(`${channel}: refused, the sender is not the window's main frame.`);
  }

  #checkPayload(channel: string, schema: z.ZodType, args: readonly unknown[]): unknown {
    const parsed = schema.safeParse(args);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new Error(`${channel}: refused, argument ${issue === undefined ? '' : `${issue.path.map(String).join('.')}: ${issue.message}`}`);
  }
}
