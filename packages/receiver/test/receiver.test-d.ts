import type { EventType, HttpRequest, HttpResponse, ObjectName, Route } from '@partnerkit/core';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  createInboxWorker,
  createReceiver,
  type DataOf,
  type Envelope,
  type Handlers,
  type Inbox,
  type InboxError,
  memoryInbox,
  memorySeenKeys,
  type Received,
  type Receiver,
  type SchemaOutput,
  type SeenKeys,
  type StandardSchema,
  type UnknownData,
} from '../src/index.ts';

const seen = memorySeenKeys();
const secrets = ['whsec_x'] as const;
const deposit = z.object({
  id: z.string(),
  depositAmount: z.number(),
  paidAt: z.iso.datetime().transform((text) => new Date(text)),
  recipient: z.object({ email: z.email() }).optional(),
});
declare const handWritten: StandardSchema<{ readonly cents: bigint }>;

describe('an event, as a handler receives it', () => {
  test('with a schema: the output of the schema, not its input', () => {
    createReceiver({
      secrets,
      seen,
      schemas: { RequestSecurityDeposit: deposit, RequestPayment: handWritten },
      on: {
        RequestSecurityDeposit: {
          deposit_success: (event) => {
            expectTypeOf(event.objectName).toEqualTypeOf<'RequestSecurityDeposit'>();
            expectTypeOf(event.type).toEqualTypeOf<'deposit_success'>();
            expectTypeOf(event.timestamp).toEqualTypeOf<number>();
            expectTypeOf(event.data).toEqualTypeOf<z.output<typeof deposit>>();
            expectTypeOf(event.data.depositAmount).toEqualTypeOf<number>();
            expectTypeOf(event.data.paidAt).toEqualTypeOf<Date>();
            expectTypeOf(event.data.recipient).toEqualTypeOf<{ email: string } | undefined>();
            // @ts-expect-error no such field
            void event.data.nope;
          },
          cashout_done: async ({ type }) => {
            expectTypeOf(type).toEqualTypeOf<'cashout_done'>();
          },
        },
        RequestPayment: {
          payed: ({ data }) => {
            expectTypeOf(data).toEqualTypeOf<{ readonly cents: bigint }>();
          },
        },
      },
    });
  });

  test('without a schema: an id and unknown fields', () => {
    createReceiver({
      secrets,
      seen,
      schemas: { RequestSecurityDeposit: deposit },
      on: {
        RequestPayment: {
          payed: async (event) => {
            expectTypeOf(event).toEqualTypeOf<Received<'RequestPayment', 'payed', UnknownData>>();
            expectTypeOf(event.data.id).toEqualTypeOf<string>();
            expectTypeOf(event.data['amount']).toEqualTypeOf<unknown>();
          },
        },
      },
    });
    createReceiver({
      secrets,
      seen,
      on: {
        ModelRequestPayment: {
          deletion: ({ data, type }) => {
            expectTypeOf(data).toEqualTypeOf<Envelope['data']>();
            expectTypeOf(type).toEqualTypeOf<'deletion'>();
          },
        },
      },
    });
  });

  test('otherwise accepts any names and any data', () => {
    createReceiver({
      secrets,
      seen,
      schemas: { RequestPayment: deposit },
      on: {},
      otherwise: (event) => {
        expectTypeOf(event).toEqualTypeOf<Received<string, string, unknown>>();
        // @ts-expect-error what it is has to be found out
        void event.data.id;
      },
      onError: (cause, event) => {
        expectTypeOf(cause).toEqualTypeOf<unknown>();
        expectTypeOf(event).toEqualTypeOf<Envelope>();
      },
    });
  });

  test('an event is read-only', () => {
    createReceiver({
      secrets,
      seen,
      on: {
        RequestPayment: {
          payed: (event) => {
            // @ts-expect-error read only
            event.timestamp = 1;
            // @ts-expect-error read only
            event.data.id = 'x';
          },
        },
      },
    });
  });

  test('DataOf', () => {
    type Some = { readonly RequestSecurityDeposit: typeof deposit };
    expectTypeOf<DataOf<Some, 'RequestSecurityDeposit'>>().toEqualTypeOf<z.output<typeof deposit>>();
    expectTypeOf<DataOf<Some, 'RequestPayment'>>().toEqualTypeOf<UnknownData>();
    expectTypeOf<DataOf<Record<never, never>, 'RequestPayment'>>().toEqualTypeOf<UnknownData>();
  });
});

/** The interface as its specification (standardschema.dev) has it: what libraries other than zod speak too. */
interface StandardSchemaV1<Input, Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
      options?: { readonly libraryOptions?: Record<string, unknown> | undefined } | undefined,
    ) => SpecifiedResult<Output> | Promise<SpecifiedResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
type SpecifiedResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

