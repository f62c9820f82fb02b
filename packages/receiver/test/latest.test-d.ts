import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  createInboxWorker,
  createReceiver,
  memoryInbox,
  memorySeenKeys,
  type Received,
  type StoredInbox,
  type StoredSeenKeys,
  type UnknownData,
} from '../src/index.ts';

interface Client {
  query(text: string): Promise<void>;
}
declare const seen: StoredSeenKeys<Client>;
declare const inbox: StoredInbox<Client>;
const secrets = ['whsec_x'] as const;
const invoice = z.object({ id: z.string(), total: z.number() });

describe("order: 'latest'", () => {
  test('a handler has the event, and markIn of the transactions of the store', () => {
    createReceiver({
      secrets,
      seen,
      order: 'latest',
      schemas: { Invoice: invoice },
      on: {
        RequestPayment: {
          payed: async (event, markIn) => {
            expectTypeOf(event).toEqualTypeOf<Received<'RequestPayment', 'payed', UnknownData>>();
            expectTypeOf(markIn).toEqualTypeOf<(tx: Client) => Promise<boolean>>();
          },
        },
        Invoice: {
          creation: ({ data }) => {
            expectTypeOf(data).toEqualTypeOf<z.output<typeof invoice>>();
          },
        },
      },
      otherwise: (_event, markIn) => {
        expectTypeOf(markIn).toEqualTypeOf<(tx: Client) => Promise<boolean>>();
      },
    });
    createInboxWorker({
      inbox,
      order: 'latest',
      catalogue: { Invoice: ['creation'] },
      on: {
        Invoice: {
          creation: (_event, markIn) => {
            expectTypeOf(markIn).toEqualTypeOf<(tx: Client) => Promise<boolean>>();
          },
        },
      },
    });
  });

  test('without it, a handler has no second argument', () => {
    // @ts-expect-error no markIn
    createReceiver({ secrets, seen, on: { RequestPayment: { payed: (_event, _markIn) => undefined } } });
    // @ts-expect-error no markIn
    createInboxWorker({ inbox, on: { RequestPayment: { payed: (_event, _markIn) => undefined } } });
  });

  test('a store that cannot join a transaction does not compile', () => {
    // @ts-expect-error memory has no transactions
    createReceiver({ secrets, seen: memorySeenKeys(), order: 'latest', on: {} });
    // @ts-expect-error memory has no transactions
    createInboxWorker({ inbox: memoryInbox(), order: 'latest', on: {} });
    // @ts-expect-error an option of the worker
    createReceiver({ secrets, inbox, order: 'latest' });
    // @ts-expect-error no such order
    createReceiver({ secrets, seen, order: 'oldest', on: {} });
    // @ts-expect-error a payment is never deleted
    createReceiver({ secrets, seen, order: 'latest', on: { RequestPayment: { deletion: () => undefined } } });
  });
});
