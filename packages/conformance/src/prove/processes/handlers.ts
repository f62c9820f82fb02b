import type { HandlerContext, HandlerEvent } from '@partnerkit/core';
import { effectsAccountId, type openKit } from './platform.ts';
import { say } from './task.ts';

/** A call of a handler that has an effect outside of the storage. Its parent is the other service. */
export interface SaidCall {
  /** The idempotency key of the call. */
  readonly called: string;
}

/** What a worker says when the handler that writes has written: its transaction may not be committed. */
export interface SaidWrite {
  readonly wrote: string;
}

/** Also events from before the first worker with the code. */
const common = { events: ['RequestPayment.payed'], timeout: 5_000, since: 0 } as const;

/** The handlers of the host: one writes into the storage, in its transaction, and one calls another service. */
export const provedHandlers = ({ events }: ReturnType<typeof openKit<object>>) => ({
  ledger: {
    ...common,
    transaction: true as const,
    handle: async ({ id }: HandlerEvent, { tx }: { readonly tx: object }): Promise<void> => {
      const data = { id, n: 0 };
      await events.publish(
        { accountId: effectsAccountId, objectName: 'RequestPayment', type: 'creation', data },
        { tx },
      );
      say({ wrote: id } satisfies SaidWrite);
    },
  },
  processor: {
    ...common,
    handle: async (_event: HandlerEvent, { key }: HandlerContext): Promise<void> =>
      say({ called: key } satisfies SaidCall),
  },
});