test('any Standard Schema is accepted, and its output is inferred', () => {
  const specified = {} as StandardSchemaV1<{ amount: string }, { readonly amount: bigint }>;
  expectTypeOf<typeof specified>().toExtend<StandardSchema>();
  expectTypeOf<SchemaOutput<typeof specified>>().toEqualTypeOf<{ readonly amount: bigint }>();
  expectTypeOf<SchemaOutput<typeof deposit>>().toEqualTypeOf<z.output<typeof deposit>>();
  createReceiver({
    secrets,
    seen,
    schemas: { RequestPayment: specified },
    on: {
      RequestPayment: {
        payed: ({ data }) => {
          expectTypeOf(data.amount).toEqualTypeOf<bigint>();
        },
      },
    },
  });
});

describe('the catalogue (specification §6)', () => {
  test('every pair can have a handler, and no other pair', () => {
    type All = Handlers<Record<never, never>>;
    expectTypeOf<keyof All>().toEqualTypeOf<ObjectName>();
    type TypesOf<N extends ObjectName> = keyof NonNullable<All[N]>;
    expectTypeOf<TypesOf<'RequestPayment'>>().toEqualTypeOf<EventType<'RequestPayment'>>();
    expectTypeOf<TypesOf<'RequestSecurityDeposit'>>().toEqualTypeOf<EventType<'RequestSecurityDeposit'>>();
    expectTypeOf<TypesOf<'ModelRequestPayment'>>().toEqualTypeOf<'creation' | 'update' | 'deletion'>();
    expectTypeOf<TypesOf<'ModelRequestSecurityDeposit'>>().toEqualTypeOf<'creation' | 'update' | 'deletion'>();
  });

  test('a pair outside of it does not compile', () => {
    const on = () => undefined;
    // @ts-expect-error a payment is never deleted
    createReceiver({ secrets, seen, on: { RequestPayment: { deletion: on } } });
    // @ts-expect-error a template is never payed
    createReceiver({ secrets, seen, on: { ModelRequestPayment: { payed: on } } });
    // @ts-expect-error misspelt
    createReceiver({ secrets, seen, on: { RequestPayment: { paid: on } } });
    // @ts-expect-error also with a schema
    createReceiver({ secrets, seen, schemas: { RequestPayment: deposit }, on: { RequestPayment: { deletion: on } } });
    // @ts-expect-error not a schema
    createReceiver({ secrets, seen, schemas: { RequestPayment: { parse: on } }, on: {} });
  });

  test('a handler for other data does not compile', () => {
    createReceiver({
      secrets,
      seen,
      schemas: { RequestPayment: handWritten },
      on: {
        RequestPayment: {
          // @ts-expect-error the schema makes a bigint
          payed: (_event: { readonly data: { readonly cents: number } }) => undefined,
        },
      },
    });
  });
});

describe('objects of another platform', () => {
  const catalogue = { Invoice: ['creation', 'payed'], Customer: ['removal'] } as const;
  const invoice = z.object({ id: z.string(), total: z.number() });

  test('need no catalogue: their names are those of the handlers', () => {
    createReceiver({
      secrets,
      seen,
      schemas: { Invoice: invoice },
      on: {
        Invoice: {
          payed: (event) => {
            expectTypeOf(event).toEqualTypeOf<Received<'Invoice', string, z.output<typeof invoice>>>();
          },
        },
        Customer: {
          removal: ({ data }) => {
            expectTypeOf(data).toEqualTypeOf<UnknownData>();
          },
        },
        RequestPayment: {
          payed: ({ type }) => {
            expectTypeOf(type).toEqualTypeOf<'payed'>();
          },
        },
      },
    });
    createInboxWorker({ inbox: memoryInbox(), on: { Invoice: { creation: ({ data }) => void data.id } } });
    // @ts-expect-error an object of the specification beside them has its own event types
    createReceiver({ secrets, seen, on: { Invoice: {}, RequestPayment: { paid: () => undefined } } });
    // @ts-expect-error no handler
    createReceiver({ secrets, seen, on: { Invoice: { payed: 'handler' } } });
  });

  test('with a catalogue, handlers and their data have its names', () => {
    createReceiver({
      secrets,
      seen,
      catalogue: { Invoice: ['creation', 'payed'], Customer: ['removal'] },
      schemas: { Invoice: invoice },
      on: {
        Invoice: {
          payed: (event) => {
            expectTypeOf(event).toEqualTypeOf<Received<'Invoice', 'payed', z.output<typeof invoice>>>();
          },
        },
        Customer: {
          removal: ({ data }) => {
            expectTypeOf(data).toEqualTypeOf<UnknownData>();
          },
        },
      },
    });
    createInboxWorker({ inbox: memoryInbox(), catalogue, on: { Invoice: { creation: () => undefined } } });
  });

  test('may also be a type', () => {
    type Events = { readonly Invoice: 'creation' | 'payed' };
    createReceiver<Record<never, never>, Events>({ secrets, seen, on: { Invoice: { payed: () => undefined } } });
    // @ts-expect-error no such type
    createReceiver<Record<never, never>, Events>({ secrets, seen, on: { Invoice: { cancel: () => undefined } } });
  });

  test('a pair outside of it does not compile', () => {
    const on = () => undefined;
    // @ts-expect-error an invoice is never removed
    createReceiver({ secrets, seen, catalogue, on: { Invoice: { removal: on } } });
    // @ts-expect-error an object of the specification
    createReceiver({ secrets, seen, catalogue, on: { RequestPayment: { payed: on } } });
    // @ts-expect-error also of a worker
    createInboxWorker({ inbox: memoryInbox(), catalogue, on: { Customer: { creation: on } } });
    // @ts-expect-error no object of that name has a schema
    createReceiver({ secrets, seen, catalogue, schemas: { RequestPayment: invoice }, on: {} });
    // @ts-expect-error an option of the worker
    createReceiver({ secrets, inbox: memoryInbox(), catalogue });
  });
});

describe('options', () => {
  test('a list of secrets, each a text', () => {
    createReceiver({ secrets: ['old', 'new'], seen, on: {} });
    createReceiver({ secrets: 'old new'.split(' '), seen, on: {} });
    // @ts-expect-error a list
    createReceiver({ secrets: 'whsec_x', seen, on: {} });
    // @ts-expect-error may be unset
    createReceiver({ secrets: [process.env['WEBHOOK_SECRET']], seen, on: {} });
  });

  test('secrets, a store and handlers are needed', () => {
    // @ts-expect-error no secrets
    createReceiver({ seen, on: {} });
    // @ts-expect-error no store
    createReceiver({ secrets, on: {} });
    // @ts-expect-error no handlers
    createReceiver({ secrets, seen });
    // @ts-expect-error half an API key
    createReceiver({ secrets, seen, on: {}, deliveryHeader: { name: 'x-api-key' } });
    expectTypeOf(seen).toEqualTypeOf<SeenKeys>();
  });

  test('a receiver is a route of any adapter', () => {
    const receiver = createReceiver({ secrets, seen, on: {} });
    expectTypeOf(receiver).toEqualTypeOf<Receiver>();
    expectTypeOf(receiver.route).parameter(0).toEqualTypeOf<`/${string}`>();
    expectTypeOf(receiver.route('/webhooks')).toEqualTypeOf<Route>();
    expectTypeOf(receiver.handle).toEqualTypeOf<(request: HttpRequest) => Promise<HttpResponse>>();
    // @ts-expect-error absolute
    receiver.route('webhooks');
  });
});

describe('respond first, then process', () => {
  const inbox = memoryInbox();

  test('exactly one of seen and inbox', () => {
    createReceiver({ secrets, inbox });
    createReceiver({ secrets, seen, on: {} });
    // @ts-expect-error both
    createReceiver({ secrets, seen, inbox, on: {} });
    // @ts-expect-error neither
    createReceiver({ secrets, on: {} });
    // @ts-expect-error neither, and no handlers
    createReceiver({ secrets });
  });

  test('a receiver with an inbox takes no handlers', () => {
    // @ts-expect-error it would never be called
    createReceiver({ secrets, inbox, on: {} });
    // @ts-expect-error it would never be called
    createReceiver({ secrets, inbox, otherwise: () => undefined });
    // @ts-expect-error it would never be asked
    createReceiver({ secrets, inbox, schemas: { RequestPayment: deposit } });
    // @ts-expect-error no handlers
    createInboxWorker({ inbox });
    // @ts-expect-error no inbox
    createInboxWorker({ on: {} });
  });

  test('the handlers of a worker have the types of those of a receiver', () => {
    const worker = createInboxWorker({
      inbox,
      schemas: { RequestSecurityDeposit: deposit },
      on: {
        RequestSecurityDeposit: {
          deposit_success: (event) => {
            expectTypeOf(event.data).toEqualTypeOf<z.output<typeof deposit>>();
          },
        },
        RequestPayment: {
          payed: async (event) => {
            expectTypeOf(event).toEqualTypeOf<Received<'RequestPayment', 'payed', UnknownData>>();
          },
        },
      },
      onError: (_cause, trouble) => {
        expectTypeOf(trouble).toEqualTypeOf<InboxError>();
        if (trouble.kind === 'retried') expectTypeOf(trouble.wait).toEqualTypeOf<number>();
        // @ts-expect-error an inbox that fails is no event's trouble
        if (trouble.kind === 'inbox') void trouble.entry;
      },
    });
    createReceiver({ secrets, inbox: worker.inbox });
    expectTypeOf(inbox).toEqualTypeOf<Inbox>();
    // @ts-expect-error a payment is never deleted
    createInboxWorker({ inbox, on: { RequestPayment: { deletion: () => undefined } } });
  });
});
